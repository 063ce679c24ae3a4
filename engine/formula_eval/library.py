"""Where knowledge lies on disk: the formulas, models, hardware and presets of the project and of its user."""

import os
import time
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from formula_eval.core.diagnostic import refuse
from formula_eval.core.unit import UnitTable, unit_table
from formula_eval.digest import sha256

MOST_BYTES = 1_000_000
_PACKAGE = Path(__file__).parent
_SHIPPED = _PACKAGE / "shipped"
# What was computed from our own library when the package was built: entries of a cache that nobody writes to.
COMPILED = _PACKAGE / "compiled"
_VARIABLE = "FORMULA_EVAL_LIBRARY"
_SETTLED = 2_000_000_000  # nanoseconds


@dataclass(frozen=True)
class Library:
    """Folders of the layout `formulas/ models/ hardware.toml presets/`; later ones go before earlier ones."""

    folders: tuple[Path, ...]

    def files(self, pattern: str) -> Iterator[tuple[Path, Path]]:
        """The files that match, each with its folder; sorted, so that the order never varies."""
        for folder in self.folders:
            for path in sorted(folder.glob(pattern)):
                yield folder, path

    def last(self, file: str) -> tuple[str, Mapping[str, Any]]:
        """What messages call a TOML file, and its contents, in the last folder that has it; nothing in none."""
        for folder in reversed(self.folders):
            path = folder / file
            if path.is_file():
                shown = self.shown(folder, path)
                return shown, read_toml(path, shown)
        return "", {}

    def shown(self, folder: Path, path: Path) -> str:
        """How messages name a file: from its folder for our own library, else as the user would type it."""
        inside = path.relative_to(folder).as_posix()
        return inside if folder == self.folders[0] else (folder / inside).as_posix()

    @cached_property
    def units(self) -> UnitTable:
        """The units of our own library."""
        path = self.folders[0] / "formulas" / "units.toml"
        read_toml(path, "formulas/units.toml")
        return _units(read_text(path, "formulas/units.toml"))

    @cached_property
    def citations(self) -> Mapping[str, Mapping[str, Any]]:
        """All entries of the sources.toml files by key."""
        found: dict[str, Mapping[str, Any]] = {}
        for folder, path in self.files("formulas/**/sources.toml"):
            found.update(read_toml(path, self.shown(folder, path)))
        return found

    def fingerprint(self) -> str:
        """A hash of the engine and of all formulas as they stand now, so that a cached program is never an old one."""
        return _hashed(self._shaping())

    def stamp(self) -> str:
        """A hash of what the disk says of these files without reading them; empty if one of them is that new.

        A file that was written within the last seconds could be written again within one tick of the clock.
        """
        digest = sha256()
        newest = 0
        for name, path in self._shaping():
            status = os.stat(path)  # noqa: PTH116 - as above
            digest.update(f"{name}\0{path}\0{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}\n".encode())
            newest = max(newest, status.st_mtime_ns, status.st_ctime_ns)
        return "" if time.time_ns() - newest < _SETTLED else str(digest.hexdigest())

    def _shaping(self) -> Iterator[tuple[str, str]]:
        """Every file that shapes a program: a name that is the same wherever our own library lies, and its path."""
        yield from _engine_files()
        for number, folder in enumerate(self.folders):
            inside = folder / "formulas"
            for path in _all_files(inside):
                yield f"{folder if number else ''}/{os.path.relpath(path, inside)}", path


def engine_fingerprint() -> str:
    """A hash of every file of the engine."""
    return _hashed(_engine_files())


def _engine_files() -> Iterator[tuple[str, str]]:
    for path in _all_files(_PACKAGE, but=(_SHIPPED, COMPILED)):
        yield f"engine/{os.path.relpath(path, _PACKAGE)}", path


def _hashed(files: Iterable[tuple[str, str]]) -> str:
    digest = sha256()
    for name, path in files:
        digest.update(name.encode())
        with open(path, "rb") as file:  # noqa: PTH123 - hundreds of files, before anything else can start
            digest.update(file.read())
    return str(digest.hexdigest())


def _all_files(folder: Path, but: Sequence[Path] = ()) -> list[str]:
    """Every file of a folder but what Python keeps there, and what lies in some of its folders."""
    left_out = {str(each) for each in but}
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = [each for each in folders if each != "__pycache__" and f"{place}{os.sep}{each}" not in left_out]
        found += [f"{place}{os.sep}{name}" for name in names if not name.endswith(".pyc")]
    return sorted(found)


def find_library(more: Sequence[str | Path] = ()) -> Library:
    """Our own library, those of the environment variable, then those named; refuses what is no folder."""
    ours = _SHIPPED if _SHIPPED.is_dir() else _PACKAGE.parents[1]
    named = [Path(each) for each in os.environ.get(_VARIABLE, "").split(os.pathsep) if each]
    folders = [ours, *named, *map(Path, more)]
    for folder in folders:
        if not folder.is_dir():
            help_ = "A library is a folder with formulas/, models/ or hardware.toml."
            raise refuse("no-library", f"The library `{folder}` is no folder", help=help_)
    return Library(tuple(folders))


def read_text(path: Path, shown: str) -> str:
    """The text of a file, which must be UTF-8 and of a sane size; raises FormulaError."""
    try:
        size = path.stat().st_size
        content = path.read_bytes() if size <= MOST_BYTES else b""
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise refuse("unreadable", f"Cannot read `{shown}`: {reason}") from error
    if size > MOST_BYTES:
        message = f"`{shown}` is {size / 1e6:.0f} MB large; nothing of ours is over {MOST_BYTES // 1_000_000} MB"
        raise refuse("too-large", message, help="Is it the right file?")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise refuse("unreadable", f"`{shown}` is not text in UTF-8", help="Is it the right file?") from error
    if "\0" in text:
        raise refuse("unreadable", f"`{shown}` is not text", help="Is it the right file?")
    return text


def read_toml(path: Path, shown: str) -> Mapping[str, Any]:
    """The contents of a TOML file; raises FormulaError with the place of a slip."""
    text = read_text(path, shown)
    try:
        return _parsed(text)
    except (ValueError, RecursionError) as error:
        message = f"`{shown}` is no valid TOML: {error}"
        raise refuse("bad-toml", message, help="Texts stand in quotes, flags are true or false.") from error


@lru_cache(maxsize=256)
def _parsed(text: str) -> Mapping[str, Any]:
    """What a TOML text says; nobody changes it, so that a file that is asked for again is parsed once."""
    return tomllib.loads(text)


@lru_cache(maxsize=8)
def _units(text: str) -> UnitTable:
    """The units that a TOML text says; the same text gives the same table."""
    return unit_table(_parsed(text))
