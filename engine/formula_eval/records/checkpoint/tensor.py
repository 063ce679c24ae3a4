"""Describes one tensor as the header of a file states it."""

from collections.abc import Iterable
from operator import attrgetter
from typing import NamedTuple

from formula_eval.core.diagnostic import FormulaError, refuse, shortened


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
    for each in sorted(tensors, key=attrgetter("start", "end")):
        if before is not None and each.start < before.end:
            raise bad_header(shown, f"the tensors `{shortened(before.name)}` and `{shortened(each.name)}` overlap")
        before = each
        if each.end > room:
            message = f"`{shown}` ends before its tensor `{shortened(each.name)}` does: {room:,} of {each.end:,} bytes"
            raise refuse("short-file", message, help="Was it downloaded to the end?")


def bad_header(shown: str, what: str) -> FormulaError:
    """The error for a file whose header is wrong."""
    return refuse("bad-header", f"The header of `{shown}` is damaged: {what}", help="Download the file again.")
