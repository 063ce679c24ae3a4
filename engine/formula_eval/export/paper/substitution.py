"""A lowered expression and the numbers of an answer to the expression with its numbers put in.

Of a choice between branches only the one that was taken is left. Terms that count 0 are left out of long sums, and of
what is then still long, the middle.
"""

import math
import re
from collections.abc import Mapping

from formula_eval.core import expression as e
from formula_eval.core.graph import FormulaGraph
from formula_eval.core.quantity import Quantified
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.result import typed_value
from formula_eval.evaluate.subexpression import value_of

_NUMBER = re.compile(r"(-?)(\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?) ?(.*)")
_MOST_EXACT = 1e6
_MOST_TERMS = 6
_SHOWN_TERMS = 3
DOTS = e.Name(("...",))


class Substitution:
    """Puts the numbers of one answer into any expression of its graph."""

    def __init__(self, graph: FormulaGraph, numbers: Mapping[str, float], given: Mapping[str, float]) -> None:
        """Take the numbers from here; `given` holds the inputs that somebody set."""
        self._graph = graph
        self._numbers = numbers
        self._given = given

    def __call__(self, x: e.Expression) -> e.Expression:  # noqa: PLR0911 - one for each kind of node
        """The expression with a number for each name."""
        match x:
            case e.Reference(node):
                found = self._graph.nodes[node]
                return quantity(self._numbers[node], found.quantity)
            case e.Given(node):
                return e.FlagValue(node in self._given)
            case e.Conditional(then, condition, otherwise):
                return self(then if self.value(condition) == 1 else otherwise)
            case e.Match(subject, arms):
                taken = (arm for arm in arms if any(self._fits(subject, each) for each in arm.patterns))
                return next((self(arm.value) for arm in taken), e.Name(("absent",)))
            case e.Call("one_if", (flag,)):
                return e.Number(str(int(self.value(flag) == 1)))
            case e.Call(("sum" | "min" | "max") as function, arguments) if len(arguments) > _MOST_TERMS:
                return e.Call(function, tuple(self._abridged(function, arguments)))
            case e.Call("sum", ()):
                return e.Number("0")
        return e.rebuild(x, self)

    def value(self, x: e.Expression) -> float:
        """What an expression comes to."""
        return value_of(x, self._numbers, self._given)

    def _fits(self, subject: e.Expression, pattern: e.Expression) -> bool:
        return self.value(e.Compare("==", subject, pattern)) == 1

    def _abridged(self, function: str, arguments: tuple[e.Expression, ...]) -> list[e.Expression]:
        counting = [each for each in arguments if function != "sum" or self.value(each) != 0] or [arguments[0]]
        kept = [self(each) for each in counting]
        return kept if len(kept) <= _MOST_TERMS else [*kept[:_SHOWN_TERMS], DOTS, kept[-1]]


def quantity(value: float, of: Quantified) -> e.Expression:
    """A number as a leaf: four digits and its unit; what is only counted has none."""
    if of.kind == "flag" and not math.isnan(value):
        return e.FlagValue(bool(value))
    if math.isnan(value):
        return e.Name(("absent",))
    if of.kind == "choice":
        return e.ChoiceValue(of.words[int(value)], int(value))
    if math.isinf(value):
        return e.Infinity() if value > 0 else e.Negate(e.Infinity())
    if of.dimension:
        text = shown_value(value, of)
    else:
        text = (
            f"{value:.3e}" if abs(value) >= _MOST_EXACT else shown_value(typed_value(value, of), of._replace(unit=""))
        )
    return number(text)


def number(text: str) -> e.Expression:
    """A shown number, such as `137.95 GB`, as a leaf; a word is a name."""
    found = _NUMBER.fullmatch(text)
    if found is None:
        return e.Name((text,))
    digits, mark, power = found[2].replace(",", "").partition("e")
    digits = digits.rstrip("0").rstrip(".") if mark and "." in digits else digits
    leaf = e.Number(f"{digits}{mark}{int(power) if power else ''}", found[3])
    return e.Negate(leaf) if found[1] else leaf
