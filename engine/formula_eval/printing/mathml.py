"""Prints expressions, as their author wrote them or lowered, as MathML that every browser renders by itself."""

import re
from collections.abc import Callable, Mapping
from html import escape
from typing import ClassVar

from formula_eval.core import expression as e
from formula_eval.printing import printer as p
from formula_eval.printing.mathematics import MathPrinter
from formula_eval.printing.symbol import symbol_mathml

_MINUS = "\u2212"
_THIN = '<mspace width="0.17em"/>'
_WIDE = '<mspace width="0.5em"/>'
_POWER = re.compile(r"\*\*(\d)")
_RAISED = str.maketrans("123456789", "\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079")
_TALL = ("<mfrac", "<mtable", "<munder", "<msqrt")


def mathml_text(expression: e.Expression, symbols: Callable[[str], str]) -> str:
    """The expression as `<math>` in display style; `symbols` gives the LaTeX symbol of a name, or nothing.

    What has no symbol is written out, upright.
    """
    return MathmlPrinter.formula(expression, symbols)


def upright(text: str) -> str:
    """A word as upright letters."""
    return f"<mi>{escape(text)}</mi>" if len(text) > 1 else f'<mi mathvariant="normal">{escape(text)}</mi>'


def _between(word: str) -> str:
    return f"{_WIDE}<mtext>{word}</mtext>{_WIDE}"


class MathmlPrinter(MathPrinter):
    """Presentation MathML, each part a sequence of elements."""

    words: ClassVar[Mapping[str, str]] = {
        "true": upright("true"),
        "false": upright("false"),
        "infinity": "<mi>∞</mi>",
    }  # flags stand upright
    signs: ClassVar[Mapping[str, str]] = {
        "==": "<mo>=</mo>",
        "!=": "<mo>≠</mo>",
        "<": "<mo>&lt;</mo>",
        "<=": "<mo>≤</mo>",
        ">": "<mo>&gt;</mo>",
        ">=": "<mo>≥</mo>",
        "or": _between("or"),
        "and": _between("and"),
        "not": "<mo>¬</mo>",
        "-x": f"<mo>{_MINUS}</mo>",
        "+": "<mo>+</mo>",
        "-": f"<mo>{_MINUS}</mo>",
        "*": _THIN,
        "/": "<mfrac>",
        "%": _between("mod"),
        "**": "<msup>",
        "in": "<mo>∈</mo>",
        "such": "<mo>:</mo>",
        "comma": "<mo>,</mo>",
        "times": "<mo>\u00d7</mo>",
        "where": f"{_WIDE}{_between('where')}",
        "applied": "<mo>&#x2061;</mo>",
    }  # a thin space multiplies, an invisible operator applies
    functions: ClassVar[Mapping[str, str]] = {
        "min": upright("min"),
        "max": upright("max"),
        "ln": upright("ln"),
        "log2": "<msub><mi>log</mi><mn>2</mn></msub>",
        "exp": upright("exp"),
        "largest": upright("arg max"),
        "clamp": upright("clamp"),
        "largest_divisor": upright("largest_divisor"),
    }  # upright, with the base of a logarithm below
    fences: ClassVar[Mapping[str, tuple[str, str]]] = {
        "ceil": ("⌈", "⌉"),
        "floor": ("⌊", "⌋"),
        "round": ("⌊", "⌉"),
        "abs": ("|", "|"),
        "one_if": ("[", "]"),
    }  # left and right, which `fenced` makes operators
    summation: ClassVar[str] = "<mo>∑</mo>"  # has the row beneath it in a `munder`
    thousands: ClassVar[str] = ","  # inside the `mn` of the number
    when: ClassVar[str] = f"<mtext>if</mtext>{_WIDE}"  # ahead of the condition of a case
    otherwise: ClassVar[str] = "<mtext>otherwise</mtext>"  # the last case of a distinction
    first_row: ClassVar[str] = "<mtext>in the first row</mtext>"  # the case in which a sequence begins
    some_row: ClassVar[str] = "<mtext>if there is one</mtext>"  # the case in which a row is found
    between_lines: ClassVar[str] = ""  # empty, since each case is an `mtr`

    @classmethod
    def formula(cls, x: e.Expression, names: p.Names) -> str:
        """As one element, in display style."""
        return f'<math display="block">{cls(names).text(x)}</math>'

    def upright(self, text: str) -> str:
        """A word as upright letters."""
        return upright(text)

    def symbol(self, name: str) -> str:
        """The symbol of a name, else the name."""
        return self._symbol(name, name)

    def _symbol(self, name: str, otherwise: str) -> str:
        latex = self._symbols(name)
        return symbol_mathml(latex) if latex else upright(otherwise)

    def row(self, x: e.Expression) -> str:
        """An expression as one element."""
        return f"<mrow>{self.text(x)}</mrow>"

    def parenthesised(self, text: str) -> str:
        """Parentheses."""
        return self.fenced("(", text, ")")

    def fenced(self, left: str, inside: str, right: str) -> str:
        """Fences as tall as what they hold; around what is flat, letters of the font stand closer."""
        flat = "" if any(tall in inside for tall in _TALL) else ' stretchy="false"'
        return f"<mrow><mo{flat}>{left}</mo>{inside}<mo{flat}>{right}</mo></mrow>"

    def digits(self, text: str) -> str:
        """A number without a power."""
        return f"<mn>{escape(text)}</mn>"

    def power_of_ten(self, exponent: int) -> str:
        """A power of ten."""
        return f"<msup><mn>10</mn><mn>{exponent}</mn></msup>".replace("<mn>-", f"<mn>{_MINUS}")

    def unit(self, unit: str) -> str:
        """A unit behind its number."""
        if unit == "percent":
            return f"{_THIN}<mtext>%</mtext>"
        return f"{_THIN}<mtext>{escape(_POWER.sub(lambda found: found[1].translate(_RAISED), unit))}</mtext>"

    def reference(self, x: e.Reference) -> p.Printed:
        """The symbol of what the author wrote for the node."""
        return self.symbol(x.written or x.node), p.ATOM

    def cell(self, row: str, column: str) -> str:
        """The column with its row below."""
        return self.below(f"{self._rows[row]}.{column}", column, self.row_word(row))

    def below(self, name: str, otherwise: str, row: str) -> str:
        """An index."""
        return f"<msub>{self._symbol(name, otherwise)}{row}</msub>"

    def index(self, x: e.Expression) -> str:
        """One element."""
        return self.row(x)

    def product(self, left: e.Expression, right: e.Expression) -> str:
        """A dot where two digits would meet, else a small space."""
        first, second = self.within(left, p.PRODUCT), self.within(right, p.POWER)
        return f"{first}{'<mo>·</mo>' if second.startswith('<mn>') else self.signs['*']}{second}"

    def fraction(self, left: e.Expression, right: e.Expression) -> str:
        """One above the other."""
        return f"<mfrac>{self.row(left)}{self.row(right)}</mfrac>"

    def power(self, left: e.Expression, right: e.Expression) -> str:
        """An exponent, raised."""
        return f"<msup><mrow>{self.within(left, p.ATOM)}</mrow>{self.row(right)}</msup>"

    def braced(self, lines: str) -> str:
        """A table behind a brace."""
        return f'<mrow><mo>{{</mo><mtable columnalign="left">{lines}</mtable></mrow>'

    def case(self, value: str, when: str) -> str:
        """A row of two cells."""
        return f"<mtr><mtd>{value}</mtd><mtd>{_WIDE}{when}</mtd></mtr>"

    def members(self, listed: list[str]) -> str:
        """A set."""
        return f"<mo>{{</mo>{self.signs['comma'].join(listed)}<mo>}}</mo>"

    def call_sqrt(self, x: e.Expression) -> p.Printed:
        """A root."""
        return f"<msqrt>{self.text(x)}</msqrt>", p.ATOM

    def row_word(self, word: str) -> str:
        """A word, upright."""
        return upright(word)

    def over_rows(self, sign: str, below: str, condition: str, value: str) -> str:
        """The condition stands in a second line."""
        beneath = f"<mrow>{below}</mrow>"
        if condition:
            beneath = f"<mtable><mtr><mtd>{beneath}</mtd></mtr><mtr><mtd>{condition}</mtd></mtr></mtable>"
        return f"<munder>{sign}{beneath}</munder>{_THIN}{value}"

    def with_inputs(self, x: e.With) -> p.Printed:
        """A bar with the inputs beside it."""
        names = self.signs["comma"].join(self.binding(each) for each in x.bindings)
        return f"<msub><mrow>{self.text(x.value)}<mo>|</mo></mrow><mrow>{names}</mrow></msub>", p.ATOM
