"""Prints expressions as the language spells them: canonically, so that they read back as the same tree."""

from collections.abc import Mapping
from typing import ClassVar

from formula_eval.core import expression as e
from formula_eval.core.builtins import LOWERED
from formula_eval.core.date import DATE
from formula_eval.printing.printer import ATOM, CONDITIONAL, NEGATE, NOT, OR, PRECEDENCE, SUM, Names, Printed, Printer


class TextPrinter(Printer):
    """The language itself."""

    words: ClassVar[Mapping[str, str]] = {"true": "true", "false": "false", "infinity": "infinity"}
    signs: ClassVar[Mapping[str, str]] = {name: f" {name} " for name in PRECEDENCE} | {"not": "not ", "-x": "-"}
    functions: ClassVar[Mapping[str, str]] = {name: name for name in LOWERED}
    alone: ClassVar[Mapping[type[e.Expression], str]] = {e.Arm: "arm_alone"}

    @classmethod
    def formula(cls, x: e.Expression, _names: Names) -> str:
        """Names as they are."""
        return cls().text(x)

    def arm_alone(self, x: e.Arm) -> Printed:
        """An arm of a match has a text of its own."""
        return self.arm(x), CONDITIONAL

    def number(self, x: e.Number) -> Printed:
        """`2 FLOP`, `(100 GB/s)`, `17`."""
        if not x.unit or x.unit == DATE:
            return x.text, ATOM
        return f"({x.text} {x.unit})" if "/" in x.unit or "*" in x.unit else f"{x.text} {x.unit}", ATOM

    def choice(self, x: e.ChoiceValue) -> Printed:
        """The word."""
        return x.word, ATOM

    def name(self, x: e.Name) -> Printed:
        """A path."""
        return ".".join(x.path), ATOM

    def reference(self, x: e.Reference) -> Printed:
        """What the author wrote for it."""
        return x.written or x.node, ATOM

    def given(self, x: e.Given) -> Printed:
        """A call."""
        return f"given({x.node})", ATOM

    def negate(self, x: e.Negate) -> Printed:
        """A sign in front; that of a number with a compound unit stands inside its parentheses: `(-3 byte/s)`."""
        if isinstance(x.operand, e.Number) and (number := self.text(x.operand)).startswith("("):
            return f"(-{number[1:]}", ATOM
        return f"-{self.within(x.operand, NEGATE)}", NEGATE

    def binary(self, x: e.Binary) -> Printed:
        """Powers go from right to left, all else from left to right."""
        if x.operator == "**":
            return f"{self.within(x.left, ATOM)} ** {self.within(x.right, NEGATE)}", self.precedence["**"]
        return self.infix(x.operator, x.left, x.right)

    def negation(self, x: e.Not) -> Printed:
        """A word in front."""
        return f"not {self.within(x.operand, NOT)}", NOT

    def conditional(self, x: e.Conditional) -> Printed:
        """`then if condition else otherwise`."""
        then, condition = self.within(x.then, OR), self.within(x.condition, OR)
        return f"{then} if {condition} else {self.within(x.otherwise, CONDITIONAL)}", CONDITIONAL

    def match(self, x: e.Match) -> Printed:
        """On one line, in parentheses."""
        return f"(match {self.text(x.subject)}: {', '.join(self.arm(arm) for arm in x.arms)})", ATOM

    def patterns(self, arm: e.Arm) -> str:
        """`none | core`."""
        return " | ".join(self.text(pattern) for pattern in arm.patterns)

    def arm(self, arm: e.Arm) -> str:
        """`none | core -> value`."""
        return f"{self.patterns(arm)} -> {self.text(arm.value)}"

    def call(self, x: e.Call) -> Printed:
        """What the author wrote where lowering spelled the terms out."""
        return (x.written, ATOM) if x.written else self.function(x.function, x.arguments)

    def comprehension(self, x: e.Comprehension) -> Printed:
        """`sum(value for row in table if condition)`."""
        only = f" if {self.within(x.condition, OR)}" if x.condition else ""
        return f"{x.function}({self.text(x.value)} for {x.row} in {self.text(x.table)}{only})", ATOM

    def lookup(self, x: e.Lookup) -> Printed:
        """`table[row].column`."""
        return f"{self.text(x.table)}[{self.text(x.row)}].{x.column}", ATOM

    def recurrence(self, x: e.Recurrence) -> Printed:
        """`value else first`."""
        return f"{self.within(x.value, OR)} else {self.within(x.first, CONDITIONAL)}", CONDITIONAL

    def solve(self, x: e.Solve) -> Printed:
        """`solve n in low .. high: condition else other`."""
        return f"{self.solve_head(x)} {self.within(x.condition, OR)}{self._otherwise(x)}", CONDITIONAL

    def solve_head(self, x: e.Solve) -> str:
        """All ahead of the condition."""
        most = f" at most {x.at_most}" if x.at_most else ""
        within = f" within {self.text(x.within)}" if x.within is not None else ""
        ends = f"{self.within(x.low, SUM)} .. {self.within(x.high, SUM)}"
        return f"solve {'largest ' if x.largest else ''}{x.unknown} in {ends}{most}{within}:"

    def _otherwise(self, x: e.Solve) -> str:
        return "" if x.otherwise is None else f" else {self.within(x.otherwise, CONDITIONAL)}"

    def with_inputs(self, x: e.With) -> Printed:
        """`(value with input = other)`."""
        return f"({self.text(x.value)} with {', '.join(self.binding(binding) for binding in x.bindings)})", ATOM

    def where(self, x: e.Where) -> Printed:
        """`value where piece = other`."""
        pieces = ", ".join(f"{piece.name} = {self.text(piece.value)}" for piece in x.pieces)
        return f"{self.within(x.value, CONDITIONAL)} where {pieces}", CONDITIONAL

    def binding(self, x: e.Binding | e.Situation) -> str:
        """`input = other`, or the name of a situation."""
        return f"{self.text(x.name)} = {self.text(x.value)}" if isinstance(x, e.Binding) else self.text(x.name)


TEXT = TextPrinter()


def expression_text(expression: e.Expression) -> str:
    """The expression on one line, with the parentheses it needs and no others."""
    return TEXT.text(expression)
