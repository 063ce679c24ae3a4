"""Writes the sheet of all formulas: a row for each computed node, by chapter, each after what it reads there."""

from pathlib import PurePath

from formula_eval.ask.workbook.naming import CALC, CellRange
from formula_eval.core.graph import Node
from formula_eval.export.workbook import units
from formula_eval.export.workbook.long_formulas import cell_formula
from formula_eval.export.workbook.sheet import Sheet
from formula_eval.export.workbook.styles import INK
from formula_eval.export.workbook.workbook_context import Book
from formula_eval.printing.text import expression_text

NAME, VALUE, BASE, SHOWN, SHOWN_UNIT, FORMULA, SENTENCE, SOURCE, WRITTEN = range(9)
HEAD, FIRST = 4, 5


def plan_calc(book: Book) -> None:
    """Give every computed node its place."""
    row = FIRST
    for nodes in _blocks(book).values():
        row += 1
        for node in nodes:
            book.naming.put(node.name, node.name, CellRange(CALC, row, VALUE))
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
    sheet.formula(row, VALUE, cell_formula(book, sheet, node, WRITTEN + 1), value, "calc", book.number_format(node))
    sheet.text(row, BASE, book.units.base(node), "unit")
    _write_shown(book, sheet, node, value)
    sheet.text(row, FORMULA, expression_text(node.written) if node.written is not None else "", "formula")
    sheet.text(row, SENTENCE, sentence_of(node), "wrap")
    notes = node.declaration.notes
    cited = "; ".join(
        [*(f"{each.key} {each.locator}".strip() for each in notes.sources), *filter(None, [notes.derived])]
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
        number, unit = units.shown_formula(place.address(CALC), scales)
        held, in_unit = units.shown_value(value, scales)
        sheet.formula(place.row, SHOWN, number, held, "number", units.number_format(node, units.SCALED_FORMAT))
        sheet.formula(place.row, SHOWN_UNIT, unit, in_unit, "unit", font_color=INK, italic=False)
