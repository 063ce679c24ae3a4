"""Splits a formula that is too long for a cell: addresses for names, and a sum or an extreme in parts."""

from collections.abc import Iterator
from dataclasses import replace

from formula_eval.ask.workbook.naming import CALC, CellRange
from formula_eval.core import expression as e
from formula_eval.core.graph import Node
from formula_eval.evaluate.subexpression import value_of
from formula_eval.export.workbook.formula_lint import MOST_CHARACTERS
from formula_eval.export.workbook.sheet import Sheet
from formula_eval.export.workbook.workbook_context import Book

_PART = "the result so far"
_ROOM = 500
_OVER_TERMS = ("sum", "min", "max")


def cell_formula(book: Book, sheet: Sheet, node: Node, beside: int) -> str:
    """The formula of a node for its cell of Calc; what does not fit goes to columns from `beside` on."""
    text = book.formula(node, CALC)
    if len(text) <= MOST_CHARACTERS or node.expression is None:
        return text
    local = {name: book.naming.places[name].address(CALC) for name in e.references(node.expression)}
    text = book.formula(node, CALC, local)
    if len(text) <= MOST_CHARACTERS or node.guard is not None:
        return text
    row = book.naming.places[node.name].row
    numbers = dict(book.document.numbers)
    for column, part in enumerate(_parts(node.expression, len(text)), beside):
        text = book.formula(replace(node, expression=part), CALC, local)
        if part.arguments[-1] is _terms(node.expression)[-1]:
            break
        numbers[_PART] = value_of(part, numbers, {})
        local[_PART] = CellRange(CALC, row, column).address(CALC)
        sheet.formula(row, column, text, numbers[_PART], "note")
    return text


def _terms(x: e.Expression) -> tuple[e.Expression, ...]:
    return x.arguments if isinstance(x, e.Call) and x.function in _OVER_TERMS else (x,)


def _parts(x: e.Expression, length: int) -> Iterator[e.Call]:
    """A long sum, or the least or the most of many, as several that go on where the one before ended, left to right."""
    function = x.function if isinstance(x, e.Call) and x.function in _OVER_TERMS else "sum"
    terms = _terms(x)
    size = max(1, len(terms) * (MOST_CHARACTERS - _ROOM) // length)
    for start in range(0, len(terms), size):
        before = (e.Reference(_PART),) if start else ()
        yield e.Call(function, (*before, *terms[start : start + size]))
