"""A lowered expression to Python source text: the author's shape, computed exactly as written."""

from collections.abc import Callable

from formula_eval.core import expression as e

CONDITIONAL, OR, AND, NOT, COMPARE, SUM, PRODUCT, NEGATE, POWER, ATOM = range(10)
BINARY = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "%": PRODUCT, "**": POWER}

Printed = tuple[str, int]
Names = Callable[[str], str]

PRELUDE = '''\
import math
from math import inf
from math import nan


def min(first, *others):
    """The least; nan, which stands for an absent value, wins."""
    for each in others:
        first = first if first <= each or first != first else each
    return first


def max(first, *others):
    """The greatest; nan wins."""
    for each in others:
        first = first if first >= each or first != first else each
    return first


def ceil(x):
    """The next whole number upwards; infinity and nan stay."""
    return float(math.ceil(x)) if math.isfinite(x) else x


def floor(x):
    """The next whole number downwards; infinity and nan stay."""
    return float(math.floor(x)) if math.isfinite(x) else x


def power(base, exponent):
    """The real power; a broken power of a negative number is none."""
    if base < 0.0 and exponent % 1.0:
        raise ValueError("a broken power of a negative number")
    return base**exponent


def largest(*values):
    """The place of the largest value, the first of equal ones."""
    most = max(*values)
    return values.index(most) if most == most else nan


def largest_divisor(n, at_most):
    """The largest divisor of n that is not above the bound; 0 if there is none."""
    if n != n or at_most != at_most:
        return nan
    if n < 1.0 or n % 1.0 or n > 2.0**53:
        raise ValueError("largest_divisor takes a whole number from 1 to 2**53")
    whole, bound = int(n), int(min(n, max(at_most, 0.0)))
    root = math.isqrt(whole)
    if bound > root:
        for cofactor in range(-(-whole // bound), root + 1):
            if whole % cofactor == 0:
                return float(whole // cofactor)
    return next((float(each) for each in range(min(bound, root), 0, -1) if whole % each == 0), 0.0)
'''


def python_text(expression: e.Expression, names: Names, conditions: Names | None = None) -> str:
    """The expression on one line of Python that needs only what `PRELUDE` defines, and `given` for `given(input)`.

    `names` spells a node. `conditions` spells a flag where it decides, for flags that may be absent (nan).
    """
    return PythonPrinter(names, conditions).text(expression)


class PythonPrinter:
    """Prints each kind of node with the parentheses it needs and no others."""

    def __init__(self, names: Names, conditions: Names | None = None) -> None:
        """Spell nodes so, and so where they decide."""
        self._names = names
        self._conditions = conditions or names

    def text(self, expression: e.Expression) -> str:
        """The expression, without parentheses around it."""
        return self.printed(expression)[0]

    def printed(self, x: e.Expression) -> Printed:  # noqa: C901, PLR0911, PLR0912 - one case for each kind of node
        """The text, and how tightly its outermost operator binds."""
        match x:
            case e.Number(value=value):
                return repr(float(value)), ATOM if value >= 0 else NEGATE
            case e.Infinity():
                return "inf", ATOM
            case e.FlagValue(value):
                return str(value), ATOM
            case e.Reference(node):
                return self._names(node), ATOM
            case e.ChoiceValue(_, index):
                return str(index), ATOM
            case e.Given(node):
                return self.given(node)
            case e.Negate(operand):
                return f"-{self.within(operand, NEGATE)}", NEGATE
            case e.Binary(operator, left, right):
                return self.binary(operator, left, right)
            case e.Compare(operator, left, right):
                return f"{self.within(left, SUM)} {operator} {self.within(right, SUM)}", COMPARE
            case e.Logical(operator, left, right):
                return self.logical(operator, left, right)
            case e.Not(operand):
                return self.negation(operand)
            case e.Conditional(then, condition, otherwise):
                return self.conditional(then, condition, otherwise)
            case e.Match(subject, arms):
                return self.match(subject, arms)
            case e.Call(function, arguments):
                return self.call(function, arguments)
        raise TypeError(type(x).__name__)

    def within(self, x: e.Expression, level: int) -> str:
        """The text as a part of something that binds so tightly."""
        text, own = self.printed(x)
        return f"({text})" if own < level else text

    def condition(self, x: e.Expression, level: int) -> str:
        """The text where a flag decides: what is absent does not hold."""
        match x:
            case e.Reference(node):
                return self._conditions(node)
            case e.Match() | e.Conditional():
                text = f"({self.text(x)}) == True"
                return f"({text})" if level > COMPARE else text
        return self.within(x, level)

    def given(self, node: str) -> Printed:
        """Whether an input has a value of its own."""
        return f"{node!r} in given", COMPARE

    def binary(self, operator: str, left: e.Expression, right: e.Expression) -> Printed:
        """Arithmetic."""
        level = BINARY[operator]
        if operator != "**":
            return f"{self.within(left, level)} {operator} {self.within(right, level + 1)}", level
        if _is_whole(right):
            return f"{self.within(left, ATOM)} ** {self.within(right, NEGATE)}", level
        return self.function("power", (left, right))

    def logical(self, operator: str, left: e.Expression, right: e.Expression) -> Printed:
        """`and`, `or`: the right side is computed only if the left one leaves it open."""
        level = OR if operator == "or" else AND
        return f"{self.condition(left, level)} {operator} {self.condition(right, level + 1)}", level

    def negation(self, operand: e.Expression) -> Printed:
        """`not`."""
        return f"not {self.condition(operand, NOT)}", NOT

    def conditional(self, then: e.Expression, condition: e.Expression, otherwise: e.Expression) -> Printed:
        """One of two, and the other is not computed."""
        parts = self.within(then, OR), self.condition(condition, OR), self.within(otherwise, CONDITIONAL)
        return f"{parts[0]} if {parts[1]} else {parts[2]}", CONDITIONAL

    def match(self, subject: e.Expression, arms: tuple[e.Arm, ...]) -> Printed:
        """The arms one after another; a subject that fits none, because it is absent, gives nan."""
        tested = self.within(subject, SUM)
        cases = [f"{self.within(arm.value, OR)} if {self.fits(tested, arm)}" for arm in arms]
        return " else ".join([*cases, "nan"]), CONDITIONAL

    def fits(self, tested: str, arm: e.Arm) -> str:
        """Whether the subject is one of the patterns of this arm."""
        patterns = [self.within(pattern, SUM) for pattern in arm.patterns]
        return f"{tested} == {patterns[0]}" if len(patterns) == 1 else f"{tested} in ({', '.join(patterns)})"

    def call(self, function: str, arguments: tuple[e.Expression, ...]) -> Printed:  # noqa: PLR0911 - one for each builtin
        """A builtin."""
        match function, arguments:
            case "sum", ():
                return "0.0", ATOM
            case "sum", (first, *others):
                level = SUM if others else ATOM
                return " + ".join([self.within(first, level), *(self.within(each, SUM + 1) for each in others)]), level
            case "clamp", (value, low, high):
                return f"min(max({self.text(value)}, {self.text(low)}), {self.text(high)})", ATOM
            case "one_if", (flag,):
                return f"1.0 if {self.condition(flag, OR)} else 0.0", CONDITIONAL
            case "floordiv", (left, right):
                return f"{self.within(left, PRODUCT)} // {self.within(right, PRODUCT + 1)}", PRODUCT
            case "ceildiv", (left, right):
                return f"-(-{self.within(left, POWER)} // {self.within(right, PRODUCT + 1)})", NEGATE
            case (("sqrt" | "log2" | "exp"), _):
                return self.function(f"math.{function}", arguments)
            case "ln", _:
                return self.function("math.log", arguments)
            case (("min" | "max" | "abs" | "ceil" | "floor" | "largest" | "largest_divisor"), _):
                return self.function(function, arguments)
        raise TypeError(function)

    def function(self, name: str, arguments: tuple[e.Expression, ...]) -> Printed:
        """A call."""
        return f"{name}({', '.join(self.text(each) for each in arguments)})", ATOM


def _is_whole(exponent: e.Expression) -> bool:
    number = exponent.operand if isinstance(exponent, e.Negate) else exponent
    return isinstance(number, e.Number) and number.value.denominator == 1
