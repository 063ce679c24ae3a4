"""A table's declaration to its rows and columns."""

from formula_eval.core import declaration as d
from formula_eval.resolve.scope import Symbol

FILLED = "filled"
MOST_ROWS = 64


def row_names(table: d.TableDeclaration) -> tuple[str, ...]:
    """The rows of a table: its own, or `1`, `2`, ... for those that a record fills."""
    return tuple(row.name for row in table.rows) or tuple(str(n + 1) for n in range(min(table.at_most, MOST_ROWS)))


def always_filled(table: d.TableDeclaration) -> frozenset[str]:
    """The first rows of a table from records, which stand even where no record gives any."""
    return frozenset(row_names(table)[: table.at_least])


def columns_of(symbol: Symbol) -> dict[str, d.ColumnDeclaration]:
    """The columns of a table by name."""
    table = symbol.declaration
    assert isinstance(table, d.TableDeclaration)  # noqa: S101 - for the type checker
    return {column.name: column for column in table.columns}
