"""Describes a CSV file from which a table takes the cells of its open columns."""

from dataclasses import dataclass, field
from typing import NamedTuple

from formula_eval.core.span import NOWHERE, Span


class DataCell(NamedTuple):
    """The text of a cell of a CSV file, and where it begins, counted from 1."""

    text: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class DataFile:
    """`from weather.csv`: the file that gives the cells of open columns, a line for each row behind its head.

    Attributes:
        path: as written, from the folder of the chapter.
        span: where it is written.
        shown: what messages call it; empty until it is read.
        lines: its lines, the head first; none if it could not be read.

    """

    path: str
    span: Span = field(default=NOWHERE, compare=False)
    shown: str = ""
    lines: tuple[tuple[DataCell, ...], ...] = ()

    def place(self, cell: DataCell) -> Span:
        """Where a cell stands."""
        return Span(self.shown, cell.line, cell.column, cell.line, cell.column + max(len(cell.text), 1))
