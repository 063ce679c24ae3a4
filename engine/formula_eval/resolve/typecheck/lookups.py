"""Type-checks `table[row].column`, and lowers it to a `match` over the rows of the table."""

from formula_eval.core import expression as e
from formula_eval.core.diagnostic import listed
from formula_eval.core.type import Choice, Type
from formula_eval.printing.text import expression_text
from formula_eval.resolve.scope import Symbol
from formula_eval.resolve.tables import columns_of, row_names
from formula_eval.resolve.typecheck import units
from formula_eval.resolve.typecheck.comprehensions import table_of
from formula_eval.resolve.typecheck.context import Context
from formula_eval.resolve.typecheck.declared_types import column_type


def lookup(context: Context, x: e.Lookup, _: Type | None) -> units.Typed:
    """The cell of the row that the word of a choice names, of a choice between the rows of the table."""
    table = table_of(context, x.table)
    if table is None:
        return units.nothing(x)
    declared, known = table.table, columns_of(table)
    rows = row_names(declared)
    if x.column not in known:
        help_ = context.scope.nearest(x.column, known) or f"Its columns are {', '.join(f'`{name}`' for name in known)}."
        context.scope.find("unknown-name", f"`{table.name}` has no column `{x.column}`", x.span, help=help_)
        return units.nothing(x)
    row, type_ = context.check(x.row, Choice(rows, table.name))
    if isinstance(type_, units.Unknown):
        return units.nothing(x)
    if not isinstance(type_, Choice) or {*type_.values} != {*rows}:
        message = f"A row of `{table.name}` is looked up, and this is {units.described(context.scope, type_)}"
        if isinstance(type_, Choice) and any(loop.variable == type_.name.rpartition(".")[2] for loop in declared.loops):
            return units.nothing(x)  # its rows are not the words of its choice, which is told there
        hidden, help_ = _hidden(context, x.row), ""
        if hidden:
            help_ = f"`{hidden}` is another column or parameter here: give that another name. "
        if isinstance(x.row, e.Number):
            help_ = f"The cell of one row is written `{'.'.join(x.table.path)}.{x.row.text}.{x.column}`. "
        context.scope.find("no-row", message, x.row.span, help=f"{help_}Its rows are {listed(rows, 8)}.")
        return units.nothing(x)
    return _cell(x, table, row, type_), column_type(table, known[x.column], context.scope.silent())[0]


def _hidden(context: Context, row: e.Expression) -> str:
    """The name that a row is looked up by, where it means something of the place itself that hides an input."""
    name = row.path[0] if isinstance(row, e.Name) and len(row.path) == 1 else ""
    return name if name in context.own and context.lookup((name,)) else ""


def _cell(x: e.Lookup, table: Symbol, row: e.Expression, choice: Choice) -> e.Expression:
    if isinstance(row, e.ChoiceValue):
        return e.Reference(f"{table.name}.{row.word}.{x.column}", expression_text(x), span=x.span)
    arms = []
    for index, word in enumerate(choice.values):
        cell = e.Reference(f"{table.name}.{word}.{x.column}", f"{'.'.join(x.table.path)}.{word}.{x.column}")
        arms.append(e.Arm((e.ChoiceValue(word, index),), cell, span=x.span))
    return e.Match(row, tuple(arms), span=x.span)
