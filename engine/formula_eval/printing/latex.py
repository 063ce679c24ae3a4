"""An expression, as its author wrote it or lowered, to LaTeX that KaTeX shows as well."""

import re
from collections.abc import Callable, Mapping

from formula_eval.core import expression as e

CONDITIONAL, OR, AND, NOT, COMPARE, SUM, BIG, PRODUCT, NEGATE, POWER, ATOM = range(11)
Printed = tuple[str, int]

_COMPARE = {"==": "=", "!=": r"\ne", "<": "<", "<=": r"\le", ">": ">", ">=": r"\ge"}
_FUNCTIONS = {"min": r"\min", "max": r"\max", "ln": r"\ln", "log2": r"\log_2", "exp": r"\exp"}
_LARGEST = r"\operatorname*{arg\,max}"
_SPECIAL = {each: rf"\{each}" for each in "_%&#${} "} | {"^": r"\wedge ", "~": r"\sim ", "\\": r"\backslash "}


def latex_text(expression: e.Expression, symbols: Callable[[str], str]) -> str:
    r"""The expression in display style; `symbols` gives the symbol of a name, or nothing.

    What has no symbol is written out, upright: `\mathrm{kv\_heads}`.
    """
    return LatexPrinter(symbols, {}).printed(expression)[0]


def upright(text: str) -> str:
    r"""A word as upright letters: `\mathrm{kv\_heads}`."""
    return rf"\mathrm{{{''.join(_SPECIAL.get(each, each) for each in text)}}}"


class LatexPrinter:
    """Prints each kind of node; knows which table each row word of a comprehension goes through."""

    def __init__(self, symbols: Callable[[str], str], rows: Mapping[str, str]) -> None:
        """Spell names so; `rows` says of each row word in use which table it goes through."""
        self._symbols = symbols
        self._rows = rows

    def printed(self, x: e.Expression) -> Printed:  # noqa: C901, PLR0911, PLR0912 - one case for each kind of node
        """The LaTeX, and how tightly its outermost operator binds."""
        match x:
            case e.Number(text, unit):
                return _number(text, unit)
            case e.Infinity():
                return r"\infty", ATOM
            case e.FlagValue(value):
                return upright(str(value).lower()), ATOM
            case e.Name((row, column)) if row in self._rows:
                symbol = self._symbols(f"{self._rows[row]}.{column}") or upright(column)
                return f"{{{symbol}}}_{{{_row(row)}}}", ATOM
            case e.Name(path):
                return self.symbol(".".join(path)), ATOM
            case e.Reference(node):
                return self.symbol(node), ATOM
            case e.ChoiceValue(word):
                return upright(word), ATOM
            case e.Given(node):
                return self.application(upright("given"), self.symbol(node)), ATOM
            case e.Negate(operand):
                return f"-{self.within(operand, PRODUCT)}", NEGATE
            case e.Binary(operator, left, right):
                return self.binary(operator, left, right)
            case e.Compare(operator, left, right):
                return f"{self.within(left, SUM)} {_COMPARE[operator]} {self.within(right, SUM)}", COMPARE
            case e.Logical(operator, left, right):
                level, sign = (OR, r"\lor") if operator == "or" else (AND, r"\land")
                return rf"{self.within(left, level)} {sign} {self.within(right, level + 1)}", level
            case e.Not(operand):
                return rf"\lnot {self.within(operand, ATOM)}", NOT
            case e.Conditional() | e.Match():
                return rf"\begin{{cases}} {self.cases(x)} \end{{cases}}", CONDITIONAL
            case e.Call(function, arguments):
                return self.call(function, arguments)
            case e.Comprehension():
                return self.comprehension(x)
            case e.With(value, bindings):
                names = r",\; ".join(self.binding(each) for each in bindings)
                return rf"\left.{self.text(value)}\right|_{{{names}}}", ATOM
        raise TypeError(type(x).__name__)

    def inside(self, rows: Mapping[str, str]) -> "LatexPrinter":
        """The printer for what stands within a comprehension."""
        return LatexPrinter(self._symbols, rows)

    def text(self, x: e.Expression) -> str:
        """The LaTeX, without parentheses around it."""
        return self.printed(x)[0]

    def within(self, x: e.Expression, level: int) -> str:
        """The LaTeX as a part of something that binds so tightly."""
        text, own = self.printed(x)
        return rf"\left({text}\right)" if own < level else text

    def symbol(self, name: str) -> str:
        """The symbol of a name, else the name."""
        return self._symbols(name) or upright(name)

    def binary(self, operator: str, left: e.Expression, right: e.Expression) -> Printed:
        """Arithmetic: quotients as fractions, products without a sign unless two digits would meet."""
        match operator:
            case "+" | "-":
                return f"{self.within(left, SUM)} {operator} {self.term(right)}", SUM
            case "*":
                first, second = self.within(left, PRODUCT), self.within(right, POWER)
                sign = r" \cdot " if second[0].isdigit() else r"\,"
                return f"{first}{sign}{second}", PRODUCT
            case "/":
                return rf"\frac{{{self.text(left)}}}{{{self.text(right)}}}", POWER
            case "%":
                return rf"{self.within(left, PRODUCT)} \bmod {self.within(right, POWER)}", BIG
        return f"{{{self.within(left, ATOM)}}}^{{{self.text(right)}}}", POWER

    def term(self, x: e.Expression) -> str:
        """A term behind a sign: one with a sign of its own stands in parentheses."""
        return rf"\left({self.text(x)}\right)" if isinstance(x, e.Negate) else self.within(x, BIG)

    def cases(self, x: e.Expression) -> str:
        """The lines of a distinction; one that stands in the last branch goes on with its lines."""
        match x:
            case e.Conditional(then, condition, e.Conditional() as otherwise):
                return rf"{self.line(then, condition)} \\ {self.cases(otherwise)}"
            case e.Conditional(then, condition, otherwise):
                return rf"{self.line(then, condition)} \\ {self.text(otherwise)} & \text{{otherwise}}"
            case e.Match(subject, arms):
                return r" \\ ".join(self.arm(self.within(subject, SUM), arm) for arm in arms)
        raise TypeError(type(x).__name__)

    def line(self, value: e.Expression, condition: e.Expression) -> str:
        """One line of a distinction."""
        return rf"{self.text(value)} & \text{{if }} {self.text(condition)}"

    def arm(self, subject: str, arm: e.Arm) -> str:
        """One line of a match."""
        patterns = [self.pattern(each) for each in arm.patterns]
        test = f"= {patterns[0]}" if len(patterns) == 1 else rf"\in \left\{{{', '.join(patterns)}\right\}}"
        return rf"{self.text(arm.value)} & \text{{if }} {subject} {test}"

    def pattern(self, pattern: e.Expression) -> str:
        """A word of a choice is no quantity, so it has no symbol."""
        return upright(".".join(pattern.path)) if isinstance(pattern, e.Name) else self.text(pattern)

    def binding(self, binding: e.Binding) -> str:
        """`input = value` of a `with`."""
        return f"{self.text(binding.name)} = {self.text(binding.value)}"

    def call(self, function: str, arguments: tuple[e.Expression, ...]) -> Printed:  # noqa: PLR0911 - one for each builtin
        """A builtin in its mathematical form, anything else as a function."""
        match function, arguments:
            case "sum", (first, *others):
                level = SUM if others else ATOM
                return " + ".join([self.within(first, level), *(self.term(each) for each in others)]), level
            case "ceil", (x,):
                return rf"\left\lceil {self.text(x)} \right\rceil", ATOM
            case "floor", (x,):
                return rf"\left\lfloor {self.text(x)} \right\rfloor", ATOM
            case "ceildiv", (a, b):
                return rf"\left\lceil {self.text(e.Binary('/', a, b))} \right\rceil", ATOM
            case "floordiv", (a, b):
                return rf"\left\lfloor {self.text(e.Binary('/', a, b))} \right\rfloor", ATOM
            case "abs", (x,):
                return rf"\left| {self.text(x)} \right|", ATOM
            case "sqrt", (x,):
                return rf"\sqrt{{{self.text(x)}}}", ATOM
            case "one_if", (flag,):
                return rf"\left[ {self.text(flag)} \right]", ATOM
        name = _LARGEST if function == "largest" else _FUNCTIONS.get(function) or self.symbol(function)
        return self.application(name, ", ".join(self.text(each) for each in arguments)), ATOM

    def application(self, name: str, inside: str) -> str:
        """A function of something."""
        return rf"{name}\left({inside}\right)"

    def comprehension(self, x: e.Comprehension) -> Printed:
        """A sum, minimum or maximum over the rows of a table."""
        table = ".".join(x.table.path)
        inner = self.inside({**self._rows, x.row: table})
        below = rf"{_row(x.row)} \in {self.symbol(table)}"
        if x.condition is not None:
            below = rf"\substack{{{below} \\ {inner.text(x.condition)}}}"
        sign = {"sum": r"\sum", "largest": _LARGEST}.get(x.function) or rf"\{x.function}"
        return rf"{sign}_{{{below}}} {inner.within(x.value, PRODUCT)}", BIG


def _row(word: str) -> str:
    return word if len(word) == 1 else upright(word)


def _number(text: str, unit: str) -> Printed:
    digits, _, power = text.replace("_", "").lower().partition("e")
    whole, point, rest = digits.partition(".")
    shown = re.sub(r"(?<=\d)(?=(\d{3})+$)", "{,}", whole) if len(whole) > 4 else whole  # noqa: PLR2004 - 4096, 65{,}536
    shown += point + rest
    level = ATOM
    if power:
        exponent = rf"10^{{{int(power)}}}"
        shown, level = (exponent, POWER) if digits == "1" else (rf"{shown} \times {exponent}", PRODUCT)
    if unit:
        shown, level = rf"{shown}\,{upright(unit)}", min(level, PRODUCT)
    return shown, level
