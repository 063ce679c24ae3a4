"""Prints lowered expressions as source text of a programming language: what all those printers share."""

from collections.abc import Mapping
from typing import ClassVar

from formula_eval.core import expression as e
from formula_eval.printing.printer import ATOM, COMPARE, NEGATE, LoweredPrinter, Names, Printed

# The builtins that the prelude of a language, or the language itself, may define by the same name.
_ROUNDING = ("ceil", "floor", "round", "ceildiv", "floordiv")
_REAL = ("sqrt", "log2", "ln", "log1p", "exp", "expm1")
_OTHERS = ("min", "max", "abs", "largest", "largest_divisor", "months_later")
OWN_NAMES = {other: other for other in (*_OTHERS, *_ROUNDING, *_REAL)}


class CodePrinter(LoweredPrinter, shared=True):
    """Spells nodes as its user says; a word of a choice is its index, and a flag that may be absent is never true.

    `watched` are the functions for operators that may fail.
    """

    watched: ClassVar[Mapping[str, str]]

    def __init__(self, names: Names, conditions: Names | None = None) -> None:
        """Spell nodes so, and so where they decide, for flags that may be absent."""
        self._names = names
        self._conditions = conditions or names

    @classmethod
    def formula(cls, x: e.Expression, names: Names) -> str:
        """An identifier for each name."""
        return cls(names).text(x)

    def number(self, x: e.Number) -> Printed:
        """All digits of the float."""
        return repr(float(x.value)), ATOM if x.value >= 0 else NEGATE

    def choice(self, x: e.ChoiceValue) -> Printed:
        """The index."""
        return str(x.index), ATOM

    def reference(self, x: e.Reference) -> Printed:
        """As its user spells it."""
        return self._names(x.node), ATOM

    def binary(self, x: e.Binary) -> Printed:
        """A function where it may fail; what divides by a number other than 0 does not."""
        divides = x.operator == "/" and isinstance(x.right, e.Number) and x.right.value != 0
        if x.operator in self.watched and not divides:
            return self.function(self.watched[x.operator], (x.left, x.right))
        return self.infix(x.operator, x.left, x.right)

    def negate(self, x: e.Negate) -> Printed:
        """A sign in front."""
        return f"{self.signs['-x']}{self.within(x.operand, NEGATE)}", NEGATE

    def condition(self, x: e.Expression, level: int) -> str:
        """The text where a flag decides: what is absent does not hold."""
        match x:
            case e.Reference(node):
                return self._conditions(node)
            case e.Match() | e.Conditional():
                text = f"({self.text(x)}){self.signs['==']}{self.words['true']}"
                return f"({text})" if level > COMPARE else text
        return super().condition(x, level)

    def negation(self, x: e.Not) -> Printed:
        """`not`."""
        level = self.precedence["not"]
        return f"{self.signs['not']}{self.condition(x.operand, level)}", level
