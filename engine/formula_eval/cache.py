"""Caches bytes on disk under keys; whatever goes wrong with the disk only costs the caller time."""

import errno
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, TypeVar
from weakref import WeakValueDictionary
from zlib import crc32

from formula_eval.file_hash import text_hash

_Made = TypeVar("_Made")
_SUFFIX = ".entry"
_CHECKSUM = 4
_LARGE = 1_000_000  # bytes of an entry that is not read whole
_MOST_BYTES = 2_000_000_000  # the graph of a library is 70 MB, and we ship six of them
_PARTS = 10  # the oldest entries are looked for when another tenth was written
_MOST_OBJECTS = 8
_RECENT: dict[tuple[str, bytes], Any] = {}  # objects that this process has made of entries, the latest last
_WRITTEN: dict[Path, int] = {}  # bytes that this process wrote to a directory since it looked for the oldest there
_ALIVE: WeakValueDictionary[tuple[str, bytes], Any] = WeakValueDictionary()  # those that somebody still holds


class Cache:
    """Entries of one directory: each the checksum of a payload, then the payload.

    An entry may hold code, so neither a directory nor an entry that others may have written is used. Two processes may
    share one.
    """

    def __init__(self, directory: Path | None, shipped: Path | None = None) -> None:
        """Keep entries there, or with None nowhere; `shipped` holds entries that came with the package.

        `complaint` says why the cache could not be used.
        """
        self._directory = directory
        self._shipped = shipped
        self.complaint: str | None = None

    def __eq__(self, other: object) -> bool:
        """Whether both keep entries in the same place."""
        return type(self) is type(other) and isinstance(other, Cache) and self._places == other._places

    def __hash__(self) -> int:
        """By that place."""
        return hash(self._places)

    @property
    def _places(self) -> tuple[Path | None, Path | None]:
        return self._directory, self._shipped

    def get(self, key: str) -> bytes | None:
        """The payload; None if there is none. A broken entry is removed."""
        found = self._found(key, _read_in)
        return None if found is None else bytes(found[1])

    def _found(self, key: str, take: "_Take") -> "_Entry | None":
        path = self._path(key)
        entry = None if path is None else self._read(path, take, own=True)
        return self._read(self._shipped / _file(key), take) if entry is None and self._shipped is not None else entry

    def get_object(self, key: str, *kinds: type) -> Any:  # noqa: ANN401 - whatever was put there
        """The object of `put_object`, of one of these kinds; nobody may change it.

        Who asks again in this process gets the same one.
        """
        from formula_eval.frozen_pickle import unpickled  # noqa: PLC0415 - seldom needed, slow to import

        return self._shared(self._found(key, _mapped), key, lambda payload: of_kind(unpickled(payload), *kinds))

    def get_shared(self, key: str, make: Callable[[bytes], _Made]) -> _Made | None:
        """What is made of a payload, as `get_made`; who asks again in this process gets the same one."""
        return self._shared(self._found(key, _read_in), key, make)

    def _shared(self, entry: "_Entry | None", key: str, make: Callable[[Any], _Made]) -> _Made | None:
        if entry is None:
            return None
        known = key, entry[0]
        found: _Made | None = _RECENT.pop(known, None) or _ALIVE.get(known) or self._made(key, entry[1], make)
        if found is not None:
            _remember(known, found)
        return found

    def get_made(self, key: str, make: Callable[[bytes], _Made]) -> _Made | None:
        """What is made of a payload; None if there is none, or nothing can be made of it."""
        held = self.get(key)
        return None if held is None else self._made(key, held, make)

    def _made(self, key: str, held: "bytes | memoryview", make: Callable[[Any], _Made]) -> _Made | None:
        try:
            return make(held)
        except Exception:  # noqa: BLE001 - whatever somebody else has put there is made anew
            if self._directory is not None:
                with suppress(OSError):
                    (self._directory / _file(key)).unlink()
            return None

    def put_object(self, key: str, value: object) -> None:
        """Keep an object that nobody changes any more; its key must say of which engine files it is."""
        from formula_eval.frozen_pickle import pickled  # noqa: PLC0415 - seldom needed, slow to import

        payload = pickled(value)
        self.put(key, payload)
        _remember((key, _checksum(payload)), value)

    def _read(self, path: Path, take: "_Take", *, own: bool = False) -> "_Entry | None":
        try:
            entry = _entry(path, take, own=own)
        except FileNotFoundError:
            return None
        except OSError as error:
            self._complain(error)
            return None
        if entry is None:
            self.complaint = f"Works without a cache: {path} is not this user's own file. Remove {path.parent}."
            return None
        checksum, payload = entry
        if _checksum(payload) != checksum:
            with suppress(OSError):
                path.unlink()
            return None
        if path.parent == self._directory:
            with suppress(OSError):
                os.utime(path)
        return entry

    def put(self, key: str, payload: bytes) -> None:
        """Keep a payload, and only the entries used last, which is looked after now and then."""
        path = self._path(key, make=True)
        if path is None:
            return
        try:
            _write(path, _checksum(payload) + payload)
            written = _WRITTEN.get(path.parent, _MOST_BYTES) + len(payload)
            if written > _MOST_BYTES / _PARTS:
                _prune(path.parent)
                written = 0
            _WRITTEN[path.parent] = written
        except OSError as error:
            self._complain(error)

    def _path(self, key: str, *, make: bool = False) -> Path | None:
        if self._directory is None or self.complaint:
            return None
        try:
            if make:
                self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            refused = _distrusted(self._directory)
        except OSError as error:
            if make or not isinstance(error, FileNotFoundError):
                self._complain(error)
            return None
        if refused:
            self.complaint = f"Works without a cache: {self._directory} {refused}"
            return None
        return self._directory / _file(key)

    def _complain(self, error: OSError) -> None:
        self.complaint = f"Works without a cache: {error.strerror or error} ({self._directory})"


def _file(key: str) -> str:
    return f"{text_hash(key)}{_SUFFIX}"


_OPENED_WITH = ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")  # those that the system has


_Entry = tuple[bytes, bytes | memoryview]  # the checksum, and the payload
_Take = Callable[[IO[bytes]], _Entry]


def _read_in(file: IO[bytes]) -> _Entry:
    """The checksum and the payload of a file, read apart, since a large one is not copied in no time."""
    return file.read(_CHECKSUM), file.read()


def _mapped(file: IO[bytes]) -> _Entry:
    """The same, its pages shared with the system: of a graph, a small part is looked at."""
    if os.name != "posix" or os.fstat(file.fileno()).st_size < _LARGE:  # elsewhere no file that is open is replaced
        return _read_in(file)
    import mmap  # noqa: PLC0415 - seldom needed

    whole = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    return bytes(whole[:_CHECKSUM]), whole[_CHECKSUM:]


def _entry(path: Path, take: _Take, *, own: bool) -> _Entry | None:
    """What a file holds.

    Of one that has to be the user's `own`: None for a link, what is no file, and what others own or may write to.
    """
    if not own:
        with path.open("rb") as shipped:
            return take(shipped)
    try:
        handle = os.open(path, os.O_RDONLY | sum(getattr(os, name, 0) for name in _OPENED_WITH))
    except OSError as error:
        if error.errno == errno.ELOOP:
            return None
        raise
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(file.fileno())
        is_distrusted = not stat.S_ISREG(status.st_mode) or _of_others(status)
        return None if is_distrusted else take(file)


def _of_others(status: os.stat_result) -> str:
    """Whose it is, if not this user's alone."""
    if os.name != "posix":
        return ""
    if status.st_uid != os.geteuid():
        return "belongs to another user"
    return "can be written to by others" if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH) else ""


def _remember(known: tuple[str, bytes], value: object) -> None:
    """Hold an object in memory: strongly the ones used last, the others only while something else refers to them."""
    _RECENT[known] = value
    with suppress(TypeError):  # a plain dict or list cannot be
        _ALIVE[known] = value
    for oldest in list(_RECENT)[:-_MOST_OBJECTS]:
        del _RECENT[oldest]


def of_kind(found: Any, *kinds: type) -> Any:  # noqa: ANN401 - as above
    """What was found, if it is of one of the kinds that there are; raises TypeError."""
    if kinds and not isinstance(found, kinds):
        raise TypeError(type(found).__name__)
    return found


def _checksum(payload: bytes | memoryview) -> bytes:
    """The checksum that reveals a broken entry: a CRC, since hashing megabytes would take longer than reading them.

    It is seeded with the length, without which a block that a disk has filled with one byte could pass.
    """
    return crc32(payload, len(payload) + 1).to_bytes(_CHECKSUM, "big")


def cache_directory() -> Path | None:
    """$FORMULA_EVAL_CACHE, else $XDG_CACHE_HOME/formula-eval, else ~/.cache/formula-eval; None without a home."""
    if own := os.environ.get("FORMULA_EVAL_CACHE"):
        return Path(own)
    if shared := os.environ.get("XDG_CACHE_HOME"):
        return Path(shared) / "formula-eval"
    try:
        return Path.home() / ".cache" / "formula-eval"
    except RuntimeError:
        return None


def _distrusted(directory: Path) -> str:
    if directory.is_symlink() and (whose := _of_others(directory.lstat())) == "belongs to another user":
        return f"is a link that {whose}"
    status = directory.stat()
    if not stat.S_ISDIR(status.st_mode):
        return "is not a directory"
    whose = _of_others(status)
    # What others have put there would be run once the directory is trusted again, so it has to go.
    return f"{whose}; remove it, and a new one is made" if whose.startswith("can") else whose


def _write(path: Path, entry: bytes) -> None:
    import tempfile  # noqa: PLC0415 - seldom needed, slow to import

    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-", suffix=_SUFFIX)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(entry)
        os.replace(temporary, path)  # noqa: PTH105 - both names are at hand
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)  # noqa: PTH108
        raise


def _prune(directory: Path) -> None:
    """Remove the entries used longest ago, where all are too much; another process may be doing the same."""
    entries = []
    with os.scandir(directory) as found:  # two thirds of the time of paths, and done by each process that writes
        for entry in found:
            with suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                if entry.name.endswith(_SUFFIX):
                    entries.append((status.st_mtime_ns, entry.path, status.st_size))
    kept = 0
    for _, path, size in sorted(entries, reverse=True):
        kept += size
        if kept > _MOST_BYTES:
            with suppress(OSError):
                os.unlink(path)  # noqa: PTH108 - as above


# Keeps nothing.
NOWHERE = Cache(None)
