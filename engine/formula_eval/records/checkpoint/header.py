"""Reads the beginning of a binary file in order, never beyond its end."""

from collections.abc import Iterator
from contextlib import contextmanager
from os import SEEK_CUR
from pathlib import Path
from typing import BinaryIO

from formula_eval.core.diagnostic import refuse
from formula_eval.records.checkpoint.tensor import bad_header

LONGEST_HEADER = 100_000_000


class Header:
    """A file that is read from its first byte on; all numbers are little-endian."""

    def __init__(self, file: BinaryIO, size: int, shown: str) -> None:
        """Read `file`, of so many bytes; messages call it `shown`."""
        self.shown = shown
        self._file = file
        self.size = self.left = size
        self._weights = 0

    @property
    def read(self) -> int:
        """How many bytes were read."""
        return self.size - self.left

    def take(self, count: int) -> bytes:
        """The next bytes; raises FormulaError where the file has fewer."""
        self._count(count)
        found = self._file.read(count)
        if len(found) != count:
            raise bad_header(self.shown, "the file became shorter while it was read")
        return found

    def skip(self, count: int) -> None:
        """Pass over the next bytes without reading them; raises FormulaError where the file has fewer."""
        self._count(count)
        self._file.seek(count, SEEK_CUR)

    def pass_weights(self, count: int) -> None:
        """Pass over bytes that are weights, which may be more than any header has."""
        self._refuse_beyond(count)
        self._file.seek(count, SEEK_CUR)
        self.left -= count
        self._weights += count

    def whole(self, size: int) -> int:
        """The next whole number, of so many bytes."""
        return int.from_bytes(self.take(size), "little")

    def _count(self, count: int) -> None:
        if self.read - self._weights + count > LONGEST_HEADER:
            raise bad_header(self.shown, f"it would be longer than {LONGEST_HEADER:,} bytes")
        self._refuse_beyond(count)
        self.left -= count

    def _refuse_beyond(self, count: int) -> None:
        if count > self.left:
            raise bad_header(self.shown, f"it goes on for {count:,} bytes, but the file has only {self.left:,} more")


@contextmanager
def opened(path: Path, shown: str) -> Iterator[Header]:
    """The header of a regular file; raises FormulaError if it cannot be read."""
    try:
        if not path.is_file():
            raise refuse("unreadable", f"Cannot read `{shown}`: it is not there, or no file")
        with path.open("rb") as file:
            yield Header(file, path.stat().st_size, shown)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise refuse("unreadable", f"Cannot read `{shown}`: {reason}") from error
