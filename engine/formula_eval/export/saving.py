"""Text to a file, which is there as a whole or not at all."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from formula_eval.core.diagnostic import refuse


def save(name: str | Path, text: str) -> None:
    """Write beside the file, then rename; raises FormulaError if that fails."""
    path = Path(name)
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
        Path(temporary).chmod(mode)
        Path(temporary).replace(path)
    except OSError as error:
        with suppress(OSError):
            if temporary:
                Path(temporary).unlink()
        reason = (error.strerror or str(error)).lower()
        raise refuse("unwritable", f"Cannot write `{name}`: {reason}") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
