"""Prints expressions, as their author wrote them or lowered, as MathML that every browser renders by itself."""

import re
from collections.abc import Mapping
from html import escape
from typing import ClassVar

from formula_eval.core import expression as e
from formula_eval.printing import printer as p
from formula_eval.printing.mathematics import Forms, MathPrinter
from formula_eval.printing.symbol import symbol_mathml

_MINUS = "\u2212"
_THIN = '<mspace width="0.17em"/>'
_WIDE = '<mspace width="0.5em"/>'
_POWER = re.compile(r"\*\*(\d)")
_RAISED = str.maketrans("123456789", "\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079")
_TALL = ("<mfrac", "<mtable", "<munder", "<msqrt")


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
        "beside": "<mo>,</mo>",
        "dot": "<mo>·</mo>",
        "where": f"{_WIDE}{_between('where')}",
        "applied": "<mo>&#x2061;</mo>",
    }  # a thin space multiplies, an invisible operator applies
    functions: ClassVar[Mapping[str, str]] = {
        **{each: upright(each) for each in ("min", "max", "ln", "exp", "clamp", "largest_divisor", "months_later")},
        "log2": "<msub><mi>log</mi><mn>2</mn></msub>",
        "largest": upright("arg max"),
    }  # upright, with the base of a logarithm below
    fences: ClassVar[Mapping[str, tuple[str, str]]] = {
        "ceil": ("⌈", "⌉"),
        "floor": ("⌊", "⌋"),
        "round": ("⌊", "⌉"),
        "abs": ("|", "|"),
        "one_if": ("[", "]"),
    }  # left and right, which `fenced` makes operators
    forms: ClassVar[Forms] = Forms(
        digits="<mn>%s</mn>",
        thousands=",",
        ten="<msup><mn>10</mn><mn>%s</mn></msup>",
        minus=_MINUS,
        part="<mrow>%s</mrow>",
        below="<msub>%s%s</msub>",
        fraction="<mfrac>%s%s</mfrac>",
        power="<msup><mrow>%s</mrow>%s</msup>",
        root="<msqrt>%s</msqrt>",
        braced='<mrow><mo>{</mo><mtable columnalign="left">%s</mtable></mrow>',
        case=f"<mtr><mtd>%s</mtd><mtd>{_WIDE}%s</mtd></mtr>",
        between_cases="",
        when=f"<mtext>if</mtext>{_WIDE}",
        otherwise="<mtext>otherwise</mtext>",
        first_row="<mtext>in the first row</mtext>",
        some_row="<mtext>if there is one</mtext>",
        members="<mo>{</mo>%s<mo>}</mo>",
        summation="<mo>∑</mo>",
        over=f"<munder>%s%s</munder>{_THIN}%s",
        only="<mtable><mtr><mtd>%s</mtd></mtr><mtr><mtd>%s</mtd></mtr></mtable>",
        beside="<msub><mrow>%s<mo>|</mo></mrow><mrow>%s</mrow></msub>",
    )  # each part is one element where a form needs that
    begins_with_digit: ClassVar[re.Pattern[str]] = re.compile("<mn>")  # the element of a number

    @classmethod
    def formula(cls, x: e.Expression, names: p.Names) -> str:
        """As one element, in display style."""
        return f'<math display="block">{cls(names).text(x)}</math>'

    def upright(self, text: str) -> str:
        """A word as upright letters."""
        return upright(text)

    def symbol(self, name: str, otherwise: str = "") -> str:
        """The symbol of a name, else a word or the name itself."""
        latex = self._symbols(name)
        return symbol_mathml(latex) if latex else upright(otherwise or name)

    def parenthesised(self, text: str) -> str:
        """Parentheses."""
        return self.fenced("(", text, ")")

    def fenced(self, left: str, inside: str, right: str) -> str:
        """Fences as tall as what they hold; around what is flat, letters of the font stand closer."""
        flat = "" if any(tall in inside for tall in _TALL) else ' stretchy="false"'
        return f"<mrow><mo{flat}>{left}</mo>{inside}<mo{flat}>{right}</mo></mrow>"

    def unit(self, unit: str) -> str:
        """A unit behind its number."""
        if unit == "percent":
            return f"{_THIN}<mtext>%</mtext>"
        return f"{_THIN}<mtext>{escape(_POWER.sub(lambda found: found[1].translate(_RAISED), unit))}</mtext>"

    def reference(self, x: e.Reference) -> p.Printed:
        """The symbol of what the author wrote for the node."""
        return self.symbol(x.written or x.node), p.ATOM
