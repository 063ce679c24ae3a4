"""Prints lowered expressions as Python that computes them for whole arrays of configurations at once."""

from collections.abc import Mapping
from typing import ClassVar

from formula_eval.core import expression as e
from formula_eval.printing import printer as p
from formula_eval.printing.code import OWN_NAMES
from formula_eval.printing.python import PythonSyntax


class NumpyPrinter(PythonSyntax):
    """Functions wherever an array could take both branches, or hold a zero that only some lanes mind.

    Its texts need only `OPERATIONS` (`evaluate.vector.Lanes` has them), `inf` and `nan`.
    """

    signs: ClassVar[Mapping[str, str]] = {
        **PythonSyntax.signs,
        "and": "both",
        "or": "either",
        "not": "opposite",
        "**": "power",
    }
    watched: ClassVar[Mapping[str, str]] = {"/": "divide", "%": "remainder", "**": "power"}
    functions: ClassVar[Mapping[str, str]] = {
        **OWN_NAMES,
        "min": "minimum",
        "max": "maximum",
        "abs": "absolute",
        "ln": "log",
        "one_if": "one_if",
    }

    def given(self, x: e.Given) -> p.Printed:
        """Lane by lane."""
        return f"is_given({x.node!r})", p.ATOM

    def logical(self, x: e.Logical) -> p.Printed:
        """Errors of the right side do not matter in lanes that the left one decides."""
        left, right = self.condition(x.left, 0), self.condition(x.right, 0)
        return f"{self.signs[x.operator]}({left}, lambda: {right})", p.ATOM

    def negation(self, x: e.Not) -> p.Printed:
        """Lane by lane."""
        return f"{self.signs['not']}({self.condition(x.operand, 0)})", p.ATOM

    def conditional(self, x: e.Conditional) -> p.Printed:
        """One of two, lane by lane."""
        return _where(self.condition(x.condition, 0), self.text(x.then), self.text(x.otherwise)), p.ATOM

    def match(self, x: e.Match) -> p.Printed:
        """The arms one after another, each behind the patterns that the subject may fit."""
        if not x.arms:
            return self.words["absent"], p.ATOM
        arms = ", ".join(f"({self._patterns(arm)}, lambda: {self.text(arm.value)})" for arm in x.arms)
        return f"pick({self.text(x.subject)}, {arms})", p.ATOM

    def _patterns(self, arm: e.Arm) -> str:
        return f"[{', '.join(self.text(pattern) for pattern in arm.patterns)}]"

    def call_one_if(self, flag: e.Expression) -> p.Printed:
        """Lane by lane."""
        return f"one_if({self.condition(flag, 0)})", p.ATOM


_OTHERS = ("added", "both", "either", "is_given", "opposite", "pick", "where")
OPERATIONS = tuple(sorted({*NumpyPrinter.functions.values(), *NumpyPrinter.watched.values(), *_OTHERS}))


def _where(condition: str, then: str, otherwise: str) -> str:
    return f"where({condition}, lambda: {then}, lambda: {otherwise})"
