"""Prints lowered expressions as Excel formulas, in the author's shape and functions that every spreadsheet has."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from formula_eval.core import expression as e
from formula_eval.core.builtins import LOWERED
from formula_eval.printing import printer as p
from formula_eval.printing.excel_facts import is_constant, may_fail, rows_of
from formula_eval.printing.printer import LoweredPrinter

INFINITY = "infinity"
LARGEST_NUMBER = "1E+300"
_NEAR, _MOST, _HALF = "1E-9", "0.001", "0.5"  # as `core.rounding` says
_WHOLE = frozenset(name for name, builtin in LOWERED.items() if builtin.whole)
_MOST_ARGUMENTS = 255
_MOST_DIGITS = 15
# The divisors of a number n are found up to this one and as n divided by them: all of them up to 4096**2.
_DIVISORS = "ROW($A$1:$A$4096)"


@dataclass(frozen=True, slots=True)
class ExcelNames:
    """How a formula spells what it reads: the value of a node, and whether an input is given.

    `absent` are nodes that may have no value; a comparison with one does not hold instead of failing. `whole` are those
    that hold whole numbers for sure, which are divided exactly.
    """

    value: Callable[[str], str]
    given: Callable[[str], str]
    absent: Callable[[str], bool] = lambda _: False
    whole: Callable[[str], bool] = lambda _: False


def excel_number(value: Fraction) -> str:
    """A number as formulas may hold it: 15 digits, or a quotient or a sum of such numbers where they are too few."""
    text = repr(float(value)).upper().removesuffix(".0")
    if len(text.partition("E")[0].replace(".", "").strip("-0")) <= _MOST_DIGITS:
        return text
    exact = (str(value.numerator), str(value.denominator))
    if value.denominator != 1 and all(len(each) <= _MOST_DIGITS for each in exact):
        return "/".join(exact)
    return f"({_sum(float(value))})"


def _sum(value: float) -> str:
    """The first digits of a number, and the few that are missing to it."""
    first = f"{value:.{_MOST_DIGITS - 1}e}"
    rest = value - float(first)
    last = next(text for digits in range(_MOST_DIGITS) if float(first) + float(text := f"{rest:+.{digits}e}") == value)
    return (repr(float(first)) + last).upper()


def excel_string(text: str) -> str:
    """A text in quotes, in pieces where it is longer than a formula may hold."""
    pieces = [text[start : start + 250] for start in range(0, len(text), 250)] or [""]
    return "&".join('"' + piece.replace('"', '""') + '"' for piece in pieces)


class ExcelPrinter(LoweredPrinter):
    """Excel, where a sign binds tighter than a power; choices are words, flags TRUE or FALSE, what is absent #N/A."""

    words: ClassVar[Mapping[str, str]] = {"true": "TRUE", "false": "FALSE", "infinity": INFINITY, "absent": "NA()"}
    signs: ClassVar[Mapping[str, str]] = {each: each for each in p.PRECEDENCE} | {
        "-x": "-",
        "and": "AND",
        "or": "OR",
        "not": "NOT",
        "%": "MOD",
        "**": "^",
        "==": "=",
        "!=": "<>",
    }
    functions: ClassVar[Mapping[str, str]] = {each: each.upper() for each in ("min", "max", "abs", "sqrt", "ln", "exp")}

    def __init__(self, names: ExcelNames) -> None:
        """Spell nodes so."""
        self._names = names

    @classmethod
    def formula(cls, x: e.Expression, names: p.Names) -> str:
        """A cell for each name, empty where nobody gave it a value."""
        return cls(ExcelNames(names, lambda name: f'{names(name)}<>""')).text(x)

    def number(self, x: e.Number) -> p.Printed:
        """A quotient binds as one."""
        text = excel_number(x.value)
        return text, p.PRODUCT if "/" in text else p.SIGN if x.value < 0 else p.ATOM

    def infinity(self, _: e.Infinity) -> p.Printed:
        """A cell that holds the largest number."""
        return self._names.value(self.words["infinity"]), p.ATOM

    def reference(self, x: e.Reference) -> p.Printed:
        """As its user spells it."""
        return self._names.value(x.node), p.ATOM

    def choice(self, x: e.ChoiceValue) -> p.Printed:
        """The word."""
        return excel_string(x.word), p.ATOM

    def given(self, x: e.Given) -> p.Printed:
        """A comparison, as its user spells it."""
        return self._names.given(x.node), p.COMPARE

    def negate(self, x: e.Negate) -> p.Printed:
        """A sign in front."""
        return f"-{self.within(x.operand, p.ATOM)}", p.SIGN

    def operand(self, x: e.Expression) -> str:
        """One side of a comparison."""
        return self.within(x, p.SUM)

    def behind(self, x: e.Expression, level: int) -> str:
        """The text behind an operator, where a sign needs parentheses."""
        text, own = self.printed(x)
        return f"({text})" if own < level or own == p.SIGN else text

    def condition(self, x: e.Expression, level: int = 0) -> str:
        """The text where a flag decides: what is absent does not hold."""
        text = self.within(x, level)
        missing = isinstance(x, e.Reference | e.Match | e.Conditional) and self.may_be_absent(x)
        return f"IF(ISNA({text}),FALSE,{text})" if missing else text

    def may_be_absent(self, x: e.Expression) -> bool:
        """Whether it reads a node that may have no value."""
        return any(self._names.absent(node.node) for node in e.walk(x) if isinstance(node, e.Reference))

    def compare(self, x: e.Compare) -> p.Printed:
        """A comparison; only `!=` holds for what is absent."""
        text, level = super().compare(x)
        if not self.may_be_absent(x):
            return text, level
        return f"IF(ISNA({text}),{'TRUE' if x.operator == '!=' else 'FALSE'},{text})", p.ATOM

    def binary(self, x: e.Binary) -> p.Printed:
        """Arithmetic."""
        if x.operator == "%":
            return self.remainder(x.left, x.right)
        return self.power(x.left, x.right) if x.operator == "**" else self.infix(x.operator, x.left, x.right)

    def power(self, left: e.Expression, right: e.Expression) -> p.Printed:
        """A power: 0^0 fails in Excel, and LibreOffice calls what is too small for a number an error instead of 0."""
        text = f"{self.within(left, p.ATOM)}^{self.within(right, p.ATOM)}"
        if is_constant(right):
            return text, p.POWER
        base, exponent = self.operand(left), self.operand(right)
        small = f"AND({base}>=0,({base}<1)=({exponent}>0))"
        return f"IF({exponent}=0,1,IFERROR({text},IF({small},0,{text})))", p.ATOM

    def logical(self, x: e.Logical) -> p.Printed:
        """`and`, `or`; Excel computes both sides of AND, so where the right one may fail IF takes its place."""
        first, second = self.condition(x.left), self.condition(x.right)
        if not may_fail(x.right):
            return f"{self.signs[x.operator]}({first},{second})", p.ATOM
        return f"IF({first},{second},FALSE)" if x.operator == "and" else f"IF({first},TRUE,{second})", p.ATOM

    def negation(self, x: e.Not) -> p.Printed:
        """A function."""
        return f"NOT({self.condition(x.operand)})", p.ATOM

    def conditional(self, x: e.Conditional) -> p.Printed:
        """One of two, and the other is not computed."""
        return f"IF({self.condition(x.condition)},{self.text(x.then)},{self.text(x.otherwise)})", p.ATOM

    def match(self, x: e.Match) -> p.Printed:
        """CHOOSE by the place of a word, IF by IF for numbers; a subject that fits none gives #N/A."""
        if all(isinstance(pattern, e.ChoiceValue) for arm in x.arms for pattern in arm.patterns) and x.arms:
            words = ",".join(self.text(pattern) for arm in x.arms for pattern in arm.patterns)
            values = ",".join(self.text(arm.value) for arm in x.arms for _ in arm.patterns)
            return f"CHOOSE(MATCH({self.text(x.subject)},{{{words}}},0),{values})", p.ATOM
        tested, text = self.operand(x.subject), self.words["absent"]
        for arm in reversed(x.arms):
            tests = [f"{tested}={self.operand(pattern)}" for pattern in arm.patterns]
            condition = tests[0] if len(tests) == 1 else f"OR({','.join(tests)})"
            text = f"IF({condition},{self.text(arm.value)},{text})"
        return text, p.ATOM

    def function(self, name: str, arguments: tuple[e.Expression, ...]) -> p.Printed:
        """A function of its arguments, in groups where they are too many."""
        return _nested(name, [self.text(argument) for argument in arguments]), p.ATOM

    def remainder(self, left: e.Expression, right: e.Expression) -> p.Printed:
        """What a division leaves; almost nothing, or almost all, is nothing."""
        rest, whole = self.function("MOD", (left, right))[0], self.text(right)
        if self._is_whole(left) and self._is_whole(right):
            return rest, p.ATOM
        least = f"MIN({_NEAR}*ABS({self.text(left)}),{_MOST}*ABS({whole}),{_HALF})"
        return f"IF(MIN(ABS({rest}),ABS({whole})-ABS({rest}))<={least},0,{rest})", p.ATOM

    def call_floor(self, value: e.Expression) -> p.Printed:
        """Rounded down."""
        return f"INT({self.within(value, p.SUM)}{self._near(value)})", p.ATOM

    def call_ceil(self, value: e.Expression) -> p.Printed:
        """Rounded down, of the negative number."""
        return f"-INT(-{self.within(value, p.ATOM)}{self._near(value)})", p.SIGN

    def call_round(self, value: e.Expression) -> p.Printed:
        """To no decimal places, half away from zero."""
        return f"ROUND({self.text(value)},0)", p.ATOM

    def call_floordiv(self, left: e.Expression, right: e.Expression) -> p.Printed:
        """A quotient, rounded down."""
        return f"INT({self._quotient(left, right)}{self._near_part(left, right)})", p.ATOM

    def call_ceildiv(self, left: e.Expression, right: e.Expression) -> p.Printed:
        """A quotient, rounded up."""
        quotient = f"{self.within(left, p.ATOM)}/{self.behind(right, p.POWER)}"
        return f"-INT(-{quotient}{self._near_part(left, right)})", p.SIGN

    def _near(self, value: e.Expression) -> str:
        """What is added before a number is rounded down; nothing to a whole one."""
        return "" if self._is_whole(value) else f"+MIN({_NEAR}*ABS({self.text(value)}),{_MOST})"

    def _near_part(self, left: e.Expression, right: e.Expression) -> str:
        """The same of a quotient, where whole numbers are divided exactly."""
        if self._is_whole(left) and self._is_whole(right):
            return ""
        least = f"{_HALF}/ABS({self.text(right)})"
        return f"+MIN({_NEAR}*ABS({self._quotient(left, right)}),{_MOST},{least})"

    def _is_whole(self, x: e.Expression) -> bool:
        """Whether this surely is a whole number."""
        match x:
            case e.Number(value=value):
                return value.denominator == 1
            case e.Reference(node):
                return self._names.whole(node)
            case e.Call(function) if function in _WHOLE:
                return True
            case e.Negate() | e.Binary("+" | "-" | "*") | e.Call("min" | "max" | "sum" | "abs" | "clamp"):
                return all(map(self._is_whole, e.children(x)))
        return False

    def _quotient(self, left: e.Expression, right: e.Expression) -> str:
        return f"{self.within(left, p.PRODUCT)}/{self.behind(right, p.POWER)}"

    def call_log2(self, value: e.Expression) -> p.Printed:
        """The logarithm to a base."""
        return f"LOG({self.text(value)},2)", p.ATOM

    def call_log1p(self, value: e.Expression) -> p.Printed:
        """No function of Excel: of a sum that lost digits, the logarithm by what the sum kept (Kahan)."""
        x = self.within(value, p.ATOM)
        return f"IF(1+{x}=1,{x},LN(1+{x})*{x}/(1+{x}-1))", p.ATOM

    def call_expm1(self, value: e.Expression) -> p.Printed:
        """No function of Excel: near 1 what is left of the power, by its own logarithm (Kahan)."""
        x, power = self.within(value, p.ATOM), f"EXP({self.text(value)})"
        small = f"IF({power}=1,{x},({power}-1)*{x}/LN({power}))"
        return f"IF(ABS({self.text(value)})>1,{power}-1,{small})", p.ATOM

    def call_largest(self, *values: e.Expression) -> p.Printed:
        """The row of the largest value, which is a word; the first of equal ones."""
        spelled = [self.operand(expression) for expression in values]
        rows = [excel_string(row) for row in rows_of(values)]
        text = rows[-1]
        for place in reversed(range(len(spelled) - 1)):
            text = f"IF({spelled[place]}>={_nested('MAX', spelled[place + 1 :])},{rows[place]},{text})"
        return text, p.ATOM

    def call_months_later(self, date: e.Expression, months: e.Expression) -> p.Printed:
        """By the calendar of the spreadsheet, whose days begin in 1900."""
        day = e.Number("86400", value=Fraction(86400))
        whole, rest = self.text(e.Call("floordiv", (date, day))), self.within(e.Binary("%", date, day), p.SUM)
        return f"(EDATE({whole}+25569,ROUND({self.text(months)},0))-25569)*86400+{rest}", p.SUM

    def call_largest_divisor(self, n: e.Expression, at_most: e.Expression) -> p.Printed:
        """The largest divisor within a bound, sought among the small divisors and their counterparts."""
        number, bound = self.text(n), self.text(at_most)
        divides = f"(MOD({number},{_DIVISORS})=0)"
        small = f"{divides}*({_DIVISORS}<={bound})*{_DIVISORS}"
        whole = number if number.isidentifier() else f"({number})"
        large = f"{divides}*({whole}/{_DIVISORS}<={bound})*({whole}/{_DIVISORS})"
        return f"SUMPRODUCT(MAX({small},{large}))", p.ATOM


def _nested(function: str, arguments: list[str]) -> str:
    """A call of a function of any number of arguments, in groups where they are too many."""
    if len(arguments) <= _MOST_ARGUMENTS:
        return f"{function}({','.join(arguments)})"
    first, rest = arguments[: _MOST_ARGUMENTS - 1], arguments[_MOST_ARGUMENTS - 1 :]
    return f"{function}({','.join(first)},{_nested(function, rest)})"
