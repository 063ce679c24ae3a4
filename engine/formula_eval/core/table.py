"""Describes the shape of a table and the place of a cell in it, as plain data that a cache can hold."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

# The column of a table from records that says whether a row is there.
FILLED = "filled"
# What stands for the rows of a long sequence that are not shown, and how many are shown above them.
LEFT_OUT = "..."
_MOST_SHOWN, _FIRST = 24, 3
_Row = TypeVar("_Row")


class Cell(NamedTuple):
    """Where a cell stands; its name is `table.row.column`."""

    table: str
    row: str
    column: str

    @property
    def is_numbered(self) -> bool:
        """Whether its row has no name of its own: the rows that records fill are `1`, `2`, ..."""
        return self.row.replace("x", "").isdigit()

    def beside(self, column: str, record: str = "") -> str:
        """The name of the node of another cell in this row; the rows of another record stand under its name."""
        name = f"{self.table}.{self.row}.{column}"
        return f"{record}.{name}" if record else name


class TableShape(NamedTuple):
    """The rows and columns of a table, who supplies the rows if its author does not, and the tables that it is like.

    The rows of a sequence follow each other along its `indices`, so that a reader misses little where those in the
    middle are left out.
    """

    name: str  # qualified, as the names of its cells begin
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    supplier: str = ""  # a kind of records, or `scenario`; empty for none
    like: tuple[str, ...] = ()
    indices: tuple[str, ...] = ()  # columns

    @property
    def sequence(self) -> bool:
        """Whether its rows go through values of indices."""
        return bool(self.indices)

    @property
    def is_long(self) -> bool:
        """Whether it is a sequence whose middle a reader need not see."""
        return self.sequence and len(self.rows) > _MOST_SHOWN

    def beside_names(self, columns: Collection[str], numbers: Mapping[str, float]) -> list[str]:
        """Those of its columns that say more than the names of its rows: without an index by whose values they go."""
        held = [column for column in self.columns if column in columns]
        telling = [name for name in held if self.indices != (name,) or not self._are_named_by(name, numbers)]
        return telling or held

    def _are_named_by(self, column: str, numbers: Mapping[str, float]) -> bool:
        there = (row for row in self.rows if numbers.get(self.cell(row, FILLED)) != 0)
        return all(numbers.get(self.cell(row, column), float(row)) == float(row) for row in there)

    def cell(self, row: str, column: str) -> str:
        """The name of the node of a cell."""
        return f"{self.name}.{row}.{column}"

    def cells(self) -> Iterator[str]:
        """The names of the nodes of all cells, row by row."""
        return (self.cell(row, column) for row in self.rows for column in self.columns)

    def column(self, column: str) -> Iterator[str]:
        """The names of the nodes of a column, from the first row to the last."""
        return (self.cell(row, column) for row in self.rows)


def elided(rows: Sequence[_Row], between: _Row) -> list[_Row]:
    """The rows of a sequence, shortened for a reader: of many, the first ones, `between` for the middle, the last."""
    return [*rows] if len(rows) <= _MOST_SHOWN else [*rows[:_FIRST], between, rows[-1]]
