"""Prints expressions, as their author wrote them or lowered, as LaTeX that KaTeX renders as well."""

import re
from collections.abc import Mapping
from typing import ClassVar

from formula_eval.core import expression as e
from formula_eval.printing import printer as p
from formula_eval.printing.mathematics import Forms, MathPrinter

_SPECIAL = {name: rf"\{name}" for name in "_%&#${} "} | {"^": r"\wedge ", "~": r"\sim ", "\\": r"\backslash "}
_SPECIAL |= {"-": "{-}"}
_ACCENTS = re.compile(r"\\(bar|hat|tilde|vec|dot|ddot|check|breve|acute|grave|mathring)\b")
_POWER = re.compile(r"\*\*(\d)")


def upright(text: str) -> str:
    r"""A word as upright letters: `\mathrm{kv\_heads}`."""
    return rf"\mathrm{{{''.join(_SPECIAL.get(name, name) for name in text)}}}"


class LatexPrinter(MathPrinter):
    r"""LaTeX of one line, in display style; a name without a symbol is upright: `\mathrm{kv\_heads}`."""

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
        "beside": r",\; ",
        "dot": r" \cdot ",
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
        "months_later": upright("months_later"),
    }  # upright, as LaTeX sets its own
    fences: ClassVar[Mapping[str, tuple[str, str]]] = {
        "ceil": (r"\left\lceil", r"\right\rceil"),
        "floor": (r"\left\lfloor", r"\right\rfloor"),
        "round": (r"\left\lfloor", r"\right\rceil"),
        "abs": (r"\left|", r"\right|"),
        "one_if": (r"\left[", r"\right]"),
    }  # left and right, as tall as what they hold
    forms: ClassVar[Forms] = Forms(
        digits="%s",
        thousands="{,}",
        ten="10^{%s}",
        minus="-",
        part="%s",
        below="{%s}_{%s}",
        fraction=r"\frac{%s}{%s}",
        power="{%s}^{%s}",
        root=r"\sqrt{%s}",
        braced=r"\begin{cases} %s \end{cases}",
        case="%s & %s",
        between_cases=r" \\ ",
        when=r"\text{if } ",
        otherwise=r"\text{otherwise}",
        first_row=r"\text{in the first row}",
        some_row=r"\text{if there is one}",
        members=r"\left\{%s\right\}",
        summation=r"\sum",
        over="%s_{%s} %s",
        only=r"\substack{%s \\ %s}",
        beside=r"\left.%s\right|_{%s}",
    )  # the sum has the row beneath it in display style; braces keep TeX from a space behind a comma
    begins_with_digit: ClassVar[re.Pattern[str]] = re.compile(r"\{*\d")  # in braces or not

    def upright(self, text: str) -> str:
        """A word as upright letters."""
        return upright(text)

    def symbol(self, name: str, otherwise: str = "") -> str:
        """The symbol of a name, else a word or the name itself."""
        return self._symbols(name) or upright(otherwise or name)

    def parenthesised(self, text: str) -> str:
        """Parentheses as tall as what they hold."""
        return rf"\left({text}\right)"

    def fenced(self, left: str, inside: str, right: str) -> str:
        """Fences around something."""
        return f"{left} {inside} {right}"

    def unit(self, unit: str) -> str:
        """A unit behind its number."""
        if unit == "percent":
            return r"\,\%"
        return r"\," + _POWER.sub(r"^{\1}", upright(unit))

    def reference(self, x: e.Reference) -> p.Printed:
        """The symbol of the node."""
        return self.symbol(x.node), p.ATOM

    def power(self, left: e.Expression, right: e.Expression) -> str:
        """An exponent, raised."""
        text = super().power(left, right)
        # TeX takes the braces off an accent that stands in them alone, and would meet two superscripts.
        return f"{{{{}}{text[1:]}" if _ACCENTS.match(text, 1) else text

    def row_word(self, word: str) -> str:
        """A letter as a symbol, any other word upright."""
        return word if len(word) == 1 else upright(word)
