"""Comprehensions to one term for each row of their table, and names of a place to what stands there."""

from collections.abc import Callable, Mapping

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.table import FILLED
from formula_eval.printing.text import expression_text
from formula_eval.resolve.scope import Scope
from formula_eval.resolve.tables import always_filled, row_names

MOST_TERMS = 10_000
_NEUTRAL: Mapping[str, e.Expression] = {
    "sum": e.Number("0"),
    "min": e.Infinity(),
    "max": e.Negate(e.Infinity()),
    "largest": e.Negate(e.Infinity()),
}


def fill(expression: e.Expression, places: Mapping[str, e.Expression]) -> e.Expression:
    """The expression with the names of its place (they begin with a dot) replaced."""

    def change(x: e.Expression) -> e.Expression:
        if isinstance(x, e.Reference) and x.node[0] == ".":
            return places.get(x.node, x)
        return e.rebuild(x, change)

    return change(expression)


def unrolled(expression: e.Expression, scope: Scope) -> e.Expression:
    """The expression with its comprehensions spelled out."""

    def change(x: e.Expression) -> e.Expression:
        return _terms(x, scope, change) if isinstance(x, e.Comprehension) else e.rebuild(x, change)

    terms = _count(expression, scope)
    if terms > MOST_TERMS:
        message = f"This goes over {terms} combinations of rows"
        help_ = "Make a column of what the inner one computes."
        scope.find("too-large", message, expression.span, help=help_)
        return e.Number("0", span=expression.span)
    return change(expression)


def _count(x: e.Expression, scope: Scope) -> int:
    """How many terms the comprehensions of an expression have together."""
    inner = sum(_count(part, scope) for part in e.children(x))
    return _rows(x, scope)[0] * max(inner, 1) if isinstance(x, e.Comprehension) else inner


def _rows(x: e.Comprehension, scope: Scope) -> tuple[int, d.TableDeclaration]:
    (name,) = x.table.path
    table = scope.symbols[name].declaration
    assert isinstance(table, d.TableDeclaration)  # noqa: S101 - for the type checker
    return len(row_names(table)), table


def _terms(x: e.Comprehension, scope: Scope, change: Callable[[e.Expression], e.Expression]) -> e.Expression:
    (name,) = x.table.path
    _, table = _rows(x, scope)
    columns = [column.name for column in table.columns]
    terms = []
    for row in row_names(table):
        places = {f".{x.row}.{c}": e.Reference(f"{name}.{row}.{c}", f"{row}.{c}") for c in columns}
        term = change(fill(x.value, places))
        if table.supplier and row not in always_filled(table):
            filled = e.Reference(f"{name}.{row}.{FILLED}", f"{row}.{FILLED}")
            term = e.Conditional(term, filled, _NEUTRAL[x.function])
        if x.condition is not None:
            term = e.Conditional(term, change(fill(x.condition, places)), _NEUTRAL[x.function])
        terms.append(term)
    return e.Call(x.function, tuple(terms), expression_text(x), span=x.span)
