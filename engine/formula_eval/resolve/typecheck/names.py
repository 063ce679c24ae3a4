"""Resolves a name to what it refers to; one that refers to nothing is a finding with the nearest names."""

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.diagnostic import listed, spell_out
from formula_eval.core.type import Choice, Flag, Type
from formula_eval.resolve.scope import Symbol
from formula_eval.resolve.tables import columns_of, row_names
from formula_eval.resolve.typecheck import units
from formula_eval.resolve.typecheck.context import Context
from formula_eval.resolve.typecheck.declared_types import column_type, type_of

_DECLARE = "Declare it as an input or a formula."


def name(context: Context, x: e.Name, expected: Type | None) -> units.Typed:
    """What a name refers to, and its type."""
    word = x.path[0] if len(x.path) == 1 else ""
    if isinstance(expected, Choice) and word in expected.values:
        if context.scope.words is not None:
            context.scope.words.add(x.span)
        return e.ChoiceValue(word, expected.values.index(word), span=x.span), expected
    if word in context.own:
        return _reference(x, f".{word}"), context.own[word]
    if x.path[0] in context.rows:
        return _row_column(context, x)
    if x.path[0] in (d.PREVIOUS, d.ORIGINAL):
        return (_previous if x.path[0] == d.PREVIOUS else _original)(context, x)
    found = context.lookup(x.path)
    if found is None:
        if not (isinstance(expected, units.Unknown) or context.is_broken(x.path)):
            _unknown(context, x, expected)
        return units.nothing(x)
    return _symbol(context, x, *found)


def _reference(x: e.Name, node: str) -> e.Expression:
    return e.Reference(node, ".".join(x.path), span=x.span)


def _unknown(context: Context, x: e.Name, expected: Type | None) -> None:
    name = ".".join(x.path)
    scope = context.scope
    if isinstance(expected, Choice):
        message = f"`{name}` is not a word of {units.described(context.scope, expected)}"
        scope.find(
            "unknown-word",
            message,
            x.span,
            help=f"{_sentence(context.scope.nearest(name, expected.values))}Its words are {listed(expected.values)}.",
        )
    elif name in scope.units.units:
        help_ = f"`{name}` is a unit: write `1 {name}`, and a compound unit in parentheses: `(1 byte/s)`."
        scope.find("unknown-name", f"Unknown name `{name}`", x.span, help=help_)
    elif name in scope.namespaces:
        inside = scope.inside(name)
        help_ = f"It holds {', '.join(f'`{each}`' for each in inside[:3])}." if inside else ""
        scope.find("unknown-name", f"`{name}` is a folder, not a quantity", x.span, help=help_)
    else:
        scope.find("unknown-name", f"Unknown name `{name}`", x.span, help=_advice(context, x))


def _sentence(text: str) -> str:
    return f"{text} " if text else ""


def _advice(context: Context, x: e.Name) -> str:
    if context.scope.advice_exhausted:
        return context.undeclared(x.path[-1], _DECLARE)
    name, last = ".".join(x.path), x.path[-1]
    if elsewhere := spell_out(context.scope.ending(last)):
        return elsewhere
    words = [choice.name for choice in context.scope.choices.values() if name in choice.values]
    if words:
        meant = f"`{name}` is a word of the choice `{words[0]}`; a word stands only where that choice is meant"
        return f"{meant}, as in `input x: {words[0].rpartition('.')[2]} = {name}`."
    known = [*context.own, *(f"{row}.{column}" for row, table in context.rows.items() for column in columns_of(table))]
    near = context.scope.nearest(name, dict.fromkeys([*known, "original", *context.scope.visible(context.namespace)]))
    return near or context.undeclared(last, _DECLARE)


def _symbol(context: Context, x: e.Name, symbol: Symbol, rest: tuple[str, ...]) -> units.Typed:
    name, declared = ".".join(x.path), symbol.declaration
    if isinstance(declared, d.TableDeclaration):
        return _cell(context, x, symbol, rest)
    if rest and isinstance(declared, d.PartDeclaration):
        _no_quantity(context, x, symbol, ".".join(rest))
    elif rest:
        message = f"`{symbol.name}` has no parts, so `{name}` is nothing"
        context.scope.find("unknown-name", message, x.span, help="Only tables have parts: `table.row.column`.")
    elif isinstance(declared, d.FunctionDeclaration):
        inside = ", ".join(parameter.name for parameter in declared.parameters)
        context.scope.find("function-name", f"`{name}` is a function", x.span, help=f"Call it: `{name}({inside})`.")
    elif isinstance(declared, d.PartDeclaration):
        folder = ".".join(declared.folder.path)
        first = next(iter(context.scope.inside(folder)), "").removeprefix(f"{folder}.")
        help_ = f"Name one of its quantities: `{name}.{first or 'quantity'}`."
        context.scope.find("part-name", f"`{name}` is a part, not a quantity", x.span, help=help_)
    elif isinstance(declared, d.SituationDeclaration):
        help_ = f"Write the formula that it is for: `(some_formula with {name})`."
        context.scope.find("situation-name", f"`{name}` is a situation, not a quantity", x.span, help=help_)
    elif isinstance(declared, d.InputDeclaration | d.FormulaDeclaration):
        type_, _ = type_of(declared.type, context.scope.silent(), symbol.namespace)
        total = context.scope.totals.get(symbol.name)
        if total is not None:
            context.scope.redirected[x.span] = total
            return e.Reference(total, total, span=x.span), type_
        return _reference(x, symbol.name), type_
    elif isinstance(declared, d.CheckDeclaration):
        return _reference(x, symbol.name), Flag()
    else:
        raise TypeError(f"names.py lacks a case for a {declared.kind}")
    return units.nothing(x)


def _no_quantity(context: Context, x: e.Name, part: Symbol, name: str) -> None:
    if context.is_broken(x.path):
        return
    assert isinstance(part.declaration, d.PartDeclaration)  # noqa: S101 - for the type checker
    folder = ".".join(part.declaration.folder.path)
    near = context.scope.nearest(name, [each.removeprefix(f"{folder}.") for each in context.scope.inside(folder)])
    message = f"The part `{part.name}` has no `{name}`"
    context.scope.find("unknown-name", message, x.span, help=near or f"It has what stands in `{folder}`.")


def _cell(context: Context, x: e.Name, symbol: Symbol, rest: tuple[str, ...]) -> units.Typed:
    table, find = symbol.table, context.scope.find
    rows, columns = row_names(table), columns_of(symbol)
    if len(rest) != 2:  # noqa: PLR2004 - row.column
        help_ = f"A cell is `{symbol.name}.row.column`; `sum(row.column for row in {symbol.name})` reads them all."
        find("table-name", f"`{'.'.join(x.path)}` is a table or a row of one", x.span, help=help_)
    elif rest[0] not in rows:
        is_name = rest[0] in context.own or context.lookup((rest[0],)) is not None
        looked_up = f"A row is looked up by `{'.'.join(x.path[:-2])}[{rest[0]}].{rest[1]}`. " if is_name else ""
        help_ = f"{looked_up}{_near(context, rest[0], rows, 'rows')}"
        find("unknown-name", f"`{symbol.name}` has no row `{rest[0]}`", x.span, help=help_)
    elif rest[1] not in columns:
        _no_column(context, x, symbol, rest[1])
    else:
        return _reference(x, f"{symbol.name}.{rest[0]}.{rest[1]}"), _column_type(context, symbol, rest[1])
    return units.nothing(x)


def _no_column(context: Context, x: e.Name, symbol: Symbol, column: str) -> None:
    help_ = _near(context, column, tuple(columns_of(symbol)), "columns")
    context.scope.find("unknown-name", f"`{symbol.name}` has no column `{column}`", x.span, help=help_)


def _near(context: Context, word: str, known: tuple[str, ...], kind: str) -> str:
    return context.scope.nearest(word, known) or f"Its {kind} are {', '.join(f'`{each}`' for each in known[:8])}."


def _row_column(context: Context, x: e.Name) -> units.Typed:
    row, *rest = x.path
    symbol = context.rows[row]
    if len(rest) != 1:
        help_ = f"Name a column of it: `{row}.{next(iter(columns_of(symbol)))}`."
        context.scope.find("table-name", f"`{'.'.join(x.path)}` is a whole row", x.span, help=help_)
    elif rest[0] not in columns_of(symbol):
        _no_column(context, x, symbol, rest[0])
    else:
        return _reference(x, f".{row}.{rest[0]}"), _column_type(context, symbol, rest[0])
    return units.nothing(x)


def _column_type(context: Context, symbol: Symbol, column: str) -> Type:
    return column_type(symbol, columns_of(symbol)[column], context.scope.silent())[0]


def _original(context: Context, x: e.Name) -> units.Typed:
    """The formula that this one replaces."""
    node = context.scope.originals.get(x.span)
    if node is not None:
        return _symbol(context, x, context.scope.symbols[node], x.path[1:])
    help_ = "It stands in `replace name = max(original, limit)`, and is the formula that stood there."
    context.scope.find("no-original", "Nothing is replaced here, so `original` is nothing", x.span, help=help_)
    return units.nothing(x)


def _previous(context: Context, x: e.Name) -> units.Typed:
    """A column of the row before."""
    name, column = ".".join(x.path), x.path[-1]
    if not context.sequence:
        help_ = "It stands in a column of a table `for month in 1 .. 12`: `open = previous.close else loan`."
        context.scope.find("no-sequence", f"No row comes before, so `{name}` is nothing", x.span, help=help_)
    elif len(x.path) != 2:  # noqa: PLR2004 - previous.column
        context.scope.find(
            "table-name", f"`{name}` is not a column", x.span, help="Write `previous.column else first`."
        )
    elif not context.before:
        help_ = f"Say what the first row has: `{name} else 0`."
        context.scope.find("no-first", f"The first row has no `{name}`", x.span, help=help_)
    elif column not in context.own:
        help_ = _near(context, column, tuple(context.own), "columns")
        context.scope.find("unknown-name", f"This table has no column `{column}`", x.span, help=help_)
    else:
        return _reference(x, f".{name}"), context.own[column]
    return units.nothing(x)
