"""Reads text and TOML files, and caches them until the file on disk changes."""

import marshal
import os
import sys
import time
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from formula_eval.cache import NOWHERE, Cache, of_kind
from formula_eval.core.diagnostic import refuse
from formula_eval.file_hash import text_hash

MOST_BYTES = 1_000_000
_DEVICES = (("dev",), ("proc",))
_SETTLED = 2_000_000_000  # nanoseconds


def is_settled(written: int) -> bool:
    """Whether a time, in nanoseconds, is so long ago that the clock would tell a later one from it."""
    return time.time_ns() - written >= _SETTLED


def refuse_pipe(path: Path, shown: str) -> None:
    """Refuse a pipe, which may never end, unless it is one that a shell gives."""
    if path.is_fifo() and path.parts[1:2] not in _DEVICES:
        raise refuse("unreadable", f"Cannot read `{shown}`: it is a pipe", help="Give a file.")


def is_there(path: Path) -> bool:
    """Whether a file is there, or a pipe, which whoever reads it refuses."""
    return path.is_file() or path.is_fifo()


def read_text(path: Path, shown: str) -> str:
    """The text of a file, which must be UTF-8 and of a sane size; raises FormulaError."""
    refuse_pipe(path, shown)
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)  # whatever the disk says of its size: a pipe or a device has none
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise refuse("unreadable", f"Cannot read `{shown}`: {reason}") from error
    if len(content) > MOST_BYTES:
        message = f"`{shown}` is larger than {MOST_BYTES // 1_000_000} MB, the most that is read"
        raise refuse("too-large", message, help="Is it the right file?")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise refuse(
            "unreadable", f"`{shown}` is not text in UTF-8", help="Is it the right file, saved as UTF-8?"
        ) from error
    if "\0" in text:
        raise refuse("unreadable", f"`{shown}` is not text", help="Is it the right file?")
    return text


def read_toml(path: Path, shown: str, kept: Cache = NOWHERE) -> Mapping[str, Any]:
    """The contents of a TOML file, dates as text; nobody changes them. Raises FormulaError with the place of a slip."""
    try:
        seen = stamp_of(path)
    except OSError:
        seen = ()
    return _unchanged(path, shown, kept, seen) if seen else _read(path, shown, kept)


def stamp_of(path: str | Path) -> tuple[int, ...]:
    """What the disk says of a file without reading it, which no other file says; raises OSError without one.

    Nothing of a file as young as the clock of a disk may be coarse: it could be written again unseen.
    """
    status = os.stat(path)  # noqa: PTH116 - faster, and there are many
    times = status.st_mtime_ns, status.st_ctime_ns
    return (status.st_dev, status.st_ino, status.st_size, *times) if is_settled(max(times)) else ()


@lru_cache(maxsize=1024)
def _unchanged(path: Path, shown: str, kept: Cache, _seen: tuple[int, ...]) -> Mapping[str, Any]:
    """The contents of a file of which the disk said this."""
    return _read(path, shown, kept)


def _read(path: Path, shown: str, kept: Cache) -> Mapping[str, Any]:
    text = read_text(path, shown)
    try:
        return _parsed(text, kept)
    except (ValueError, RecursionError) as error:
        message = f"`{shown}` is not valid TOML: {error}"
        raise refuse("bad-toml", message, help="Texts stand in quotes, flags are true or false.") from error


@lru_cache(maxsize=256)
def _parsed(text: str, kept: Cache) -> Mapping[str, Any]:
    """What a TOML text says; nobody changes it, so that a file that is asked for again is parsed once."""
    key = f"toml-{text_hash(text)}-{sys.implementation.cache_tag}"
    found: Mapping[str, Any] | None = kept.get_made(key, _table_of)
    if found is None:
        import tomli  # noqa: PLC0415 - most of what the everyday command reads is kept

        found = {name: _plain(value) for name, value in tomli.loads(text).items()}
        kept.put(key, marshal.dumps(found))
    return found


def _table_of(held: bytes) -> Any:  # noqa: ANN401 - as TOML has it
    """The table that an entry is; raises for what is none."""
    return of_kind(marshal.loads(held), dict)  # noqa: S302 - a cache entry of the user's own


def _plain(value: Any) -> Any:  # noqa: ANN401 - whatever TOML holds
    """The same with every date as it is written in ISO 8601."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value if isinstance(value, str | bool | int | float) else value.isoformat()
