"""Expands comprehensions into one term for each row of their table, and fills in the names of a row or a call."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.table import FILLED
from formula_eval.printing.text import expression_text
from formula_eval.resolve.row_conditions import known_of_row
from formula_eval.resolve.scope import Scope
from formula_eval.resolve.table_loops import is_bounded, rows_after
from formula_eval.resolve.tables import always_filled, row_names

MOST_TERMS = 50_000
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
    table = scope.symbols[name].table
    return len(row_names(table)), table


def _terms(x: e.Comprehension, scope: Scope, change: Callable[[e.Expression], e.Expression]) -> e.Expression:
    (name,) = x.table.path
    _, table = _rows(x, scope)
    columns = [column.name for column in table.columns]
    always = always_filled(table)
    if x.function == "last" and x.condition is None:
        return _last(x, name, table, change)
    if x.function in ("first", "last"):
        return _found(x, name, table, change)
    terms = []
    for row in row_names(table):
        holds = None if x.condition is None else known_of_row(scope, name, row, x.row, x.condition)
        if holds is False and x.function == "sum":
            continue
        places = cells_of_row(x.row, name, row, columns)
        term = change(fill(x.value, places))
        if row not in always and not (x.function == "sum" and is_bounded(table) and _is_cell(x.value)):
            term = e.Conditional(term, _filled(name, row), _NEUTRAL[x.function])
        if x.condition is not None and not holds:
            term = e.Conditional(term, change(fill(x.condition, places)), _NEUTRAL[x.function])
        terms.append(term)
    if not terms:
        return e.Number("0", span=x.span)
    return e.Call(x.function, tuple(terms), expression_text(x), span=x.span)


def _is_cell(x: e.Expression) -> bool:
    """Whether a term is a cell of the row itself, which counts 0 where the row is not there."""
    return isinstance(x, e.Reference) and x.node[0] == "."


def cells_of_row(word: str, table: str, row: str, columns: Iterable[str]) -> dict[str, e.Expression]:
    """What the columns of the row that a word goes through are in one row."""
    return {f".{word}.{column}": e.Reference(f"{table}.{row}.{column}", f"{row}.{column}") for column in columns}


def _filled(table: str, row: str) -> e.Reference:
    return e.Reference(f"{table}.{row}.{FILLED}", f"{row}.{FILLED}")


def _last(
    x: e.Comprehension, name: str, table: d.TableDeclaration, change: Callable[[e.Expression], e.Expression]
) -> e.Expression:
    """The term of the last row; where inputs say which that is, a sum in which only that row counts."""
    columns = [column.name for column in table.columns]
    if not is_bounded(table):
        term = change(fill(x.value, cells_of_row(x.row, name, table.rows[-1].name, columns)))
        return replace(term, written=expression_text(x)) if isinstance(term, e.Reference) else term
    parts = []
    for row, after in rows_after(table):
        term = change(fill(x.value, cells_of_row(x.row, name, row, columns)))
        there: e.Expression = _filled(name, row)
        for each in after:
            there = e.Logical("and", there, e.Not(_filled(name, each)))
        parts.append(e.Conditional(term, there, e.Number("0")))
    return e.Call("sum", tuple(parts), expression_text(x), span=x.span)


def _found(
    x: e.Comprehension, name: str, table: d.TableDeclaration, change: Callable[[e.Expression], e.Expression]
) -> e.Expression:
    """The term of the first or last row that fulfils the condition, if one does: of one half if any there does."""
    columns, always = [column.name for column in table.columns], always_filled(table)
    assert x.condition is not None  # noqa: S101 - else there is nothing to look for
    rows = []
    for row in row_names(table):
        places = cells_of_row(x.row, name, row, columns)
        holds = change(fill(x.condition, places))
        if row not in always:
            holds = e.Logical("and", _filled(name, row), holds)
        rows.append((change(fill(x.value, places)), holds))
    return _searched(rows if x.function == "first" else rows[::-1], x)


def _searched(rows: list[tuple[e.Expression, e.Expression]], x: e.Comprehension) -> e.Expression:
    if len(rows) == 1:
        return rows[0][0]
    near, far = rows[: len(rows) // 2], rows[len(rows) // 2 :]
    counted = e.Call("sum", tuple(e.Call("one_if", (holds,)) for _, holds in near))
    some = near[0][1] if len(near) == 1 else e.Compare(">", counted, e.Number("0"))
    return e.Conditional(_searched(near, x), some, _searched(far, x), span=x.span)
