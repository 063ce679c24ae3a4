"""Prints expressions, as their author wrote them or lowered, as LaTeX that KaTeX renders as well."""

import re
from collections.abc import Callable, Mapping
from typing import ClassVar

from formula_eval.core import expression as e
from formula_eval.printing import printer as p
from formula_eval.printing.mathematics import MathPrinter

_SPECIAL = {each: rf"\{each}" for each in "_%&#${} "} | {"^": r"\wedge ", "~": r"\sim ", "\\": r"\backslash "}
_SPECIAL |= {"-": "{-}"}
_ACCENTS = re.compile(r"\\(bar|hat|tilde|vec|dot|ddot|check|breve|acute|grave|mathring)\b")
_POWER = re.compile(r"\*\*(\d)")


def latex_text(expression: e.Expression, symbols: Callable[[str], str]) -> str:
    r"""The expression in display style; `symbols` gives the symbol of a name, or nothing.

    What has no symbol is written out, upright: `\mathrm{kv\_heads}`.
    """
    return LatexPrinter(symbols).text(expression)


def upright(text: str) -> str:
    r"""A word as upright letters: `\mathrm{kv\_heads}`."""
    return rf"\mathrm{{{''.join(_SPECIAL.get(each, each) for each in text)}}}"


class LatexPrinter(MathPrinter):
    """LaTeX of one line."""

    words: ClassVar[Mapping[str, str]] = {
        "true": upright("true"),
        "false": upright("false"),
        "infinity": r"\infty",
    }  # flags stand upright
    signs: ClassVar[Mapping[str, str]] = {
        "==": " = ",
        "!=": r" \ne ",
        "<": " < ",
        "<=": r" \le ",
        ">": " > ",
        ">=": r" \ge ",
        "or": r" \lor ",
        "and": r" \land ",
        "not": r"\lnot ",
        "-x": "-",
        "+": " + ",
        "-": " - ",
        "*": r"\,",
        "/": r"\frac",
        "%": r" \bmod ",
        "**": "^",
        "in": r" \in ",
        "such": r" : ",
        "comma": ", ",
        "times": r" \times ",
        "where": r" \quad \text{where } ",
        "applied": "",
    }  # a thin space multiplies
    functions: ClassVar[Mapping[str, str]] = {
        "min": r"\min",
        "max": r"\max",
        "ln": r"\ln",
        "log2": r"\log_2",
        "exp": r"\exp",
        "largest": r"\operatorname*{arg\,max}",
        "clamp": upright("clamp"),
        "largest_divisor": upright("largest_divisor"),
    }  # upright, as LaTeX sets its own
    fences: ClassVar[Mapping[str, tuple[str, str]]] = {
        "ceil": (r"\left\lceil", r"\right\rceil"),
        "floor": (r"\left\lfloor", r"\right\rfloor"),
        "round": (r"\left\lfloor", r"\right\rceil"),
        "abs": (r"\left|", r"\right|"),
        "one_if": (r"\left[", r"\right]"),
    }  # left and right, as tall as what they hold
    summation: ClassVar[str] = r"\sum"  # has the row beneath it in display style
    thousands: ClassVar[str] = "{,}"  # braces keep TeX from a space behind it
    when: ClassVar[str] = r"\text{if } "  # ahead of the condition of a case
    otherwise: ClassVar[str] = r"\text{otherwise}"  # the last case of a distinction
    first_row: ClassVar[str] = r"\text{in the first row}"  # the case in which a sequence begins
    some_row: ClassVar[str] = r"\text{if there is one}"  # the case in which a row is found
    between_lines: ClassVar[str] = r" \\ "  # ends a line of `cases`

    def upright(self, text: str) -> str:
        """A word as upright letters."""
        return upright(text)

    def symbol(self, name: str) -> str:
        """The symbol of a name, else the name."""
        return self._symbols(name) or upright(name)

    def parenthesised(self, text: str) -> str:
        """Parentheses as tall as what they hold."""
        return rf"\left({text}\right)"

    def fenced(self, left: str, inside: str, right: str) -> str:
        """Fences around something."""
        return f"{left} {inside} {right}"

    def digits(self, text: str) -> str:
        """A number without a power."""
        return text

    def power_of_ten(self, exponent: int) -> str:
        """A power of ten."""
        return f"10^{{{exponent}}}"

    def unit(self, unit: str) -> str:
        """A unit behind its number."""
        if unit == "percent":
            return r"\,\%"
        return r"\," + _POWER.sub(r"^{\1}", upright(unit))

    def reference(self, x: e.Reference) -> p.Printed:
        """The symbol of the node."""
        return self.symbol(x.node), p.ATOM

    def cell(self, row: str, column: str) -> str:
        """The column with its row below."""
        return self.below(f"{self._rows[row]}.{column}", column, self.row_word(row))

    def below(self, name: str, otherwise: str, row: str) -> str:
        """An index."""
        return f"{{{self._symbols(name) or upright(otherwise)}}}_{{{row}}}"

    def index(self, x: e.Expression) -> str:
        """As it is."""
        return self.text(x)

    def product(self, left: e.Expression, right: e.Expression) -> str:
        """A dot where two digits would meet."""
        first, second = self.within(left, p.PRODUCT), self.within(right, p.POWER)
        return rf"{first} \cdot {second}" if second.lstrip("{")[0].isdigit() else f"{first}{self.signs['*']}{second}"

    def fraction(self, left: e.Expression, right: e.Expression) -> str:
        """One above the other."""
        return rf"\frac{{{self.text(left)}}}{{{self.text(right)}}}"

    def power(self, left: e.Expression, right: e.Expression) -> str:
        """An exponent, raised."""
        base = self.within(left, p.ATOM)
        # TeX takes the braces off an accent that stands in them alone, and would meet two superscripts.
        first = "{}" if _ACCENTS.match(base) else ""
        return f"{{{first}{base}}}^{{{self.text(right)}}}"

    def braced(self, lines: str) -> str:
        """An environment of lines."""
        return rf"\begin{{cases}} {lines} \end{{cases}}"

    def case(self, value: str, when: str) -> str:
        """Two columns."""
        return f"{value} & {when}"

    def members(self, listed: list[str]) -> str:
        """A set."""
        return rf"\left\{{{', '.join(listed)}\right\}}"

    def call_sqrt(self, x: e.Expression) -> p.Printed:
        """A root."""
        return rf"\sqrt{{{self.text(x)}}}", p.ATOM

    def row_word(self, word: str) -> str:
        """A letter as a symbol, any other word upright."""
        return word if len(word) == 1 else upright(word)

    def over_rows(self, sign: str, below: str, condition: str, value: str) -> str:
        """The condition stands in a second line."""
        beneath = rf"\substack{{{below} \\ {condition}}}" if condition else below
        return f"{sign}_{{{beneath}}} {value}"

    def with_inputs(self, x: e.With) -> p.Printed:
        """A bar with the inputs beside it."""
        names = r",\; ".join(self.binding(each) for each in x.bindings)
        return rf"\left.{self.text(x.value)}\right|_{{{names}}}", p.ATOM
