"""Prints what C and JavaScript have in common: `x ? y : z`, `&&`, functions that tell of a failure."""

from collections.abc import Mapping
from typing import ClassVar

from formula_eval.core import expression as e
from formula_eval.printing import printer as p
from formula_eval.printing.code import CodePrinter


class CLikePrinter(CodePrinter, shared=True):
    """What C and JavaScript have in common."""

    signs: ClassVar[Mapping[str, str]] = {each: f" {each} " for each in p.PRECEDENCE} | {
        "-x": "-",
        "and": " && ",
        "or": " || ",
        "not": "!",
    }
    precedence: ClassVar[Mapping[str, int]] = {**p.PRECEDENCE, "not": p.ATOM}

    def negate(self, x: e.Negate) -> p.Printed:
        """A sign in front, never two, which would be another operator."""
        return f"-{self.within(x.operand, p.POWER)}", p.NEGATE

    def condition(self, x: e.Expression, level: int) -> str:
        """The text where a flag decides: what is absent does not hold."""
        if isinstance(x, e.Match | e.Conditional):
            return f"(({self.text(x)}){self.signs['==']}{self.words['true']})"
        return super().condition(x, level)

    def conditional(self, x: e.Conditional) -> p.Printed:
        """One of two, and the other is not computed."""
        condition, then = self.condition(x.condition, p.OR), self.within(x.then, p.OR)
        return f"{condition} ? {then} : {self.within(x.otherwise, p.CONDITIONAL)}", p.CONDITIONAL

    def match(self, x: e.Match) -> p.Printed:
        """The arms one after another."""
        tested = self.within(x.subject, p.SUM)
        cases = [f"{self.fits(tested, arm)} ? {self.within(arm.value, p.OR)}" for arm in x.arms]
        return " : ".join([*cases, self.words["absent"]]), p.CONDITIONAL

    def fits(self, tested: str, arm: e.Arm) -> str:
        """A comparison for each pattern."""
        return self.signs["or"].join(
            f"{tested}{self.signs['==']}{self.within(pattern, p.SUM)}" for pattern in arm.patterns
        )
