"""Reads the header of a file of tensors in order, never beyond its end, and checks the tensors that it states."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from operator import attrgetter
from os import SEEK_CUR
from pathlib import Path
from typing import BinaryIO, NamedTuple

from formula_eval.core.diagnostic import FormulaError, refuse, shortened

LONGEST_HEADER = 100_000_000


class Tensor(NamedTuple):
    """A tensor by its name, its numbers (0 where they are packed and the file does not say how) and its bytes.

    `shape` is that of the numbers, the slowest axis first; none where they are packed or the format turns them.
    """

    name: str
    numbers: int
    start: int
    size: int
    shape: tuple[int, ...] = ()

    @property
    def end(self) -> int:
        """Where its bytes end, counted from the first byte of all tensors."""
        return self.start + self.size


def refuse_overlaps(tensors: Iterable[Tensor], room: int, shown: str) -> None:
    """Refuse tensors that share bytes, or end beyond the `room` that the file has for all of them."""
    before = None
    for tensor in sorted(tensors, key=attrgetter("start", "end")):
        if before is not None and tensor.start < before.end:
            raise bad_header(shown, f"the tensors `{shortened(before.name)}` and `{shortened(tensor.name)}` overlap")
        before = tensor
        if tensor.end > room:
            message = (
                f"`{shown}` ends before its tensor `{shortened(tensor.name)}` does: {room:,} of {tensor.end:,} bytes"
            )
            raise refuse("short-file", message, help="Was it downloaded to the end?")


def bad_header(shown: str, what: str) -> FormulaError:
    """The error for a file whose header is wrong."""
    return refuse("bad-header", f"The header of `{shown}` is damaged: {what}", help="Download the file again.")


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
