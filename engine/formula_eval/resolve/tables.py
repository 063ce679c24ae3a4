"""Reads the rows and columns of a table from its declaration, and finds what is wrong with them."""

from formula_eval.core import declaration as d, expression as e
from formula_eval.resolve.kinds import known_kinds
from formula_eval.resolve.scope import Scope, Symbol
from formula_eval.resolve.table_loops import is_bounded

MOST_ROWS = 64


def row_names(table: d.TableDeclaration) -> tuple[str, ...]:
    """The rows of a table: its own, or `1`, `2`, ... for those that a record fills."""
    return tuple(row.name for row in table.rows) or tuple(str(n + 1) for n in range(min(table.at_most, MOST_ROWS)))


def always_filled(table: d.TableDeclaration) -> frozenset[str]:
    """The rows that stand whatever the inputs are; of a table from records, the first ones."""
    if is_bounded(table):
        return frozenset()
    return frozenset(row_names(table)[: table.at_least] if table.supplier else row_names(table))


def columns_of(symbol: Symbol) -> dict[str, d.ColumnDeclaration]:
    """The columns of a table by name."""
    return {column.name: column for column in symbol.table.columns}


def check_table(scope: Scope, symbol: Symbol, table: d.TableDeclaration) -> None:
    """Find where its rows come from twice or not at all, and cells that are missing or too many."""
    if table.supplier and table.rows:
        message = f"The table `{table.name}` takes its rows from records and cannot have rows of its own"
        scope.find("table-rows", message, table.rows[0].span, help="Drop `from`, or the rows.")
    if table.supplier and table.supplier not in (*scope.kinds, "scenario"):
        message = f"No records supply `{table.supplier}`"
        scope.find("unknown-supplier", message, table.span, help=known_kinds(scope, table.supplier, "Rows", "scenario"))
    if table.supplier and not 1 <= table.at_most <= MOST_ROWS:
        message = f"The table `{table.name}` takes {table.at_most} rows from a record"
        scope.find("table-rows", message, table.span, help=f"Write `at most` a number from 1 to {MOST_ROWS}.")
    elif table.at_least > table.at_most:
        message = f"The table `{table.name}` takes at least {table.at_least} rows, but at most {table.at_most}"
        scope.find("table-rows", message, table.span, help="The smaller number comes first.")
    if not table.columns and not table.like:
        scope.find("no-columns", f"The table `{table.name}` has no columns", table.span, help="Add `name: unit`.")
    for column in table.columns:
        if not symbol.homes[column.name].inherited:
            _check_column(scope, table, column)
    if table.indices:
        _check_sequence(scope, table)
        return
    for row in table.rows:
        _check_row(scope, table, row)


def _check_sequence(scope: Scope, table: d.TableDeclaration) -> None:
    loop = table.loops[0]
    for column in table.columns:
        if column.expression is None and column.name not in table.indices and table.file is None:
            message = f"`{column.name}` says nothing of the rows of `{table.name}`"
            help_ = (
                f"Write `{column.name} = ...` in terms of `{loop.variable}`, or of the row before: `previous.x else 0`."
            )
            scope.find("missing-cell", message, column.span, (loop.span, "its rows"), help=help_)


def _check_column(scope: Scope, table: d.TableDeclaration, column: d.ColumnDeclaration) -> None:
    if column.supplier and column.supplier != table.supplier:
        rows = f"come from `{table.supplier}`" if table.supplier else "stand beneath it"
        message = f"The column `{column.name}` comes from `{column.supplier}`, but the rows of `{table.name}` {rows}"
        help_ = f"Write `from {table.supplier}`." if table.supplier else "Drop `from`: every row states its own cells."
        scope.find("column-supplier", message, column.span, (table.span, "the table"), help=help_)
    elif table.at_least and column.expression is None and column.default is None:
        message = f"`{column.name}` needs a default: the first row of `{table.name}` exists even if nobody gives it"
        help_ = f"Write `{column.name} = default from {table.supplier}`, or drop `at least`."
        scope.find("no-default", message, column.span, (table.span, f"at least {table.at_least}"), help=help_)


def _check_row(scope: Scope, table: d.TableDeclaration, row: d.RowDeclaration) -> None:
    columns = {column.name: column for column in table.columns}
    given: dict[str, e.Expression] = {}
    for name, cell in row.cells:
        if name not in columns:
            help_ = scope.nearest(name, columns) or f"Its columns are {', '.join(f'`{column}`' for column in columns)}."
            scope.find("unknown-column", f"The table `{table.name}` has no column `{name}`", cell.span, help=help_)
        if name in given:
            message = f"The cell `{row.name}.{name}` is given twice"
            scope.find("declared-twice", message, cell.span, (given[name].span, "here first"), help="Keep one of them.")
        given[name] = cell
    missing = [name for name in columns if name not in given and not _is_computed(columns[name], table, row)]
    if missing and given.keys() <= columns.keys():
        listed = ", ".join(f"`{each}`" for each in missing)
        message = f"The row `{row.name}` lacks {listed}"
        help_ = f"Write `{missing[0]} = ...` beneath it, and 0 where it has none."
        if table.rows_of is None or row.name not in table.taken:
            scope.find("missing-cell", message, row.span, help=help_)
            return
        message = f"The row `{row.name}` of `{table.name}` lacks {listed}"
        help_ = f"Write `row {row.name}` there, and beneath it `{missing[0]} = ...`, 0 where it has none."
        scope.find("missing-cell", message, table.rows_of.span, (row.span, "the row"), help=help_)


def _is_computed(column: d.ColumnDeclaration, table: d.TableDeclaration, row: d.RowDeclaration) -> bool:
    """Whether a column gives a row its cell: one that reads the other table, in rows that this has, or with `else`."""
    if column.expression is None:
        return False
    if table.rows_of is None or row.name in table.taken or isinstance(column.expression, e.Recurrence):
        return True
    return not _reads(column.expression, table.rows_of.row)


def _reads(expression: e.Expression, row: str) -> bool:
    return any(isinstance(part, e.Name) and part.path[0] == row for part in e.walk(expression))
