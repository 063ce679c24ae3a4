"""An expression, as its author wrote it or lowered, to MathML that every browser shows by itself."""

import re
from collections.abc import Callable, Mapping
from html import escape

from formula_eval.core import expression as e
from formula_eval.printing.symbol import symbol_mathml

CONDITIONAL, OR, AND, NOT, COMPARE, SUM, BIG, PRODUCT, NEGATE, POWER, ATOM = range(11)
Printed = tuple[str, int]

_COMPARE = {"==": "=", "!=": "≠", "<": "&lt;", "<=": "≤", ">": "&gt;", ">=": "≥"}
_SIGNS = {"sum": "∑"}
_MINUS, _TIMES = "\u2212", "\u00d7"
_THIN = '<mspace width="0.17em"/>'
_WIDE = '<mspace width="0.5em"/>'


def mathml_text(expression: e.Expression, symbols: Callable[[str], str]) -> str:
    """The expression as `<math>` in display style; `symbols` gives the LaTeX symbol of a name, or nothing.

    What has no symbol is written out, upright.
    """
    return f'<math display="block">{_MathPrinter(symbols, {}).text(expression)}</math>'


def upright(text: str) -> str:
    """A word as upright letters."""
    return f"<mi>{escape(text)}</mi>" if len(text) > 1 else f'<mi mathvariant="normal">{escape(text)}</mi>'


class _MathPrinter:
    """Prints each kind of node; knows which table each row word of a comprehension goes through."""

    def __init__(self, symbols: Callable[[str], str], rows: Mapping[str, str]) -> None:
        self._symbols = symbols
        self._rows = rows

    def printed(self, x: e.Expression) -> Printed:  # noqa: C901, PLR0911, PLR0912 - one case for each kind of node
        """The MathML, and how tightly its outermost operator binds."""
        match x:
            case e.Number(text, unit):
                return _number(text, unit)
            case e.Infinity():
                return "<mi>∞</mi>", ATOM
            case e.FlagValue(value):
                return upright(str(value).lower()), ATOM
            case e.Name((row, column)) if row in self._rows:
                return f"<msub>{self.symbol(f'{self._rows[row]}.{column}', column)}{upright(row)}</msub>", ATOM
            case e.Name(path):
                return self.symbol(".".join(path)), ATOM
            case e.Reference(node, written):
                return self.symbol(written or node), ATOM
            case e.ChoiceValue(word):
                return upright(word), ATOM
            case e.Given(node):
                return self.application(upright("given"), self.symbol(node)), ATOM
            case e.Negate(operand):
                return f"<mo>{_MINUS}</mo>{self.within(operand, PRODUCT)}", NEGATE
            case e.Binary(operator, left, right):
                return self.binary(operator, left, right)
            case e.Compare(operator, left, right):
                return f"{self.within(left, SUM)}<mo>{_COMPARE[operator]}</mo>{self.within(right, SUM)}", COMPARE
            case e.Logical(operator, left, right):
                level, sign = (OR, "or") if operator == "or" else (AND, "and")
                return f"{self.within(left, level)}{_word(sign)}{self.within(right, level + 1)}", level
            case e.Not(operand):
                return f"<mo>¬</mo>{self.within(operand, ATOM)}", NOT
            case e.Conditional() | e.Match():
                return _braced(self.cases(x)), CONDITIONAL
            case e.Call(function, arguments):
                return self.call(function, arguments)
            case e.Comprehension():
                return self.comprehension(x)
            case e.With(value, bindings):
                names = "<mo>,</mo>".join(self.binding(each) for each in bindings)
                return f"<msub><mrow>{self.text(value)}<mo>|</mo></mrow><mrow>{names}</mrow></msub>", ATOM
        raise TypeError(type(x).__name__)

    def text(self, x: e.Expression) -> str:
        """The MathML, without parentheses around it."""
        return self.printed(x)[0]

    def row(self, x: e.Expression) -> str:
        """The MathML as one element."""
        return f"<mrow>{self.text(x)}</mrow>"

    def within(self, x: e.Expression, level: int) -> str:
        """The MathML as a part of something that binds so tightly."""
        text, own = self.printed(x)
        return _parenthesised(text) if own < level else text

    def symbol(self, name: str, otherwise: str = "") -> str:
        """The symbol of a name, else the name."""
        latex = self._symbols(name)
        return symbol_mathml(latex) if latex else upright(otherwise or name)

    def binary(self, operator: str, left: e.Expression, right: e.Expression) -> Printed:
        """Arithmetic: quotients as fractions, products with a small space unless two digits would meet."""
        match operator:
            case "+" | "-":
                sign = _MINUS if operator == "-" else "+"
                return f"{self.within(left, SUM)}<mo>{sign}</mo>{self.term(right)}", SUM
            case "*":
                first, second = self.within(left, PRODUCT), self.within(right, POWER)
                return f"{first}{'<mo>·</mo>' if second.startswith('<mn>') else _THIN}{second}", PRODUCT
            case "/":
                return f"<mfrac>{self.row(left)}{self.row(right)}</mfrac>", POWER
            case "%":
                return f"{self.within(left, PRODUCT)}{_word('mod')}{self.within(right, POWER)}", BIG
        return f"<msup><mrow>{self.within(left, ATOM)}</mrow>{self.row(right)}</msup>", POWER

    def term(self, x: e.Expression) -> str:
        """A term behind a sign: one with a sign of its own stands in parentheses."""
        return _parenthesised(self.text(x)) if isinstance(x, e.Negate) else self.within(x, BIG)

    def cases(self, x: e.Expression) -> str:
        """The lines of a distinction; one that stands in the last branch goes on with its lines."""
        match x:
            case e.Conditional(then, condition, e.Conditional() as otherwise):
                return f"{self.line(then, condition)}{self.cases(otherwise)}"
            case e.Conditional(then, condition, otherwise):
                return f"{self.line(then, condition)}{_line(self.text(otherwise), '<mtext>otherwise</mtext>')}"
            case e.Match(subject, arms):
                return "".join(self.arm(self.within(subject, SUM), arm) for arm in arms)
        raise TypeError(type(x).__name__)

    def line(self, value: e.Expression, condition: e.Expression) -> str:
        """One line of a distinction."""
        return _line(self.text(value), f"<mtext>if</mtext>{_WIDE}{self.text(condition)}")

    def arm(self, subject: str, arm: e.Arm) -> str:
        """One line of a match."""
        patterns = [self.pattern(each) for each in arm.patterns]
        listed = "<mo>,</mo>".join(patterns)
        test = f"<mo>=</mo>{listed}" if len(patterns) == 1 else f"<mo>∈</mo><mo>{{</mo>{listed}<mo>}}</mo>"
        return _line(self.text(arm.value), f"<mtext>if</mtext>{_WIDE}{subject}{test}")

    def pattern(self, pattern: e.Expression) -> str:
        """A word of a choice is no quantity, so it has no symbol."""
        return upright(".".join(pattern.path)) if isinstance(pattern, e.Name) else self.text(pattern)

    def binding(self, binding: e.Binding) -> str:
        """`input = value` of a `with`."""
        return f"{self.text(binding.name)}<mo>=</mo>{self.text(binding.value)}"

    def call(self, function: str, arguments: tuple[e.Expression, ...]) -> Printed:
        """A builtin in its mathematical form, anything else as a function."""
        match function, arguments:
            case "sum", (first, *others):
                level = SUM if others else ATOM
                return "<mo>+</mo>".join([self.within(first, level), *(self.term(each) for each in others)]), level
            case (("ceil" | "floor" | "abs"), (x,)):
                return _between(function, self.text(x)), ATOM
            case (("ceildiv" | "floordiv"), (a, b)):
                return _between(function, f"<mfrac>{self.row(a)}{self.row(b)}</mfrac>"), ATOM
            case "sqrt", (x,):
                return f"<msqrt>{self.text(x)}</msqrt>", ATOM
            case "one_if", (flag,):
                return _fenced("[", self.text(flag), "]"), ATOM
        name = "<msub><mi>log</mi><mn>2</mn></msub>" if function == "log2" else self.symbol(function, _plain(function))
        return self.application(name, "<mo>,</mo>".join(self.text(each) for each in arguments)), ATOM

    def application(self, name: str, inside: str) -> str:
        """A function of something."""
        return f"{name}<mo>&#x2061;</mo>{_parenthesised(inside)}"

    def comprehension(self, x: e.Comprehension) -> Printed:
        """A sum, minimum or maximum over the rows of a table."""
        table = ".".join(x.table.path)
        inner = _MathPrinter(self._symbols, {**self._rows, x.row: table})
        below = f"<mrow>{upright(x.row)}<mo>∈</mo>{self.symbol(table)}</mrow>"
        if x.condition is not None:
            below = f"<mtable><mtr><mtd>{below}</mtd></mtr><mtr><mtd>{inner.text(x.condition)}</mtd></mtr></mtable>"
        sign = f"<mo>{_SIGNS[x.function]}</mo>" if x.function in _SIGNS else upright(_plain(x.function))
        return f"<munder>{sign}{below}</munder>{_THIN}{inner.within(x.value, PRODUCT)}", BIG


_PLAIN = {"largest": "arg max"}
_FENCES = {"ceil": ("⌈", "⌉"), "ceildiv": ("⌈", "⌉"), "floor": ("⌊", "⌋"), "floordiv": ("⌊", "⌋"), "abs": ("|", "|")}
_TALL = ("<mfrac", "<mtable", "<munder", "<msqrt")


def _plain(function: str) -> str:
    return _PLAIN.get(function, function)


def _between(function: str, inside: str) -> str:
    left, right = _FENCES[function]
    return _fenced(left, inside, right)


def _parenthesised(inside: str) -> str:
    return _fenced("(", inside, ")")


def _fenced(left: str, inside: str, right: str) -> str:
    """Fences as tall as what they hold; around what is flat, letters of the font stand closer."""
    flat = "" if any(tall in inside for tall in _TALL) else ' stretchy="false"'
    return f"<mrow><mo{flat}>{left}</mo>{inside}<mo{flat}>{right}</mo></mrow>"


def _word(word: str) -> str:
    return f"{_WIDE}<mtext>{word}</mtext>{_WIDE}"


def _braced(lines: str) -> str:
    return f'<mrow><mo>{{</mo><mtable columnalign="left">{lines}</mtable></mrow>'


def _line(value: str, when: str) -> str:
    return f"<mtr><mtd>{value}</mtd><mtd>{_WIDE}{when}</mtd></mtr>"


def _number(text: str, unit: str) -> Printed:
    digits, _, power = text.replace("_", "").lower().partition("e")
    whole, point, rest = digits.partition(".")
    shown = re.sub(r"(?<=\d)(?=(\d{3})+$)", ",", whole) if len(whole) > 4 else whole  # noqa: PLR2004 - 4096, 65,536
    mathml, level = f"<mn>{escape(shown + point + rest)}</mn>", ATOM
    if power:
        exponent = f"<msup><mn>10</mn><mn>{int(power)}</mn></msup>".replace("<mn>-", f"<mn>{_MINUS}")
        mathml, level = (exponent, POWER) if digits == "1" else (f"{mathml}<mo>{_TIMES}</mo>{exponent}", PRODUCT)
    if unit:
        mathml, level = f"{mathml}{_THIN}<mtext>{escape(unit)}</mtext>", min(level, PRODUCT)
    return mathml, level
