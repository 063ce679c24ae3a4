"""Locks a folder for one process at a time, by a lock on a file in it that ends with the process."""

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from formula_eval.core.diagnostic import refuse

LOCK = "lock"


class FolderLock:
    """A lock on a folder, held by one process until `release` or its own end."""

    def __init__(self, folder: Path) -> None:
        """Make the folder, if it is not there, and lock it; raises FormulaError where another process has done so."""
        self._handle = -1
        path = folder / LOCK
        try:
            while not _is_at(self._handle, path):  # the process that had it may be removing the folder
                self.release()
                folder.mkdir(exist_ok=True)
                self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
                _lock(self._handle)
        except BlockingIOError as error:
            self.release()
            message = f"Another process is writing `{folder}`"
            raise refuse("locked", message, help="Wait until it has ended, or name another file.") from error
        except OSError as error:
            self.release()
            reason = (error.strerror or str(error)).lower()
            raise refuse("unwritable", f"Cannot write `{folder}`: {reason}") from error

    def release(self) -> None:
        """Leave the folder to others."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def __del__(self) -> None:
        """Release the folder when nothing refers to the lock any more."""
        self.release()


def _is_at(handle: int, path: Path) -> bool:
    """Whether an open file is still the one of this name."""
    with suppress(FileNotFoundError):
        return handle >= 0 and os.path.samestat(os.fstat(handle), path.stat())
    return False


def _lock(handle: int) -> None:
    """Lock an open file; raises BlockingIOError where another process has. Not every disk knows locks."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError:
        return
