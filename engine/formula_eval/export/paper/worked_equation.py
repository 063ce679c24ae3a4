r"""Prints the rows in which an equation is shown: as written, with the numbers put in, and the result."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property

from formula_eval.analyse.substitute import Substitution, number, quantity
from formula_eval.core import expression as e
from formula_eval.core.graph import Node
from formula_eval.core.namespace import COPY_MARK, binding_parts
from formula_eval.core.quantity import Quantified
from formula_eval.core.type import Flag
from formula_eval.core.unit import UnknownUnitError
from formula_eval.evaluate.display import shown_value
from formula_eval.export.document import Document
from formula_eval.export.paper.equations import Equation, arguments_of
from formula_eval.export.paper.symbols import Symbols, column_symbol
from formula_eval.language.reader import Reader
from formula_eval.printing.latex import LatexPrinter, upright
from formula_eval.printing.latex_lines import LINE, latex_lines
from formula_eval.printing.latex_width import width

_NARROWEST = 30.0
_MOST_INSTANCES = 4
_MOST_CALLS = 2
_MOST_ROWS = 4
_DOTS = r"\cdots"
_AND = r",\; "
_INDENT = r"\quad "


class Working:
    """Prints equations of one document in one style: `symbolic`, `substituted` or `full`."""

    def __init__(self, document: Document, symbols: Symbols, style: str) -> None:
        """Of this document."""
        self._document = document
        self._symbols = symbols
        self._style = style
        self._put_in = Substitution(document.graph, document.numbers, document.givens.values)
        self._reader = Reader(document.evaluator.library.units, document.evaluator.cache)
        self._spelled: dict[str, str] = {}  # bindings as maths: many nodes are under the same

    def symbol(self, equation: Equation) -> str:
        """The symbol of what an equation gives, without its parameters."""
        return column_symbol(equation.first.declaration) if equation.table else self._symbols.of(equation.name)

    def left(self, equation: Equation) -> str:
        """The left side of an equation."""
        node, name = equation.first, equation.name
        if equation.table:
            symbol, rows = column_symbol(node.declaration), rows_of(equation)
            return rf"{symbol}_{{{upright(rows[0])}}}" if equation.column and len(rows) == 1 else symbol
        parameters = getattr(node.declaration, "parameters", ())
        if not parameters:
            return self._symbols.of(name)
        spelled = self._symbols.within(node)
        return rf"{self._symbols.of(name)}\left({', '.join(spelled(parameter.name) for parameter in parameters)}\right)"

    def rows(self, equation: Equation) -> list[str]:
        """The rows of the display, of the form `left &= right`."""
        left = self.left(equation)
        line = max(LINE - width(left), _NARROWEST)
        written = self._written(equation.first, line) if self._style != "substituted" else []
        spoken = _listed(rows_of(equation)) if equation.column and written and len(rows_of(equation)) > 1 else ""
        behind = bool(spoken) and width(written[-1] + spoken) <= line
        written[-1:] = [rf"{written[-1]}\qquad \text{{for }} {spoken}"] if behind else written[-1:]
        rows = [
            *_equated(_sign(equation.first), written),
            *(rf"&{condition}" for condition in _conditions(spoken, line) if not behind),
            *(self._worked(equation, line) if self._style != "symbolic" else ()),
        ]
        rows = [row.replace(r"\mathrm{us}", r"\mu\mathrm{s}") for row in rows]
        return [f"{left} {rows[0]}", *rows[1:]] if rows else []

    def equated(self, equation: Equation) -> str:
        """The equation as written, on one line."""
        return f"{self.left(equation)} = {' '.join(self._written(equation.first, LINE))}"

    def result(self, node: Node) -> tuple[str, str]:
        """The sign before a value and the value: exact, or rounded to four digits."""
        value, of = self._document.numbers[node.name], node.quantity
        if of.kind in ("flag", "choice", "date") or not math.isfinite(value):
            return _sign(node), _UPRIGHT.text(quantity(value, of))
        text = self.shown(node)
        return ("=" if self._is_exact(text, value, of) else r"\approx"), _UPRIGHT.text(number(text))

    def shown(self, node: Node) -> str:
        """The value as text: `137.95 GB`."""
        is_absent = math.isnan(self._document.numbers[node.name])
        return shown_value(None, node.quantity) if is_absent else self._document.shown(node.name)

    def condition(self, node: Node) -> str:
        """Under what inputs an instance is computed, as maths; nothing if under those of the question."""
        if node.kind != "call":
            return _AND.join(map(self._spelled_binding, binding_parts(node.binding)))
        spelled = self._symbols.within(node)
        values = ((spelled(name), self._put_in(value)) for name, value in arguments_of(node))
        return _AND.join(f"{name} = {_DOTTED.text(value)}" for name, value in values)

    def _written(self, node: Node, line: float) -> list[str]:
        symbols = self._symbols.within(node)
        return latex_lines(node.written, symbols, line) if node.written is not None else []

    def _worked(self, equation: Equation, line: float) -> Iterator[str]:
        """The instances that count here: the first few with all numbers put in, of the others how many there are."""
        computed = [each for each in equation.nodes if self.is_computed(each)]
        nodes = [each for each in computed if each.name in self._document.reached] or computed
        if equation.table:
            worked = self._worked_cells(equation.table)
            nodes = [each for each in nodes if each.name in worked]
        told: dict[str, None] = {}
        for node in nodes:
            told.setdefault("\n".join(self._instance(node, line, single=len(nodes) == 1)))
        first = list(told)[: _MOST_CALLS if equation.first.kind == "call" else _MOST_INSTANCES]
        yield from (row for name in first for row in name.split("\n"))
        if len(told) > len(first):
            yield rf"&\phantom{{=}}\;\text{{and so on, {len(told)} times in all}}"

    def _worked_cells(self, table: str) -> set[str]:
        """The wanted cells of a table if they are few; its grid has the values of all of them."""
        cells = self._wanted_cells.get(table, set())
        return cells if len(cells) <= _MOST_INSTANCES else set()

    @cached_property
    def _wanted_cells(self) -> dict[str, set[str]]:
        """The names of the wanted cells by table."""
        found: dict[str, set[str]] = {}
        for name in self._document.wanted:
            cell = self._document.graph.nodes[name].cell
            if cell is not None:
                found.setdefault(cell.table, set()).add(name)
        return found

    def is_computed(self, node: Node) -> bool:
        """Whether the branch that a call stands in was taken."""
        return node.guard is None or self.value(node.guard) == 1

    def value(self, expression: e.Expression) -> float:
        """The value of a lowered expression in this document."""
        return self._put_in.value(expression)

    def _instance(self, node: Node, line: float, *, single: bool) -> list[str]:
        """The rows of one instance."""
        sign, result = self.result(node)
        filled = self._filled(node, line)
        condition = self.condition(node) if node.binding or (node.kind == "call" and not single) else ""
        remark = rf"\qquad \text{{for }} {condition}" if condition else ""
        if not filled or (len(filled) == 1 and filled[0] in {result, result.split(r"\,")[0]}):
            beneath = _conditions(condition, line) if width(result + remark) > line else []
            return [f"&{sign} {result}{'' if beneath else remark}", *(f"&{name}" for name in beneath)]
        ended = f"{filled[-1]} {sign} {result}"
        if len(filled) == 1 and width(ended + remark) <= line:
            return [f"&{_sign(node)} {ended}{remark}"]
        last = [f"{sign} {result}{remark}"]
        if width(last[0]) > line:
            last = [f"{sign} {result}", *_conditions(condition, line)]
        return [*_equated(_sign(node), filled), *(f"&{name}" for name in last)]

    def _filled(self, node: Node, line: float) -> list[str]:
        """The right side with its numbers; nothing where it holds none but its own."""
        expression = node.expression
        if expression is None or isinstance(expression, e.Number | e.FlagValue | e.ChoiceValue | e.Reference):
            return []
        return latex_lines(self._put_in(expression), _dots, line)

    def _spelled_binding(self, binding: str) -> str:
        if binding not in self._spelled:
            self._spelled[binding] = self._bound(binding)
        return self._spelled[binding]

    def _bound(self, binding: str) -> str:
        """`phase = decode` or `context = prompt`, from the words that tell a copy from others."""
        name, equals, written = binding.partition("=")
        if not equals:
            return upright(binding)
        expression, _ = self._reader.expression(self._without_copies(written), "")
        symbols = self._symbols
        if isinstance(expression, e.Name) and ".".join(expression.path) in self._document.numbers:
            node = self._document.graph.nodes[".".join(expression.path)]
            return f"{symbols.of(name)} = {self.result(node)[1]}"
        known = self._document.graph.nodes
        text = (
            LatexPrinter(lambda each: symbols.of(each) if each in known else "").text(expression)
            if expression
            else upright(written)
        )
        return rf"{symbols.of(name)} \leftarrow {text}"

    def _without_copies(self, written: str) -> str:
        """A text that calls each copy of a quantity by the name of the quantity."""
        if COPY_MARK in written:
            for name in sorted((copy for copy in self._copies if copy in written), key=len, reverse=True):
                written = written.replace(name, name.partition(COPY_MARK)[0])
        return written

    @cached_property
    def _copies(self) -> list[str]:
        """The names of all copies of quantities, in the order of evaluation."""
        return [name for name in self._document.graph.nodes if COPY_MARK in name]

    def _is_exact(self, text: str, value: float, of: Quantified) -> bool:
        """Whether nothing was rounded away."""
        leaf = number(text)
        leaf = leaf.operand if isinstance(leaf, e.Negate) else leaf
        if not isinstance(leaf, e.Number):
            return True
        if not of.dimension and not of.is_multiple:
            return abs(float(leaf.text)) == abs(value)
        try:
            scale = self._document.evaluator.library.units.parse(leaf.unit).scale
        except UnknownUnitError:
            return value == 0
        return float(Fraction(leaf.text) * scale) == abs(value)


def rows_of(equation: Equation) -> list[str]:
    """The rows of a table that an equation speaks of."""
    return list(dict.fromkeys(node.cell.row.replace("_", " ") for node in equation.nodes if node.cell is not None))


def _conditions(condition: str, line: float) -> list[str]:
    """The conditions of an instance, on as many lines as they need."""
    lines: list[str] = []
    for part in condition.split(_AND) if condition else ():
        if lines and width(lines[-1] + part) <= line:
            lines[-1] += f"{_AND}{part}"
        else:
            lines.append(part)
    head = r"\quad \text{for } "
    return [f"{head if not number else _INDENT}{each}" for number, each in enumerate(lines)]


def _listed(rows: Sequence[str]) -> str:
    if len(rows) > _MOST_ROWS:
        return rf"{len(rows)}\text{{ other rows}}"
    return _AND.join(upright(row) for row in rows)


def _equated(sign: str, lines: Sequence[str]) -> Iterator[str]:
    for place, line in enumerate(lines):
        yield f"&{sign} {line}" if place == 0 else f"&\\phantom{{{sign}}} {line}"


def _sign(node: Node) -> str:
    return r"\iff" if isinstance(node.type, Flag) else "="


def _dots(name: str) -> str:
    return _DOTS if name == "..." else ""


_UPRIGHT, _DOTTED = LatexPrinter(lambda _: ""), LatexPrinter(_dots)
