"""Writes the sheets of records, a column for each input, and prints the formulas that choose a record on them."""

from collections.abc import Mapping

from formula_eval.ask.workbook.naming import CUSTOM, CellRange
from formula_eval.core.graph import Node
from formula_eval.core.type import Choice, Flag
from formula_eval.export.workbook.record_tables import RecordCells, RecordTable, Selector
from formula_eval.export.workbook.sheet import Sheet
from formula_eval.export.workbook.units import LiveCell, number_format
from formula_eval.export.workbook.validation import validate
from formula_eval.export.workbook.workbook_context import Book

TITLE, HINT, UNITS, HEAD, FIRST = 0, 1, 3, 4, 5
ID, NAME, LINKS = 0, 1, 2


def title_of(book: Book, supplier: str) -> str:
    """The sheet of a supplier's records."""
    return book.layout.record_title(book.document.evaluator.schema.kinds[supplier])


def plan_records(book: Book) -> None:
    """Give every column its place."""
    for supplier, table in book.tables.items():
        title, last = title_of(book, supplier), FIRST + len(table.rows)  # and an empty row, for no record
        book.naming.put(f"{supplier} ids", f"{supplier}_ids", CellRange(title, FIRST, ID, last - 1))
        book.naming.places[f"{supplier} names"] = CellRange(title, FIRST, NAME, last)
        for key, column, wanted in _columns(table, book.document.evaluator.schema.kinds[supplier].plural):
            book.naming.put(f"{supplier}: {key}", wanted, CellRange(title, FIRST, column, last))


def _columns(table: RecordTable, records: str) -> list[tuple[str, int, str]]:
    """The key of each column that is looked up, where it is, and its name, such as `models_layers`."""
    keys = [(link, link) for link in table.links]
    keys += [(node.name, node.name) for node in table.inputs]
    keys += [(f"restated {node.name}", f"restated_{node.name}") for node in table.restated]
    return [(key, LINKS + place, f"{records}_{name}") for place, (key, name) in enumerate(keys)]


def write_records(book: Book, table: RecordTable) -> None:
    """The sheet of one supplier."""
    title = title_of(book, table.supplier)
    nodes = (*table.inputs, *table.restated)
    first = LINKS + len(table.links)
    after = first + len(nodes)
    look = book.looks["records"]
    widths = [*look.widths[:LINKS], *(14.0 for _ in table.links), *map(_width, nodes), *look.widths[LINKS:]]
    sheet = book.sheet(title, widths)
    sheet.text(TITLE, 0, title, "title")
    sheet.tall(TITLE, 24)
    for line, hint in enumerate(look.words["says"]):
        sheet.text(HINT + line, NAME, hint, "subtitle")
    heads = [node.name for node in table.inputs] + [f"{node.name} (restated)" for node in table.restated]
    sheet.head(HEAD, [*look.heads[:LINKS], *table.links, *heads, *look.heads[LINKS:]])
    sheet.text(UNITS, 0, "typed in", "unit")
    for place, node in enumerate(nodes):
        unit = book.units.typed(node).unit
        sheet.text(UNITS, first + place, f"{unit}" if unit else "", "unit", align="right")
        validate(book, sheet, node, (FIRST, first + place), FIRST + len(table.rows) - 1)
    for place, link in enumerate(table.links):
        ids = book.naming.places[f"{link} ids"].address()
        last = FIRST + len(table.rows) - 1
        sheet.raw.data_validation(FIRST, LINKS + place, last, LINKS + place, {"validate": "list", "source": f"={ids}"})
    for number, row in enumerate(table.rows):
        _write_row(book, sheet, table, row, FIRST + number)
    sheet.raw.autofilter(HEAD, 0, FIRST + len(table.rows) - 1, after + 2)
    sheet.finish(frozen=(FIRST, LINKS), repeat=HEAD, to_read=False)


def _width(node: Node) -> float:
    """Room for the longest word of the heading, with the arrow of the filter, or for its values."""
    longest = max(len(part) for part in node.name.split("_"))
    return float(max(11, min(len(node.name), longest + 10) + 3))


def _write_row(book: Book, sheet: Sheet, table: RecordTable, row: RecordCells, at: int) -> None:
    sheet.text(at, ID, row.id, "status")
    sheet.text(at, NAME, row.name, "wrap")
    column = LINKS
    for link in table.links:
        sheet.text(at, column, row.links.get(link, ""), "open" if row.id != CUSTOM else "input", align="left")
        column += 1
    style = "open" if row.id != CUSTOM else "input"
    cells = [(node, row.values) for node in table.inputs] + [(node, row.restated) for node in table.restated]
    for node, values in cells:
        if node.name in values:
            sheet.number(at, column, book.typed_value(node, float(values[node.name])), style, _format(node))
        else:
            sheet.blank(at, column, style)
        column += 1
    for text in (row.source, row.date, row.note):
        sheet.text(at, column, text, "note")
        column += 1


def _format(node: Node) -> str:
    return "@" if isinstance(node.type, Flag | Choice) else number_format(node)


def called(book: Book, selector: Selector, here: str) -> LiveCell:
    """The name of the record that a selector holds."""
    cells = book.naming.places[f"{selector.supplier} names"].address(here)
    held = selector.typed or _linked_now(book, selector) or selector.unchosen
    name = next((row.name for row in book.tables[selector.supplier].rows if row.id == held), "")
    return LiveCell(f"INDEX({cells},{book.naming.reference(f'{selector.key} row', here)})", name)


def record_number(book: Book, selector: Selector, chosen: str, here: str) -> str:
    """The formula of the row of the record whose id a cell holds; the empty row after the last for no record."""
    ids = book.naming.reference(f"{selector.supplier} ids", here)
    return f"IFERROR(MATCH({chosen},{ids},0),{len(book.tables[selector.supplier].rows) + 1})"


def linked(book: Book, selector: Selector, here: str, rows: Mapping[str, str]) -> LiveCell:
    """The record that others name, which are chosen by the row numbers in the cells `rows`; an empty text for none."""
    text = ""
    for key, supplier in reversed(selector.naming):
        if f"{supplier}: {selector.supplier}" in book.naming.places:
            cell = f"INDEX({book.naming.reference(f'{supplier}: {selector.supplier}', here)},{rows[key]})"
            text = f'IF({cell}<>"",{cell},{text or chr(34) * 2})'
    return LiveCell(text, _linked_now(book, selector))


def _linked_now(book: Book, selector: Selector) -> str:
    for key, supplier in selector.naming:
        link = book.tables[supplier].held(book.holds[key]).links.get(selector.supplier, "")
        if link and selector.supplier in book.tables[supplier].links:
            return link
    return ""
