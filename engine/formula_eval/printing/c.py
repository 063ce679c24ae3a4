"""Prints lowered expressions as C source text, in the author's shape, computed as `printing.numpy` computes a lane."""

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from formula_eval.core import expression as e
from formula_eval.printing import printer as p
from formula_eval.printing.c_like import CLikePrinter

# What fails sets `*failed` and goes on with nan, so that other configurations are computed in the same loop.
PRELUDE = Path(__file__).with_name("prelude.c").read_text(encoding="utf-8")
_FALLIBLE = {
    "ceildiv": "ceildiv",
    "floordiv": "floordiv",
    "sqrt": "root",
    "log2": "logarithm2",
    "ln": "logarithm",
    "log1p": "logarithm_of_1_and",
    "exp": "exponential",
    "expm1": "exponential_less_1",
    "largest_divisor": "largest_divisor",
}
_WATCHED = {"/": "divide", "%": "remainder_of", "**": "power"}


def c_text(
    expression: e.Expression, names: p.Names, conditions: p.Names | None = None, *, may_fail: bool = True
) -> str:
    """The expression on one line of C that needs only what `PRELUDE` declares, and a pointer `failed` to a long long.

    `names` spells a node, a double or, for a flag that is never absent, 0 or 1. `conditions` spells a flag where it
    decides, for flags that may be absent (NAN). `given` is a function of the name of an input. What may not fail is
    computed without watching, so that both sides of a choice can be computed and one of them taken.
    """
    return (CPrinter if may_fail else UnwatchedCPrinter)(names, conditions).text(expression)


class CPrinter(CLikePrinter):
    """C of doubles, with functions that say so where they fail."""

    words: ClassVar[Mapping[str, str]] = {"true": "1", "false": "0", "infinity": "INFINITY", "absent": "NAN"}
    watched: ClassVar[Mapping[str, str]] = _WATCHED
    functions: ClassVar[Mapping[str, str]] = {
        "abs": "fabs",
        "ceil": "whole_above",
        "floor": "whole_below",
        "round": "nearest",
        "months_later": "months_later",
    } | _FALLIBLE

    def given(self, x: e.Given) -> p.Printed:
        """Looked up among the inputs that have a value of their own."""
        return f'given("{x.node}")', p.ATOM

    def function(self, name: str, arguments: tuple[e.Expression, ...]) -> p.Printed:
        """A function of its arguments, and of where it says that it failed."""
        texts = [self.text(each) for each in arguments]
        return f"{name}({', '.join([*texts, 'failed'] if name in _TELLING else texts)})", p.ATOM

    def call_min(self, *terms: e.Expression) -> p.Printed:
        """The least, two by two."""
        return self._two_by_two("least", terms)

    def call_max(self, *terms: e.Expression) -> p.Printed:
        """The greatest, two by two."""
        return self._two_by_two("greatest", terms)

    def _two_by_two(self, name: str, terms: tuple[e.Expression, ...]) -> p.Printed:
        first, *others = (self.text(each) for each in terms)
        for each in others:
            first = f"{name}({first}, {each})"
        return (first, p.ATOM) if others else self.printed(terms[0])

    def call_largest(self, *values: e.Expression) -> p.Printed:
        """The place of the largest, the first of equal ones."""
        texts = ", ".join(self.text(each) for each in values)
        return f"largest({len(values)}, (double[]){{{texts}}})", p.ATOM


class UnwatchedCPrinter(CPrinter):
    """C of doubles where nothing fails: plain operators and functions, and of a choice all is computed."""

    signs: ClassVar[Mapping[str, str]] = {**CPrinter.signs, "and": " & ", "or": " | "}
    watched: ClassVar[Mapping[str, str]] = {"%": "rest_of", "**": "pow"}
    functions: ClassVar[Mapping[str, str]] = {
        **CPrinter.functions,
        "ceildiv": "least_parts",
        "floordiv": "whole_parts",
        "sqrt": "sqrt",
        "log2": "log2",
        "ln": "log",
        "log1p": "log1p",
        "exp": "exp",
        "expm1": "expm1",
    }

    def conditional(self, x: e.Conditional) -> p.Printed:
        """One of two numbers."""
        return self._picked(self.condition(x.condition, 0), x.then, self.text(x.otherwise))

    def match(self, x: e.Match) -> p.Printed:
        """The arms one within another."""
        tested, found = self.within(x.subject, p.SUM), self.words["absent"]
        for arm in reversed(x.arms):
            found = self._picked(self.fits(tested, arm), arm.value, found)[0]
        return found, p.ATOM

    def _picked(self, condition: str, then: e.Expression, otherwise: str) -> p.Printed:
        return f"pick({condition}, {self.text(then)}, {otherwise})", p.ATOM


_TELLING = {*_FALLIBLE.values(), *_WATCHED.values()}
