"""Defines what every notation prints: each kind of node, how tightly each operator binds, and parentheses.

A notation is a subclass of `Printer`. One that lacks a node, an operator or a builtin is refused when its module is
imported, so that no gap is ever filled with the words of another notation.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from inspect import get_annotations
from typing import ClassVar

from formula_eval.core import expression as e
from formula_eval.core.builtins import LOWERED

Printed = tuple[str, int]  # a text, and how tightly its outermost operator binds
Names = Callable[[str], str]  # how the name of a node is spelled

# How tightly a text binds, from the least: BIG is a sum over rows, SIGN a minus that goes before any power.
CONDITIONAL, OR, AND, NOT, COMPARE, SUM, BIG, PRODUCT, NEGATE, POWER, SIGN, ATOM = range(12)
_COMPARISONS = dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), COMPARE)
_ARITHMETIC = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "%": PRODUCT, "-x": NEGATE, "**": POWER}
PRECEDENCE: Mapping[str, int] = {"or": OR, "and": AND, "not": NOT} | _COMPARISONS | _ARITHMETIC

# The method that prints each kind of node, which every notation has.
_METHODS: Mapping[type[e.Expression], str] = {
    e.Number: "number",
    e.Infinity: "infinity",
    e.FlagValue: "flag",
    e.ChoiceValue: "choice",
    e.Name: "name",
    e.Reference: "reference",
    e.Given: "given",
    e.Negate: "negate",
    e.Binary: "binary",
    e.Compare: "compare",
    e.Logical: "logical",
    e.Not: "negation",
    e.Conditional: "conditional",
    e.Match: "match",
    e.Call: "call",
    e.Comprehension: "comprehension",
    e.Lookup: "lookup",
    e.Recurrence: "recurrence",
    e.Solve: "solve",
    e.With: "with_inputs",
    e.Where: "where",
}
_WITHIN_OTHERS = (e.Arm, e.Binding, e.Situation, e.NamedPiece)  # printed by the node that holds them


class Printer(ABC):
    """Prints each kind of node with the parentheses it needs and no others.

    `words` spells what is written as a word, `signs` each operator, spaces included; `precedence` says how tightly it
    binds. `functions` names the builtins that are written as functions; any other has a method of its own, `call_` and
    its name.
    """

    words: ClassVar[Mapping[str, str]]
    signs: ClassVar[Mapping[str, str]]
    functions: ClassVar[Mapping[str, str]]
    precedence: ClassVar[Mapping[str, int]] = PRECEDENCE
    worded: ClassVar[tuple[str, ...]] = ("true", "false", "infinity")  # the names of the words that it has to have
    alone: ClassVar[Mapping[type[e.Expression], str]] = {}  # what prints parts of others that may stand by themselves
    _printers: ClassVar[Mapping[type[e.Expression], Callable[..., Printed]]] = {}  # the methods of the notation

    def __init_subclass__(cls, *, shared: bool = False) -> None:
        """Refuse a notation with a gap; what several notations share may leave some to them."""
        super().__init_subclass__()
        methods = {**_METHODS, **cls.alone}
        cls._printers = {kind: getattr(cls, name) for kind, name in methods.items() if hasattr(cls, name)}
        gaps = [] if shared else [*_gaps(cls)]
        if gaps:
            raise TypeError(f"The notation {cls.__name__} lacks {', '.join(gaps)}")

    @classmethod
    @abstractmethod
    def formula(cls, x: e.Expression, names: Names) -> str:
        """An expression by itself; `names` spells what it reads, as symbols (or nothing) for mathematics."""

    def text(self, x: e.Expression) -> str:
        """The expression, without parentheses around it."""
        return self.printed(x)[0]

    def printed(self, x: e.Expression) -> Printed:
        """The text, and how tightly its outermost operator binds."""
        method = self._printers.get(type(x))
        if method is None:
            raise TypeError(type(x).__name__)
        return method(self, x)

    def within(self, x: e.Expression, level: int) -> str:
        """The text as a part of something that binds so tightly."""
        text, own = self.printed(x)
        return self.parenthesised(text) if own < level else text

    def behind(self, x: e.Expression, level: int) -> str:
        """The text behind an operator that binds so tightly."""
        return self.within(x, level)

    def condition(self, x: e.Expression, level: int) -> str:
        """The text where a flag decides."""
        return self.within(x, level)

    def parenthesised(self, text: str) -> str:
        """A text in parentheses."""
        return f"({text})"

    def infix(self, operator: str, left: e.Expression, right: e.Expression) -> Printed:
        """`left operator right`, from left to right."""
        level = self.precedence[operator]
        return f"{self.within(left, level)}{self.signs[operator]}{self.behind(right, level + 1)}", level

    def function(self, name: str, arguments: tuple[e.Expression, ...]) -> Printed:
        """A function of its arguments."""
        return f"{name}({', '.join(self.text(argument) for argument in arguments)})", ATOM

    def total(self, terms: tuple[e.Expression, ...]) -> Printed:
        """Terms that are added from left to right, so that every notation rounds alike."""
        first, *others = terms
        level = SUM if others else ATOM
        parts = [self.within(first, level), *(self.behind(expression, SUM + 1) for expression in others)]
        return self.signs["+"].join(parts), level

    def infinity(self, _: e.Infinity) -> Printed:
        """More than any number."""
        return self.words["infinity"], ATOM

    def flag(self, x: e.FlagValue) -> Printed:
        """`true` or `false`."""
        return self.words["true" if x.value else "false"], ATOM

    def compare(self, x: e.Compare) -> Printed:
        """A comparison, which is never chained."""
        return f"{self.within(x.left, SUM)}{self.signs[x.operator]}{self.within(x.right, SUM)}", COMPARE

    def logical(self, x: e.Logical) -> Printed:
        """`and`, `or`: where both are computed in turn, the right side only if the left one leaves it open."""
        level = self.precedence[x.operator]
        left, right = self.condition(x.left, level), self.condition(x.right, level + 1)
        return f"{left}{self.signs[x.operator]}{right}", level

    def call(self, x: e.Call) -> Printed:
        """A builtin, or whatever else is called."""
        own = getattr(self, f"call_{x.function}", None)
        if own is not None:
            printed: Printed = own(*x.arguments)
            return printed
        if x.function not in self.functions:
            raise TypeError(x.function)
        return self.function(self.functions[x.function], x.arguments)


class LoweredPrinter(Printer, shared=True):
    """A notation of lowered trees alone: what `resolve` has replaced is refused."""

    worded: ClassVar[tuple[str, ...]] = (*Printer.worded, "absent")

    def name(self, x: e.Expression) -> Printed:
        """Refuses what was replaced: by references, a comprehension by a call, a lookup by a match over the rows."""
        raise TypeError(type(x).__name__)

    comprehension = lookup = recurrence = solve = with_inputs = where = name

    def call_sum(self, *terms: e.Expression) -> Printed:
        """A chain of additions; without terms, 0."""
        return self.total(terms) if terms else self.printed(e.Number("0"))

    def call_clamp(self, value: e.Expression, low: e.Expression, high: e.Expression) -> Printed:
        """The least of the upper bound and the greatest of the value and the lower one."""
        return self.printed(e.Call("min", (e.Call("max", (value, low)), high)))

    def call_one_if(self, flag: e.Expression) -> Printed:
        """1 where the flag holds, else 0."""
        return self.printed(e.Conditional(e.Number("1", value=Fraction(1)), flag, e.Number("0")))


def _gaps(notation: type[Printer]) -> Iterator[str]:
    """Everything that a notation should say and does not."""
    abstract = (name for name in dir(notation) if getattr(getattr(notation, name, None), "__isabstractmethod__", False))
    yield from (f"a method `{name}`" for name in abstract)
    lacking = ((kind, method) for kind, method in _METHODS.items() if not hasattr(notation, method))
    yield from (f"a method `{method}` for the node {kind.__name__}" for kind, method in lacking)
    missing = [
        annotation
        for base in notation.__mro__
        for annotation in get_annotations(base)
        if not hasattr(notation, annotation)
    ]
    yield from (f"`{name}`" for name in missing)
    if missing:
        return
    yield from (f"a word for {name}" for name in notation.worded if name not in notation.words)
    yield from (f"a sign for `{name}`" for name in PRECEDENCE if name not in notation.signs)
    for builtin in LOWERED:
        if builtin not in notation.functions and not hasattr(notation, f"call_{builtin}"):
            yield f"the builtin `{builtin}` (in `functions`, or a method `call_{builtin}`)"


def _check_nodes() -> None:
    """Refuse to load where a kind of node is printed by no method."""
    kinds = [var for var in vars(e).values() if isinstance(var, type) and issubclass(var, e.Expression)]
    missing = [kind.__name__ for kind in kinds if kind not in {e.Expression, *_METHODS, *_WITHIN_OTHERS}]
    if missing:
        raise TypeError(f"The class Printer has no method for the node {', '.join(missing)}")


_check_nodes()
