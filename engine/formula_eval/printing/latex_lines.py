r"""Breaks expressions too wide for a line into several lines of LaTeX, before their outermost signs first."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Self

from formula_eval.core import expression as e
from formula_eval.printing import latex, printer as p
from formula_eval.printing.latex_width import width

LINE = 62.0
_INDENT = r"\quad "
_IF = r" & \text{if }"
_OF_CASES = 0.8
_WORD = r"\mathrm{"
_ENDS_IN_WORD = re.compile(r"(^|[^_^{])\\mathrm\{[^{}]*\}$")


def latex_lines(expression: e.Expression, symbols: Callable[[str], str], line: float = LINE) -> list[str]:
    """The expression as the lines of an `aligned`, each no wider than so many letters where it can be broken."""
    return _LinePrinter(symbols, line).lines(expression)


class _LinePrinter(latex.LatexPrinter):
    """Prints what is too wide as a block of lines, which fits between any parentheses and into any fraction."""

    def __init__(self, symbols: Callable[[str], str], line: float, rows: Mapping[str, str] | None = None) -> None:
        super().__init__(symbols, rows)
        self._line = line

    def inside(self, rows: Mapping[str, str]) -> Self:
        """The printer for what stands within a comprehension."""
        return type(self)(self._symbols, self._line, rows)

    def lines(self, x: e.Expression) -> list[str]:
        """The whole expression in lines; those after the first are set in."""
        text, _ = super().printed(x)
        if width(text) <= self._line:
            return [text]
        if isinstance(x, e.Where):
            return [*self.lines(x.value), *(line for piece in x.pieces for line in self._piece(piece))]
        first, *rest = _packed([*self._pieces(x)] or [self.text(x)], self._line)
        return [first, *(f"{_INDENT}{name}" for name in rest)]

    def _piece(self, piece: e.NamedPiece) -> list[str]:
        """The lines of a piece, beneath what reads it."""
        head = rf"{_INDENT}\text{{where }} {self.symbol(piece.name)}{self.signs['==']}"
        first, *rest = _LinePrinter(self._symbols, self._line - width(head), self._rows).lines(piece.value)
        return [f"{head}{first}", *(f"{_INDENT}{name}" for name in rest)]

    def printed(self, x: e.Expression) -> p.Printed:
        """The LaTeX, in lines if it is too wide for one."""
        text, level = super().printed(x)
        if width(text) <= self._line:
            return text, level
        lines = _packed([*self._pieces(x)], self._line)
        if len(lines) < 2:  # noqa: PLR2004 - nothing to break
            return text, level
        rows = r" \\ ".join(f"& {line}" for line in lines)
        return rf"\begin{{aligned}} {rows} \end{{aligned}}", level

    def product(self, left: e.Expression, right: e.Expression) -> str:
        """A product within a product, and a number with a unit, read well without parentheses."""
        second = self.text(right) if _is_factor(right) else self.within(right, p.POWER)
        return _product(self.within(left, p.PRODUCT), second)

    def cases(self, x: e.Conditional | e.Match) -> str:
        """The lines of a distinction, whose values share theirs with a condition."""
        narrower = _LinePrinter(self._symbols, self._line * _OF_CASES, self._rows)
        return latex.LatexPrinter.cases(narrower, x)

    def line(self, value: e.Expression, condition: e.Expression) -> str:
        """A value and its condition."""
        return self._stacked(super().line(value, condition))

    def arm(self, subject: str, arm: e.Arm) -> str:
        """A value and the words for which it holds."""
        return self._stacked(super().arm(subject, arm))

    def _stacked(self, text: str) -> str:
        """A value with its condition beneath it where they are too wide side by side."""
        value, behind, condition = text.rpartition(_IF)
        if not behind or width(text) <= self._line / _OF_CASES:
            return text
        return rf"\begin{{aligned}} & {value} \\ & {_INDENT}{_IF[3:]}{condition} \end{{aligned}}"

    def call(self, x: e.Call) -> p.Printed:
        """A function whose arguments do not fit beside each other has them one below the other."""
        text, level = super().call(x)
        if width(text) <= self._line or x.function == "sum" or len(x.arguments) < 2:  # noqa: PLR2004 - nothing to break
            return text, level
        below = r", \\ ".join(f"& {self.text(argument)}" for argument in x.arguments)
        plain = ", ".join(self.text(argument) for argument in x.arguments)
        return text.replace(plain, rf"\begin{{aligned}} {below} \end{{aligned}}"), level

    def _pieces(self, x: e.Expression) -> Iterator[str]:
        """The parts between which a line may end, each with its sign in front."""
        match x:
            case e.Binary("+" | "-" as sign, left, right):
                yield from self._pieces(left) if _is_sum(left) else [self.within(left, p.SUM)]
                yield f"{sign} {self.behind(right, p.BIG)}"
            case e.Call("sum", (first, *others)):
                yield self.within(first, p.SUM)
                yield from (f"+ {self.behind(expression, p.BIG)}" for expression in others)
            case e.Binary("*", left, right):
                yield from self._pieces(left) if _is_product(left) else [self.within(left, p.PRODUCT)]
                yield rf"\times {self.text(right) if _is_factor(right) else self.within(right, p.POWER)}"
            case e.Logical(operator, left, right):
                level = self.precedence[operator]
                same = isinstance(left, e.Logical) and left.operator == operator
                yield from self._pieces(left) if same else [self.within(left, level)]
                yield f"{self.signs[operator].lstrip()}{self.within(right, level + 1)}"


def _is_sum(x: e.Expression) -> bool:
    return isinstance(x, e.Binary) and x.operator in {"+", "-"}


def _is_product(x: e.Expression) -> bool:
    return isinstance(x, e.Binary) and x.operator == "*"


def _is_factor(x: e.Expression) -> bool:
    return _is_product(x) or (isinstance(x, e.Number) and "e" not in x.text)


def _packed(pieces: list[str], line: float) -> list[str]:
    """As many pieces to each line as fit; within a line, a product needs its sign only before a digit."""
    lines: list[str] = []
    for piece in pieces:
        joined = _joined(lines[-1], piece) if lines else piece
        if lines and width(joined) <= line:
            lines[-1] = joined
        else:
            lines.append(piece)
    return lines


def _joined(line: str, piece: str) -> str:
    times, _, factor = piece.partition(r"\times ")
    if times or not factor:
        return f"{line} {piece}"
    return _product(line, factor)


def _product(first: str, second: str) -> str:
    """Factors side by side; with a dot where digits or whole words would meet."""
    dotted = second.lstrip("{")[0].isdigit() or second.startswith(_WORD) or _ENDS_IN_WORD.search(first)
    return rf"{first} \cdot {second}" if dotted else rf"{first}\,{second}"
