"""Says of each sort of extension how it is applied to its target, and when it changes nothing."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from formula_eval.core import expression as e


class Way(NamedTuple):
    """One sort of extension, by its operator: `+ term`, `* factor`, `and condition`, `at most limit` and their like."""

    operator: str
    slug: str  # begins the name of what is added
    sign: str  # of its symbol, in LaTeX
    neutral: e.Expression  # what changes nothing

    def applied(self, before: e.Expression, more: e.Expression) -> e.Expression:
        """The formula with the extension."""
        if isinstance(before, e.Where):
            return replace(before, value=self.applied(before.value, more))
        if self.is_limit:
            return e.Call("min" if self.operator == "at most" else "max", (before, more), span=before.span)
        made = e.Logical if self.operator in ("and", "or") else e.Binary
        return made(self.operator, before, more, span=before.span)

    @property
    def is_limit(self) -> bool:
        """Whether it changes its target only where that is beyond what is added."""
        return self.operator in ("at most", "at least")

    def keeps(self, before: e.Expression, limit: e.Expression) -> e.Expression:
        """Whether a formula is within a limit."""
        return e.Compare("<=" if self.operator == "at most" else ">=", before, limit)

    def is_unfelt(self, more: e.Expression) -> e.Expression:
        """Whether what is added changes nothing."""
        if isinstance(self.neutral, e.FlagValue):
            return more if self.neutral.value else e.Not(more)
        return e.Compare("==", more, self.neutral)

    def symbol(self, extended: str, own: str) -> str:
        """The symbol of what is added, if its author gives none: that of its target, with who adds it."""
        who = own.removeprefix(f"{self.slug}_").replace("_", r"\_")
        return f"{{{extended}}}_{{{self.sign}\\mathrm{{{who}}}}}" if extended else ""


WAYS: Mapping[str, Way] = {
    way.operator: way
    for way in (
        Way("+", "plus", "+", e.Number("0")),
        Way("*", "times", r"\times ", e.Number("1", "", Fraction(1))),
        Way("and", "and", r"\wedge ", e.FlagValue(value=True)),
        Way("or", "or", r"\vee ", e.FlagValue(value=False)),
        Way("at most", "at_most", r"\le ", e.Infinity()),
        Way("at least", "at_least", r"\ge ", e.Negate(e.Infinity())),
    )
}
