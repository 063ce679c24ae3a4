"""Type-checks `sum(value for row in table)` and the other comprehensions."""

from dataclasses import replace

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.builtins import OVER_ROWS
from formula_eval.core.type import Choice, Date, Type
from formula_eval.resolve.scope import Symbol
from formula_eval.resolve.tables import row_names
from formula_eval.resolve.typecheck import units
from formula_eval.resolve.typecheck.context import Context
from formula_eval.resolve.typecheck.foreign_functions import foreign_function


def comprehension(context: Context, x: e.Comprehension, _: Type | None) -> units.Typed:
    """`sum(... for row in table)` and its kin."""
    if x.function not in OVER_ROWS:
        known = ", ".join(f"`{each}`" for each in OVER_ROWS)
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
    value = inner.check(x.value)
    condition = inner.check(x.condition) if x.condition is not None else None
    if condition is not None:
        units.is_flag(context.scope, condition)
    if not (value[1] == Date() and x.function != "sum"):
        units.is_quantity(context.scope, value)
    built = replace(x, value=value[0], condition=condition[0] if condition else None, table=e.Name((table.name,)))
    declared = table.declaration
    assert isinstance(declared, d.TableDeclaration)  # noqa: S101 - for the type checker
    if x.function == "last" and (condition is not None or declared.loop is None or not declared.loop.is_sequence):
        help_ = f"Name the cell: `{table.name}.row.column`."
        context.scope.find("no-sequence", "`last` goes over all rows of a table `for ... in`", x.span, help=help_)
        return units.nothing(x)
    return built, Choice(row_names(declared)) if x.function == "largest" else value[1]


def table_of(context: Context, written: e.Name) -> Symbol | None:
    """The table of a name, which has rows."""
    found = context.lookup(written.path)
    name = ".".join(written.path)
    if found is not None and not found[1] and isinstance(found[0].declaration, d.TableDeclaration):
        if not row_names(found[0].declaration):
            help_ = f"It is a shape for others: `table name like {name}`. Or add `row name` with its cells beneath."
            context.scope.find("no-rows", f"The table `{name}` has no rows", written.span, help=help_)
            return None
        return found[0]
    if found is not None or not context.is_broken(written.path):
        near = context.scope.nearest_declared(name, context.namespace, d.TableDeclaration)
        help_ = near or "A row comes from a table: `sum(row.column for row in some_table)`."
        context.scope.find("unknown-name", f"`{name}` is not a table", written.span, help=help_)
    return None
