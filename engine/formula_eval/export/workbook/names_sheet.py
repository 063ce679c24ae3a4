"""Writes the sheet of all defined names: the quantity that each stands for, and its cell, where the rest is said."""

from formula_eval.ask.workbook.naming import NAMES
from formula_eval.export.workbook.workbook_context import Book

HEAD, FIRST = 2, 3


def write_names(book: Book) -> None:
    """Write the whole sheet."""
    look = book.looks["names"]
    sheet = book.opened(NAMES, "names", () if book.naming.refs == "names" else look.words["of_cells"])
    sheet.head(HEAD, look.heads)
    nodes = book.document.graph.nodes
    named = sorted(book.naming.names.items(), key=lambda item: item[1].lower())
    for row, (key, name) in enumerate(named, FIRST):
        place = book.naming.places[key]
        node = nodes.get(key)
        sheet.text(row, 0, name, "name")
        sheet.text(row, 1, key if node is not None else "", "name")
        sheet.link(row, 2, f"internal:{place.address()}", place.address().replace("$", ""))
        if node is not None:
            sheet.text(row, 3, node.declaration.notes.symbol, "formula")
    sheet.raw.autofilter(HEAD, 0, HEAD + len(named), len(look.heads) - 1)
    sheet.finish(frozen=(FIRST, 1), repeat=HEAD, to_read=False)
