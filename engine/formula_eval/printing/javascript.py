"""Prints lowered expressions as JavaScript, in the author's shape, computed as `printing.python` does."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from formula_eval.core import expression as e
from formula_eval.printing import printer as p
from formula_eval.printing.code import OWN_NAMES, CodePrinter

# What Python refuses, JavaScript would call Infinity or NaN: these refuse as well, so that a page shows no number
# where the engine shows none.
PRELUDE = Path(__file__).with_name("prelude.js").read_text(encoding="utf-8")


class JavaScriptPrinter(CodePrinter):
    """JavaScript, with functions of `PRELUDE` that refuse where the language itself does not."""

    words: ClassVar[Mapping[str, str]] = {"true": "true", "false": "false", "infinity": "inf", "absent": "nan"}
    watched: ClassVar[Mapping[str, str]] = {"/": "divide", "%": "modulo", "**": "power"}
    signs: ClassVar[Mapping[str, str]] = {name: f" {name} " for name in p.PRECEDENCE} | {
        "-x": "-",
        "and": " && ",
        "or": " || ",
        "not": "!",
        "==": " === ",
        "!=": " !== ",
    }
    precedence: ClassVar[Mapping[str, int]] = {**p.PRECEDENCE, "not": p.ATOM}
    functions: ClassVar[Mapping[str, str]] = {**OWN_NAMES, "abs": "Math.abs"}

    def number(self, x: e.Number) -> p.Printed:
        """All digits of the float, and no point behind whole ones."""
        text, level = super().number(x)
        return text.removesuffix(".0"), level

    def given(self, x: e.Given) -> p.Printed:
        """Looked up among the inputs that have a value of their own."""
        return f"({json.dumps(x.node)} in given)", p.ATOM

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
