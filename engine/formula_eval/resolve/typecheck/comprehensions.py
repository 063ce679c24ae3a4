"""Type-checks `sum(value for row in table)` and the others over rows, and says some of them by others."""

from collections.abc import Mapping
from dataclasses import replace

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.builtins import OVER_ROWS
from formula_eval.core.type import Choice, Date, Quantity, Type
from formula_eval.resolve.scope import Symbol
from formula_eval.resolve.tables import row_names
from formula_eval.resolve.typecheck import units
from formula_eval.resolve.typecheck.context import Context
from formula_eval.resolve.typecheck.foreign_functions import foreign_function

CHOSEN = ("largest", "smallest")  # give a row of the table
FOUND = ("first", "last")  # give the value of one row, which a condition may choose


def comprehension(context: Context, x: e.Comprehension, _: Type | None) -> units.Typed:
    """`sum(... for row in table)` and its kin, but for a row that may not be found."""
    if x.function in FOUND and (x.condition is not None or x.function == "first"):
        help_ = (
            f"Write `{x.function}(... for {x.row} in {'.'.join(x.table.path)} if condition) else` and what it is then."
        )
        context.scope.find("no-row", f"`{x.function}` may find no row", x.span, help=help_)
        return units.nothing(x)
    return over_rows(context, x)


def over_rows(context: Context, x: e.Comprehension) -> units.Typed:
    """What goes over the rows of a table, its value and its condition checked."""
    if x.function not in OVER_ROWS:
        known = ", ".join(f"`{over_row}`" for over_row in OVER_ROWS)
        help_ = foreign_function(x.function) or f"{known} do."
        context.scope.find("unknown-function", f"`{x.function}` does not go over rows", x.span, help=help_)
        return units.nothing(x)
    table = table_of(context, x.table)
    if table is None:
        return units.nothing(x)
    hidden = context.lookup((x.row,))
    if x.row in context.own or x.row in context.rows or (hidden is not None and hidden[0].namespace):
        message = f"The name of the row `{x.row}` is already taken"
        context.scope.find("hidden-name", message, x.span, help="Give the row a name of its own.")
    inner = context.within(x.row, table)
    value = _value(inner, x)
    condition = inner.check(x.condition) if x.condition is not None else None
    if condition is not None:
        units.is_flag(context.scope, condition)
    if not (value[1] == Date() and x.function != "sum"):
        units.is_quantity(context.scope, value)
    only = condition[0] if condition else None
    built = replace(x, function=_SAID_BY.get(x.function, x.function), value=value[0], condition=only)
    built = replace(built, table=e.Name((table.name,)))
    if x.function == "last" and condition is None and not table.table.indices:
        help_ = f"Name the cell: `{table.name}.row.column`."
        context.scope.find("no-sequence", "`last` goes over all rows of a table `for ... in`", x.span, help=help_)
        return units.nothing(x)
    return built, Choice(row_names(table.table)) if x.function in CHOSEN else value[1]


# What is said by another one, of a value that `_value` gives.
_SAID_BY: Mapping[str, str] = {"count": "sum", "smallest": "largest"}


def _value(inner: Context, x: e.Comprehension) -> units.Typed:
    """What is computed of each row: the smallest is the largest of what is negated, and a row counts 1."""
    value, type_ = inner.check(x.value)
    if x.function == "count":
        holds = units.is_flag(inner.scope, (value, type_))
        return e.Call("one_if", (value,), span=x.span), Quantity(whole=True) if holds else units.Unknown()
    return (e.Negate(value, span=x.span) if x.function == "smallest" else value), type_


def table_of(context: Context, written: e.Name) -> Symbol | None:
    """The table of a name, which has rows."""
    table, name = context.scope.declared(written.path, context.namespace, d.TableDeclaration), ".".join(written.path)
    if table is not None:
        if not row_names(table.table):
            help_ = f"It is a shape for others: `table name like {name}`. Or add `row name` with its cells beneath."
            context.scope.find("no-rows", f"The table `{name}` has no rows", written.span, help=help_)
            return None
        return table
    if context.lookup(written.path) is not None or not context.is_broken(written.path):
        near = context.scope.nearest_declared(name, context.namespace, d.TableDeclaration)
        help_ = near or "A row comes from a table: `sum(row.column for row in some_table)`."
        context.scope.find("unknown-name", f"`{name}` is not a table", written.span, help=help_)
    return None
