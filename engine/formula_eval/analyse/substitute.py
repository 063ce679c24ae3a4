"""Substitutes the numbers of an answer into a lowered expression.

`Substitution` does so for a derivation: of a choice between branches only the one that was taken is left, terms that
count 0 are left out of long sums, and of what is then still long, the middle. `substituted_text` does it for an
explanation: all branches stay as written, and a long sum over a table shows its largest terms.
"""

import math
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from formula_eval.core import expression as e
from formula_eval.core.date import DATE, date_text
from formula_eval.core.graph import FormulaGraph
from formula_eval.core.quantity import Quantified
from formula_eval.evaluate.display import shown_value, takes_prefix
from formula_eval.evaluate.subexpression import value_of
from formula_eval.evaluate.value import base_unit, typed_value
from formula_eval.printing.text import expression_text

_NUMBER = re.compile(r"(-?)(\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?) ?(.*)")
_COUNTED = ("byte", "FLOP")  # their sums and products are checked digit by digit, those of rates and times are not
DOTS = e.Name(("...",))


class Limits(NamedTuple):
    """A sum of more terms than `most_terms` shows `shown_terms`; from `most_exact` on, numbers are rounded."""

    most_terms: int
    shown_terms: int
    most_exact: float


IN_DERIVATION = Limits(most_terms=6, shown_terms=3, most_exact=1e6)
IN_EXPLANATION = Limits(most_terms=4, shown_terms=4, most_exact=1e15)


class Substitution:
    """Puts the numbers of one answer into any expression of its graph."""

    def __init__(
        self,
        graph: FormulaGraph,
        numbers: Mapping[str, float],
        given: Mapping[str, float],
        limits: Limits = IN_DERIVATION,
    ) -> None:
        """Take the numbers from here; `given` holds the inputs that somebody set."""
        self._graph = graph
        self._numbers = numbers
        self._given = given
        self._limits = limits

    def __call__(self, x: e.Expression) -> e.Expression:  # noqa: PLR0911 - one for each kind of node
        """The expression with a number for each name."""
        match x:
            case e.Reference(node):
                return quantity(*self._number_of(node), self._limits)
            case e.Given(node):
                return e.FlagValue(node in self._given)
            case e.Conditional(then, condition, otherwise):
                return self(then if self.value(condition) == 1 else otherwise)
            case e.Match(subject, arms):
                taken = (arm for arm in arms if any(self._fits(subject, pattern) for pattern in arm.patterns))
                return next((self(arm.value) for arm in taken), e.Name(("absent",)))
            case e.Call("one_if", (flag,)):
                return e.Number(str(int(self.value(flag) == 1)))
            case e.Call(("sum" | "min" | "max") as function, arguments) if len(arguments) > self._limits.most_terms:
                return e.Call(function, tuple(self._abridged(function, arguments)))
            case e.Call("sum", ()):
                return e.Number("0")
        return e.rebuild(x, self)

    def value(self, x: e.Expression) -> float:
        """The value of an expression."""
        return value_of(x, self._numbers, self._given)

    def _number_of(self, node: str) -> tuple[float, Quantified]:
        return self._numbers[node], self._graph.nodes[node].quantity

    def _fits(self, subject: e.Expression, pattern: e.Expression) -> bool:
        return self.value(e.Compare("==", subject, pattern)) == 1

    def _abridged(self, function: str, arguments: tuple[e.Expression, ...]) -> list[e.Expression]:
        most, shown, _ = self._limits
        counting = [argument for argument in arguments if function != "sum" or self.value(argument) != 0] or [
            arguments[0]
        ]
        kept = [self(expression) for expression in counting]
        return kept if len(kept) <= most else [*kept[:shown], DOTS, kept[-1]]


class _InWords(Substitution):
    """Substitutes likewise, but keeps every branch and the author's shape; each number is held as a name."""

    def __init__(
        self,
        graph: FormulaGraph,
        numbers: Mapping[str, float],
        given: Mapping[str, float],
        whole: tuple[e.Expression, Quantified],
    ) -> None:
        super().__init__(graph, numbers, given, IN_EXPLANATION)
        self._whole, self._unit = whole

    def __call__(self, x: e.Expression) -> e.Expression:
        match x:
            case e.Reference(node):
                text = quantity_text(*self._number_of(node), self._limits)
                return e.Name((f"({text})" if text.startswith("-") or "/" in text or "**" in text else text,))
            case e.Given(node):
                return e.Name(("given" if node in self._given else "not given",))
            case e.Call(function, arguments, written) if written and len(arguments) > self._limits.most_terms:
                unit = self._unit if x is self._whole else terms_quantity(x, self._graph)
                return e.Name((self._largest(function, [self.value(argument) for argument in arguments], unit),))
        return e.rebuild(x, self)

    def _largest(self, function: str, terms: list[float], of: Quantified) -> str:
        values = sorted((term for term in terms if term), key=abs, reverse=True) or [0.0]
        shown = ", ".join(quantity_text(value, of, self._limits) for value in values[: self._limits.shown_terms])
        rest = len(values) - self._limits.shown_terms
        return f"{function}({shown}{f', and {rest} smaller' if rest > 0 else ''})"


def terms_quantity(total: e.Call, graph: FormulaGraph) -> Quantified:
    """What the terms of a sum over a table are, where they are cells; else plain numbers."""
    term = total.arguments[0]
    while isinstance(term, e.Conditional):
        term = term.then
    return graph.nodes[term.node].quantity if isinstance(term, e.Reference) else Quantified("number")


def substituted_text(
    x: e.Expression, graph: FormulaGraph, numbers: Mapping[str, float], given: Mapping[str, float], unit: Quantified
) -> str:
    """The text of an expression with a number for each name; a sum that is all of it shows its terms in this unit."""
    return expression_text(_InWords(graph, numbers, given, (x, unit))(x))


def quantity_text(number: float, of: Quantified, limits: Limits = IN_EXPLANATION) -> str:
    """A value with all its digits where it is a whole number of what is counted, else as it is shown elsewhere."""
    if math.isnan(number):
        return "not given"
    if math.isinf(number):
        return shown_value(number, of)
    value = typed_value(number, of)
    held = typed_value(of.in_unit(number), of)
    if of.unit == "percent" or (takes_prefix(of) and of.dimension not in _COUNTED):
        return shown_value(value, of)
    if isinstance(held, int) and not isinstance(held, bool) and of.dimension and abs(held) < limits.most_exact:
        return f"{held:,} {of.unit if of.is_multiple else base_unit(of)}" if held else "0"
    return shown_value(value, of)


def quantity(value: float, of: Quantified, limits: Limits = IN_DERIVATION) -> e.Expression:  # noqa: PLR0911 - one case for each kind
    """A number as a leaf: four digits and its unit; what is only counted has none."""
    if of.kind == "flag" and not math.isnan(value):
        return e.FlagValue(bool(value))
    if math.isnan(value):
        return e.Name(("absent",))
    if of.kind == "choice":
        return e.ChoiceValue(of.words[int(value)], int(value))
    if math.isinf(value):
        return e.Infinity() if value > 0 else e.Negate(e.Infinity())
    if of.kind == "date":
        return e.Number(date_text(value), DATE, Fraction(value))
    if of.unit == "percent":
        return number(shown_value(value, of).replace("%", " percent"))
    if of.dimension or of.is_multiple:
        return number(shown_value(value, of))
    rounded = abs(value) >= limits.most_exact
    return number(f"{value:.3e}" if rounded else shown_value(typed_value(value, of), of._replace(unit="")))


def number(text: str) -> e.Expression:
    """A shown number, such as `137.95 GB`, as a leaf; a word is a name."""
    found = _NUMBER.fullmatch(text)
    if found is None:
        return e.Name((text,))
    digits, mark, power = found[2].replace(",", "").partition("e")
    digits = digits.rstrip("0").rstrip(".") if mark and "." in digits else digits
    leaf = e.Number(f"{digits}{mark}{int(power) if power else ''}", found[3])
    return e.Negate(leaf) if found[1] else leaf
