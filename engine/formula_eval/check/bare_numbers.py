"""Finds measured numbers in formulas that name no source and no runs that they were fitted to."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.date import DATE
from formula_eval.core.diagnostic import Diagnostic, Label
from formula_eval.core.notes import Notes

_BOUNDS = ("min", "max", "clamp")
_QUARTERS, _TOLERANCE = 4, Fraction(1, 100)
_HELP = "Cite where it comes from, say to which runs it was `fitted`, or make an input of it."


def bare_numbers(declared: d.Declaration) -> Iterator[Diagnostic]:
    """Yields the first such number of a formula, or of a table's columns and rows, of which none is told to be known.

    A measured number has two digits or more and a decimal point. Quarters, tolerances such as 1.001 and the ends of
    `min`, `max` and `clamp` are none. That a formula is `derived` says nothing of its numbers.
    """
    for expression, notes in _parts(declared):
        if not any(note.sources or note.fitted for note in notes):
            for number in _measured(expression):
                message = f"`{declared.name}` holds the number {number.text}, and nothing says where it is from"
                yield Diagnostic("bare-number", message, (Label(number.span),), _HELP)
                return


def _parts(declared: d.Declaration) -> Iterator[tuple[e.Expression, Sequence[Notes]]]:
    if isinstance(declared, d.FormulaDeclaration | d.FunctionDeclaration):
        yield declared.expression, (declared.notes,)
    elif isinstance(declared, d.TableDeclaration):
        of_column = {column.name: column.notes for column in declared.columns}
        columns = ((column.expression, column.notes) for column in declared.columns if column.expression is not None)
        yield from ((x, (declared.notes, notes)) for x, notes in columns)
        for row in declared.rows:
            for name, x in row.cells:
                yield x, (declared.notes, row.notes, of_column.get(name, row.notes))


def _measured(x: e.Expression) -> Iterator[e.Number]:
    if isinstance(x, e.Number):
        if x.unit != DATE and _is_measured(x.text):
            yield x
        return
    is_bound = isinstance(x, e.Call) and x.function in _BOUNDS
    for part in e.children(x):
        if not (is_bound and isinstance(part, e.Number)):
            yield from _measured(part)


def _is_measured(text: str) -> bool:
    plain = text.replace("_", "").lower().partition("e")[0]
    digits, value = plain.replace(".", "").strip("0"), Fraction(plain)
    is_round = (_QUARTERS * value).denominator == 1 or abs(value - 1) <= _TOLERANCE
    return "." in plain and len(digits) > 1 and not is_round
