"""A lowered expression to the text of an Excel formula: the author's shape, in functions that every spreadsheet has."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from formula_eval.core import expression as e

COMPARE, SUM, PRODUCT, POWER, NEGATE, ATOM = range(6)
INFINITY = "infinity"
LARGEST_NUMBER = "1E+300"
_BINARY = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "**": POWER}
_COMPARE = {"==": "=", "!=": "<>"}
_FUNCTIONS = {"min": "MIN", "max": "MAX", "abs": "ABS", "sqrt": "SQRT", "ln": "LN", "exp": "EXP", "floor": "INT"}
_MAY_FAIL = frozenset({"sqrt", "ln", "log2", "exp", "largest_divisor"})
_MOST_ARGUMENTS = 255
_CELL_PARTS = 3
_MOST_DIGITS = 15
# The divisors of a number n are found up to this one and as n divided by them: all of them up to 4096**2.
_DIVISORS = "ROW($A$1:$A$4096)"

Printed = tuple[str, int]


@dataclass(frozen=True, slots=True)
class ExcelNames:
    """How a formula spells what it reads: the value of a node, and whether an input is given.

    `absent` are nodes that may have no value; a comparison with one does not hold instead of failing.
    """

    value: Callable[[str], str]
    given: Callable[[str], str]
    absent: Callable[[str], bool] = lambda _: False


def excel_text(expression: e.Expression, names: ExcelNames) -> str:
    """The formula without its `=`; choices are words, flags TRUE or FALSE, what is absent is #N/A."""
    return _ExcelPrinter(names).text(expression)


def excel_number(value: Fraction) -> str:
    """A number as formulas may hold it: 15 digits, or a quotient of whole numbers where they are too few."""
    text = repr(float(value)).upper().removesuffix(".0")
    if len(text.partition("E")[0].replace(".", "").lstrip("-0")) <= _MOST_DIGITS:
        return text
    exact = (str(value.numerator), str(value.denominator))
    if value.denominator != 1 and all(len(each) <= _MOST_DIGITS for each in exact):
        return "/".join(exact)
    return text


def excel_string(text: str) -> str:
    """A text in quotes, in pieces where it is longer than a formula may hold."""
    pieces = [text[start : start + 250] for start in range(0, len(text), 250)] or [""]
    return "&".join('"' + piece.replace('"', '""') + '"' for piece in pieces)


class _ExcelPrinter:
    """Prints each kind of node with the parentheses it needs: a sign binds tighter than a power there."""

    def __init__(self, names: ExcelNames) -> None:
        self._names = names

    def text(self, x: e.Expression) -> str:
        """The formula, without parentheses around it."""
        return self.printed(x)[0]

    def printed(self, x: e.Expression) -> Printed:  # noqa: C901, PLR0911, PLR0912 - one case for each kind of node
        """The text, and how tightly its outermost operator binds."""
        match x:
            case e.Number(value=value):
                return _number(value)
            case e.Infinity():
                return self._names.value(INFINITY), ATOM
            case e.FlagValue(value):
                return str(value).upper(), ATOM
            case e.Reference(node):
                return self._names.value(node), ATOM
            case e.ChoiceValue(word):
                return excel_string(word), ATOM
            case e.Given(node):
                return self._names.given(node), COMPARE
            case e.Negate(operand):
                return f"-{self.within(operand, ATOM)}", NEGATE
            case e.Binary(operator, left, right):
                return self.binary(operator, left, right)
            case e.Compare(operator, left, right):
                return self.compare(x, f"{self.operand(left)}{_COMPARE.get(operator, operator)}{self.operand(right)}")
            case e.Logical(operator, left, right):
                return self.logical(operator, left, right)
            case e.Not(operand):
                return f"NOT({self.condition(operand)})", ATOM
            case e.Conditional(then, condition, otherwise):
                return f"IF({self.condition(condition)},{self.text(then)},{self.text(otherwise)})", ATOM
            case e.Match(subject, arms):
                return self.match(subject, arms)
            case e.Call(function, arguments):
                return self.call(function, arguments)
        raise TypeError(type(x).__name__)

    def within(self, x: e.Expression, level: int) -> str:
        """The text as a part of something that binds so tightly."""
        text, own = self.printed(x)
        return f"({text})" if own < level else text

    def operand(self, x: e.Expression) -> str:
        """One side of a comparison."""
        return self.within(x, SUM)

    def right(self, x: e.Expression, level: int) -> str:
        """The text behind an operator, where a sign needs parentheses."""
        text, own = self.printed(x)
        return f"({text})" if own < level or own == NEGATE else text

    def condition(self, x: e.Expression) -> str:
        """The text where a flag decides: what is absent does not hold."""
        text = self.text(x)
        missing = isinstance(x, e.Reference | e.Match | e.Conditional) and self.may_be_absent(x)
        return f"IF(ISNA({text}),FALSE,{text})" if missing else text

    def may_be_absent(self, x: e.Expression) -> bool:
        """Whether it reads a node that may have no value."""
        return any(self._names.absent(each.node) for each in e.walk(x) if isinstance(each, e.Reference))

    def compare(self, x: e.Compare, text: str) -> Printed:
        """A comparison; only `!=` holds for what is absent."""
        if not self.may_be_absent(x):
            return text, COMPARE
        return f"IF(ISNA({text}),{'TRUE' if x.operator == '!=' else 'FALSE'},{text})", ATOM

    def binary(self, operator: str, left: e.Expression, right: e.Expression) -> Printed:
        """Arithmetic."""
        if operator == "%":
            return f"MOD({self.text(left)},{self.text(right)})", ATOM
        level = _BINARY[operator]
        if operator != "**":
            return f"{self.within(left, level)}{operator}{self.right(right, level + 1)}", level
        return self.power(left, right)

    def power(self, left: e.Expression, right: e.Expression) -> Printed:
        """A power: 0^0 fails in Excel, and LibreOffice calls what is too small for a number an error instead of 0."""
        text = f"{self.within(left, ATOM)}^{self.within(right, ATOM)}"
        if _is_constant(right):
            return text, POWER
        base, exponent = self.operand(left), self.operand(right)
        small = f"AND({base}>=0,({base}<1)=({exponent}>0))"
        return f"IF({exponent}=0,1,IFERROR({text},IF({small},0,{text})))", ATOM

    def logical(self, operator: str, left: e.Expression, right: e.Expression) -> Printed:
        """`and`, `or`; Excel computes both sides of AND, so where the right one may fail IF takes its place."""
        first, second = self.condition(left), self.condition(right)
        if not _may_fail(right):
            return f"{operator.upper()}({first},{second})", ATOM
        return f"IF({first},{second},FALSE)" if operator == "and" else f"IF({first},TRUE,{second})", ATOM

    def match(self, subject: e.Expression, arms: tuple[e.Arm, ...]) -> Printed:
        """CHOOSE by the place of a word, IF by IF for numbers; a subject that fits none gives #N/A."""
        if all(isinstance(each, e.ChoiceValue) for arm in arms for each in arm.patterns) and arms:
            words = ",".join(self.text(each) for arm in arms for each in arm.patterns)
            values = ",".join(self.text(arm.value) for arm in arms for _ in arm.patterns)
            return f"CHOOSE(MATCH({self.text(subject)},{{{words}}},0),{values})", ATOM
        tested, text = self.operand(subject), "NA()"
        for arm in reversed(arms):
            tests = [f"{tested}={self.operand(each)}" for each in arm.patterns]
            condition = tests[0] if len(tests) == 1 else f"OR({','.join(tests)})"
            text = f"IF({condition},{self.text(arm.value)},{text})"
        return text, ATOM

    def call(self, function: str, arguments: tuple[e.Expression, ...]) -> Printed:  # noqa: PLR0911 - one for each builtin
        """A builtin."""
        match function, arguments:
            case "sum", _:
                return self.total(arguments)
            case "clamp", (value, low, high):
                return f"MIN(MAX({self.text(value)},{self.text(low)}),{self.text(high)})", ATOM
            case "one_if", (flag,):
                return f"IF({self.condition(flag)},1,0)", ATOM
            case "ceil", (value,):
                return f"-INT(-{self.within(value, ATOM)})", NEGATE
            case "floordiv", (left, right):
                return f"INT({self.within(left, PRODUCT)}/{self.right(right, POWER)})", ATOM
            case "ceildiv", (left, right):
                return f"-INT(-{self.within(left, ATOM)}/{self.right(right, POWER)})", NEGATE
            case "log2", (value,):
                return f"LOG({self.text(value)},2)", ATOM
            case "largest", _:
                return self.largest(arguments), ATOM
            case "largest_divisor", (number, bound):
                return self.largest_divisor(self.text(number), self.text(bound)), ATOM
        return _nested(_FUNCTIONS[function], [self.text(each) for each in arguments]), ATOM

    def total(self, terms: tuple[e.Expression, ...]) -> Printed:
        """A chain of `+`, which adds in the author's order; SUM does not."""
        if not terms:
            return "0", ATOM
        first, *others = terms
        level = SUM if others else ATOM
        return "+".join([self.within(first, level), *(self.right(each, PRODUCT) for each in others)]), level

    def largest(self, values: tuple[e.Expression, ...]) -> str:
        """The row of the largest value, which is a word; the first of equal ones."""
        spelled = [self.operand(each) for each in values]
        rows = [excel_string(row) for row in _rows_of(values)]
        text = rows[-1]
        for place in reversed(range(len(spelled) - 1)):
            text = f"IF({spelled[place]}>={_nested('MAX', spelled[place + 1 :])},{rows[place]},{text})"
        return text

    def largest_divisor(self, number: str, bound: str) -> str:
        """The largest divisor within a bound, sought among the small divisors and their counterparts."""
        divides = f"(MOD({number},{_DIVISORS})=0)"
        small = f"{divides}*({_DIVISORS}<={bound})*{_DIVISORS}"
        whole = number if number.isidentifier() else f"({number})"
        large = f"{divides}*({whole}/{_DIVISORS}<={bound})*({whole}/{_DIVISORS})"
        return f"SUMPRODUCT(MAX({small},{large}))"


def _rows_of(terms: tuple[e.Expression, ...]) -> list[str]:
    """The rows that the terms of a lowered comprehension stand for, by the cells `table.row.column` that they read."""
    cells = [[each.partition("@")[0].rsplit(".", 2) for each in e.references(term)] for term in terms]
    read = [{(cell[0], cell[1]) for cell in each if len(cell) == _CELL_PARTS} for each in cells]
    for table in sorted({table for table, _ in set().union(*read)}):
        rows = [[row for each, row in part if each == table] for part in read]
        if all(len(each) == 1 for each in rows) and len({row for (row,) in rows}) == len(terms):
            return [row for (row,) in rows]
    return [str(place) for place in range(len(terms))]


def _is_constant(exponent: e.Expression) -> bool:
    """Whether an exponent is the same for every configuration, and not 0."""
    read = any(isinstance(part, e.Reference | e.Given) for part in e.walk(exponent))
    return not read and not (isinstance(exponent, e.Number) and exponent.value == 0)


def _number(value: Fraction) -> Printed:
    text = excel_number(value)
    return text, PRODUCT if "/" in text else NEGATE if value < 0 else ATOM


def _nested(function: str, arguments: list[str]) -> str:
    """A call of a function of any number of arguments, in groups where they are too many."""
    if len(arguments) <= _MOST_ARGUMENTS:
        return f"{function}({','.join(arguments)})"
    first, rest = arguments[: _MOST_ARGUMENTS - 1], arguments[_MOST_ARGUMENTS - 1 :]
    return f"{function}({','.join(first)},{_nested(function, rest)})"


def _may_fail(x: e.Expression) -> bool:
    """Whether an expression may have no value: it divides by what may be 0, or takes a root."""
    for part in e.walk(x):
        match part:
            case e.Binary("/" | "%" | "**", _, e.Number(value=value)) if value:
                continue
            case e.Binary("/" | "%" | "**"):
                return True
            case e.Call("floordiv" | "ceildiv", (_, e.Number(value=value))) if value:
                continue
            case e.Call(function) if function in _MAY_FAIL or function in {"floordiv", "ceildiv"}:
                return True
    return False
