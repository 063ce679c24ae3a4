"""Prints the formulas that choose a record: its number on its sheet, and the one that another record names."""

from collections.abc import Mapping

from formula_eval.export.workbook.record_tables import Selector
from formula_eval.export.workbook.workbook_context import Book


def record_number(book: Book, selector: Selector, chosen: str, here: str) -> str:
    """The formula of the row of the record whose id a cell holds; the empty row after the last for no record."""
    ids = book.naming.reference(f"{selector.supplier} ids", here)
    return f"IFERROR(MATCH({chosen},{ids},0),{len(book.tables[selector.supplier].rows) + 1})"


def linked_formula(book: Book, selector: Selector, here: str, rows: Mapping[str, str]) -> str:
    """The formula of the record that others name, which are chosen by the row numbers in the cells `rows`."""
    text = ""
    for key, supplier in reversed(selector.naming):
        if f"{supplier}: {selector.supplier}" in book.naming.places:
            cell = f"INDEX({book.naming.reference(f'{supplier}: {selector.supplier}', here)},{rows[key]})"
            text = f'IF({cell}<>"",{cell},{text or chr(34) * 2})'
    return text


def linked_now(book: Book, selector: Selector) -> str:
    """The current value of that formula."""
    for key, supplier in selector.naming:
        link = book.tables[supplier].held(book.holds[key]).links.get(selector.supplier, "")
        if link and selector.supplier in book.tables[supplier].links:
            return link
    return ""
