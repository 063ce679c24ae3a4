"""An expression and the numbers of an evaluation to its text with the numbers put in."""

import math
from collections.abc import Mapping

from formula_eval.core import expression as e
from formula_eval.core.graph import FormulaGraph
from formula_eval.core.quantity import Quantified
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.result import base_unit, typed_value
from formula_eval.evaluate.subexpression import value_of
from formula_eval.printing.text import expression_text
from formula_eval.records.givens import Givens

_MOST_EXACT = 1e15
_MOST_TERMS = 4


def number_text(number: float, quantity: Quantified) -> str:
    """A value with all its digits where it is whole, else as it is shown elsewhere."""
    if math.isnan(number):
        return "not given"
    if math.isinf(number):
        return shown_value(number, quantity)
    value = typed_value(number, quantity)
    unit = base_unit(quantity)
    if isinstance(value, int) and not isinstance(value, bool) and quantity.dimension and abs(value) < _MOST_EXACT:
        return f"{value:,} {unit}" if value else "0"
    return shown_value(value, quantity)


def numbers_put_in(
    x: e.Expression, numbers: Mapping[str, float], graph: FormulaGraph, givens: Givens, whole: Quantified
) -> str:
    """The text of a lowered expression with a number for each name; long sums show their largest terms.

    `whole` is what the expression is: a sum that is all of it shows its terms in that unit.
    """

    def change(part: e.Expression) -> e.Expression:
        match part:
            case e.Reference(node):
                found = graph.nodes[node]
                text = number_text(numbers[node], found.quantity)
                return e.Name((f"({text})" if text.startswith("-") or "/" in text else text,))
            case e.Given(node):
                return e.Name(("given" if node in givens.values else "not given",))
            case e.Call(function, arguments, written) if written and len(arguments) > _MOST_TERMS:
                unit = whole if part is x else Quantified("number")
                return e.Name(
                    (_abridged(function, [value_of(each, numbers, givens.values) for each in arguments], unit),)
                )
        return e.rebuild(part, change)

    return expression_text(change(x))


def _abridged(function: str, terms: list[float], quantity: Quantified) -> str:
    values = sorted((each for each in terms if each), key=abs, reverse=True) or [0.0]
    shown = ", ".join(number_text(each, quantity) for each in values[:_MOST_TERMS])
    rest = len(values) - _MOST_TERMS
    return f"{function}({shown}{f', and {rest} smaller' if rest > 0 else ''})"
