"""Prints lowered expressions as Python source text, in the author's shape and computed exactly as written."""

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from formula_eval.core import expression as e
from formula_eval.printing import printer as p
from formula_eval.printing.code import OWN_NAMES, CodePrinter

PRELUDE = Path(__file__).with_name("prelude.py.txt").read_text(encoding="utf-8")
_MOST_CHAINED = 1000


class PythonSyntax(CodePrinter, shared=True):
    """The syntax that Python for one configuration and for many has in common."""

    words: ClassVar[Mapping[str, str]] = {"true": "True", "false": "False", "infinity": "inf", "absent": "nan"}
    signs: ClassVar[Mapping[str, str]] = {name: f" {name} " for name in p.PRECEDENCE} | {"not": "not ", "-x": "-"}

    def total(self, terms: tuple[e.Expression, ...]) -> p.Printed:
        """A chain of additions; a function where Python would nest them deeper than it compiles."""
        return super().total(terms) if len(terms) <= _MOST_CHAINED else self.function("added", terms)


class PythonPrinter(PythonSyntax):
    """Python of plain floats, which needs only what `PRELUDE` defines, and `given` for `given(input)`."""

    watched: ClassVar[Mapping[str, str]] = {"%": "remainder", "**": "power"}
    functions: ClassVar[Mapping[str, str]] = {
        **OWN_NAMES,
        **{each: f"math.{each}" for each in ("sqrt", "log2", "log1p", "exp", "expm1")},
        "ln": "math.log",
    }

    def given(self, x: e.Given) -> p.Printed:
        """Looked up among the inputs that have a value of their own."""
        return f"{x.node!r} in given", p.COMPARE

    def binary(self, x: e.Binary) -> p.Printed:
        """Remainders, and powers that may be broken, are functions."""
        if x.operator == "**" and (exponent := _whole(x.right)):
            return f"{self.within(x.left, p.ATOM)} ** {exponent}", p.POWER
        return super().binary(x)

    def conditional(self, x: e.Conditional) -> p.Printed:
        """One of two, and the other is not computed."""
        then, condition = self.within(x.then, p.OR), self.condition(x.condition, p.OR)
        return f"{then} if {condition} else {self.within(x.otherwise, p.CONDITIONAL)}", p.CONDITIONAL

    def match(self, x: e.Match) -> p.Printed:
        """The arms one after another."""
        tested = self.within(x.subject, p.SUM)
        cases = [f"{self.within(arm.value, p.OR)} if {self.fits(tested, arm)}" for arm in x.arms]
        return " else ".join([*cases, self.words["absent"]]), p.CONDITIONAL

    def fits(self, tested: str, arm: e.Arm) -> str:
        """One comparison, or one of a tuple."""
        patterns = [self.within(pattern, p.SUM) for pattern in arm.patterns]
        return f"{tested} == {patterns[0]}" if len(patterns) == 1 else f"{tested} in ({', '.join(patterns)})"


class StatementPrinter(PythonPrinter):
    """Python for code that runs often: min and max of two are written in place, and no known word is compared."""

    def call_min(self, *terms: e.Expression) -> p.Printed:
        """A choice of two."""
        return self._one_of(terms, "min", "<=")

    def call_max(self, *terms: e.Expression) -> p.Printed:
        """A choice of two."""
        return self._one_of(terms, "max", ">=")

    def _one_of(self, terms: tuple[e.Expression, ...], name: str, goes_first: str) -> p.Printed:
        """`a if a <= b or a != a else b`, as the function does it; the function itself where neither is a name."""
        if len(terms) != 2 or not any(isinstance(term, _AT_HAND) for term in terms):  # noqa: PLR2004 - one of two
            return self.function(name, terms)
        first, second = (self.within(term, p.SUM) for term in terms)
        kept_first, kept_second = first, second
        if not isinstance(terms[0], _AT_HAND):
            kept_first, first = "_", f"(_ := {first})"
        elif not isinstance(terms[1], _AT_HAND):
            kept_second, second = "_", f"(_ := {second})"
        absent = "" if isinstance(terms[0], e.Number) else f" or {kept_first} != {kept_first}"
        return f"{kept_first} if {first} {goes_first} {second}{absent} else {kept_second}", p.CONDITIONAL

    def match(self, x: e.Match) -> p.Printed:
        """The arm of a word that is known."""
        if not isinstance(x.subject, e.ChoiceValue):
            return super().match(x)
        arms = (arm.value for arm in x.arms if x.subject in arm.patterns)
        value = next(arms, None)
        return (self.words["absent"], p.ATOM) if value is None else self.printed(value)


_AT_HAND = (e.Reference, e.Number, e.Infinity)  # what costs nothing to read twice


def _whole(exponent: e.Expression) -> str:
    """A whole number as Python writes one, since a float to the power of a float may be complex; nothing for others."""
    number = exponent.operand if isinstance(exponent, e.Negate) else exponent
    if not isinstance(number, e.Number) or number.value.denominator != 1:
        return ""
    return f"-{number.value}" if number is not exponent else f"{number.value}"
