"""Writes the sheet of all formulas: a row for each computed node, by chapter, each after what it reads there.

A formula that is too long for its cell reads addresses for names, and parts of it in cells beside it.
"""

from dataclasses import dataclass, field, replace
from pathlib import PurePath

from formula_eval.ask.workbook.naming import CALC, CellRange
from formula_eval.core import expression as e
from formula_eval.core.diagnostic import refuse
from formula_eval.core.graph import Node
from formula_eval.evaluate.subexpression import value_of
from formula_eval.export.workbook import units
from formula_eval.export.workbook.formula_lint import MOST_ARGUMENTS, MOST_CHARACTERS, MOST_DEPTH
from formula_eval.export.workbook.sheet import Sheet
from formula_eval.export.workbook.styles import INK
from formula_eval.export.workbook.workbook_context import Book

NAME, VALUE, BASE, SHOWN, SHOWN_UNIT, FORMULA, SENTENCE, SOURCE, WRITTEN = range(9)
HEAD, FIRST = 4, 5
_OVER_TERMS = ("sum", "min", "max")
_CONDITIONS = (e.Compare, e.Logical, e.Not, e.FlagValue)
_LEAVES = (e.Reference, e.Given, e.Number, e.ChoiceValue, e.FlagValue, e.Infinity)


def plan_calc(book: Book) -> None:
    """Give every computed node its place."""
    row = FIRST
    for nodes in _blocks(book).values():
        row += 1
        for node in nodes:
            place = CellRange(CALC, row, VALUE)
            if "=" in node.binding:  # its name would be a sentence, and the row says it in words
                book.naming.places[node.name] = place
            else:
                book.naming.put(node.name, node.name, place)
            row += 1
        row += 1


def _blocks(book: Book) -> dict[str, list[Node]]:
    blocks: dict[str, list[Node]] = {}
    for node in book.computed:
        title = _chapter(book, node) or "the root"
        title = f"{title}, with {node.binding.replace(',', ', ')}" if node.binding else title
        blocks.setdefault(title, []).append(node)
    return blocks


def _chapter(book: Book, node: Node) -> str:
    """The chapter of a formula: folder and file, or its part; a call belongs to the formula that makes it."""
    graph = book.document.graph
    chapter = graph.chapter_of(node)
    parts = PurePath(chapter).with_suffix("").parts
    if "formulas" in parts:
        return ": ".join(parts[parts.index("formulas") + 1 :])
    return chapter.replace(".", ": ") if chapter in graph.parts else graph.written_in(node).namespace


def write_calc(book: Book) -> None:
    """Write the whole sheet."""
    sheet = book.opened(CALC, "calc")
    sheet.head(HEAD, book.looks["calc"].heads)
    for title, nodes in _blocks(book).items():
        sheet.band(book.naming.places[nodes[0].name].row - 1, title, WRITTEN + 1)
        for node in nodes:
            _write_node(book, sheet, node)
    sheet.finish(frozen=(FIRST, 2), repeat=HEAD, to_read=False)


def _write_node(book: Book, sheet: Sheet, node: Node) -> None:
    place = book.naming.places[node.name]
    row, value = place.row, book.value(node.name)
    sheet.text(row, NAME, node.base, "name")
    sheet.formula(row, VALUE, _cell_formula(book, sheet, node), value, "calc", book.number_format(node))
    sheet.text(row, BASE, book.units.base(node), "unit")
    _write_shown(book, sheet, node, value)
    sheet.text(row, FORMULA, book.document.written_text(node), "formula")
    sheet.text(row, SENTENCE, sentence_of(node), "wrap")
    notes = node.declaration.notes
    cited = "; ".join(
        [*(f"{source.key} {source.locator}".strip() for source in notes.sources), *filter(None, [notes.derived])]
    )
    sheet.text(row, SOURCE, cited, "note")
    sheet.text(row, WRITTEN, node.declaration.span.place, "note")


def sentence_of(node: Node) -> str:
    """The sentence of a node."""
    return "A number that the message of this check shows" if node.kind == "message" else node.sentence


def _write_shown(book: Book, sheet: Sheet, node: Node, value: units.Value) -> None:
    scales = book.units.shown(node)
    place = book.naming.places[node.name]
    if scales:
        number, unit = units.shown(place.address(CALC), value, scales)
        sheet.formula(place.row, SHOWN, *number, "number", units.number_format(node, units.SCALED_FORMAT))
        sheet.formula(place.row, SHOWN_UNIT, *unit, "unit", font_color=INK, italic=False)


def _cell_formula(book: Book, sheet: Sheet, node: Node) -> str:
    """The formula of a node for its cell; what does not fit goes to the columns behind the last."""
    text = book.formula(node, CALC)
    if node.expression is None or len(text) <= MOST_CHARACTERS:
        return text
    local = {name: book.naming.places[name].address(CALC) for name in _read(node)}
    text = book.formula(node, CALC, local)
    if len(text) <= MOST_CHARACTERS:
        return text
    _check_depth(node, node.expression)
    room = MOST_CHARACTERS - (len(text) - len(book.formula(replace(node, guard=None), CALC, local)))
    parts = _Parts(book, sheet, node, WRITTEN + 1, local, room)
    return book.formula(replace(node, expression=parts.shortened(node.expression)), CALC, local)


def _check_depth(node: Node, x: e.Expression) -> None:
    """Refuse the row with the largest value of so many that Excel nests too deep to find it."""
    calls = (
        expression for expression in e.walk(x) if isinstance(expression, e.Call) and expression.function == "largest"
    )
    if any(len(call.arguments) >= MOST_DEPTH for call in calls):
        message = (
            f"`{node.base}` looks for the row with the largest value, of more rows than a formula of Excel can hold"
        )
        raise refuse(
            "excel-limit",
            message,
            node.declaration.span,
            help="Let the table have fewer rows, or choose another document.",
        )


def _read(node: Node) -> list[str]:
    guard = [] if node.guard is None else e.references(node.guard)
    return [*guard, *(() if node.expression is None else e.references(node.expression))]


@dataclass(slots=True)
class _Parts:
    """The parts of a formula that stand in cells beside its own, each computed where the formula is."""

    book: Book
    sheet: Sheet
    node: Node
    column: int  # where the next part goes
    local: dict[str, str]  # the addresses of what is read, those of the parts among them
    room: int  # characters that the formula may have
    numbers: dict[str, float] = field(default_factory=dict)  # the values of the parts

    def shortened(self, x: e.Expression) -> e.Expression:
        """The expression with so many of its parts in other cells that it fits into one."""
        while (length := self._length(x)) > self.room and not isinstance(x, _LEAVES):
            x = self._sum_in_parts(x) if self._has_many_terms(x) else self._without_longest(x)
            if self._length(x) >= length:
                message = f"`{self.node.base}` has more branches than a formula of Excel can hold"
                help_ = "Let its table have fewer rows, or choose another document."
                raise refuse("excel-limit", message, self.node.declaration.span, help=help_)
        return x

    def _has_many_terms(self, x: e.Expression) -> bool:
        return isinstance(x, e.Call) and x.function in _OVER_TERMS and self._length(x.arguments[0]) < self.room // 2

    def _sum_in_parts(self, x: e.Expression) -> e.Expression:
        """A sum, or the least or the most of many, whose first terms have a cell of their own: the order stays."""
        assert isinstance(x, e.Call)  # noqa: S101 - as `_has_many_terms` says
        length, count = len(x.function) + 2, 0  # its name and parentheses
        while count < min(len(x.arguments) - 1, MOST_ARGUMENTS) and length < self.room:
            length += self._length(x.arguments[count]) + 1
            count += 1
        if length >= self.room:
            count -= 1
        first = x.arguments[0] if count <= 1 else e.Call(x.function, x.arguments[:count])
        return e.Call(x.function, (self._placed(first), *x.arguments[max(count, 1) :]))

    def _without_longest(self, x: e.Expression) -> e.Expression:
        """The expression with its longest part in a cell, or shortened if that does not fit or is a condition."""
        longest = max(e.children(x), key=self._length)
        own = longest if isinstance(longest, (e.Arm, *_CONDITIONS)) else None
        changed = self._without_longest(longest) if own is not None else self._placed(self.shortened(longest))
        return e.rebuild(x, lambda part: changed if part is longest else part)

    def _placed(self, part: e.Expression) -> e.Expression:
        """A reference to the cell of a part."""
        name = f"part {self.column} of {self.node.name}"
        text = self.book.formula(replace(self.node, expression=part), CALC, self.local)
        try:
            value = value_of(part, {**self.book.document.numbers, **self.numbers}, self.book.document.givens.values)
        except (ArithmeticError, ValueError):  # in a branch that is not taken
            value = 0.0
        row = self.book.naming.places[self.node.name].row
        self.sheet.formula(row, self.column, text, value, "note")
        self.local[name] = CellRange(CALC, row, self.column).address(CALC)
        self.numbers[name] = value
        self.column += 1
        return e.Reference(name)

    def _length(self, x: e.Expression) -> int:
        if isinstance(x, e.Arm):
            x = x.value
        return len(self.book.formula(replace(self.node, expression=x, guard=None), CALC, self.local))
