"""Writes files atomically: a file appears under its name with all its contents, or not at all."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from formula_eval.core.diagnostic import refuse

_ANYBODY = 0o666


def refuse_existing(target: str | Path) -> None:
    """Raise FormulaError if a file of this name exists; what is not a file is refused when it is written."""
    if os.path.lexists(target) and (Path(target).is_file() or not Path(target).exists()):
        raise refuse("exists", f"`{target}` exists already", help="Name another file, or replace it with --force.")


def write_whole(target: str | Path, contents: str | bytes, *, synced: bool = False) -> None:
    """Write beside the file, then rename; `-` is standard output. Text becomes UTF-8. Raises FormulaError."""
    held = contents.encode("utf-8", "replace") if isinstance(contents, str) else contents
    if str(target) == "-":
        sys.stdout.buffer.write(held)
        sys.stdout.flush()
        return
    with whole_file(target, synced=synced) as file:
        file.write(held)


@contextmanager
def whole_file(target: str | Path, *, synced: bool = False) -> Iterator[IO[bytes]]:
    """A temporary file that takes the name of the target once all of it is written. Raises FormulaError.

    A `synced` one survives a power cut.
    """
    temporary = ""
    try:
        path = _replaceable(target)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
        with os.fdopen(handle, "wb") as file:
            yield file
            if synced:
                file.flush()
                os.fsync(file.fileno())
        Path(temporary).chmod(path.stat().st_mode & 0o777 if path.exists() else _ANYBODY & ~_umask())
        if path.is_dir():
            raise IsADirectoryError(21, "is a directory")
        Path(temporary).replace(path)
        if synced:
            _sync_folder(path.parent)
    except (OSError, RuntimeError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise refuse("unwritable", f"Cannot write `{target}`: {reason}") from error
    finally:
        with suppress(OSError):
            if temporary:
                Path(temporary).unlink()


def _sync_folder(folder: Path) -> None:
    """Sync the names in a folder to disk, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _replaceable(target: str | Path) -> Path:
    """The file that a name resolves to, links followed; raises OSError for a device or a pipe."""
    path = Path(target).resolve()
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(0, "a device or pipe is not a file")
    return path


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
