"""Writes what a reader looks up at the end of a workbook: all defined names, and the works that its formulas cite."""

import re
from collections.abc import Mapping

from formula_eval.ask.workbook.naming import NAMES
from formula_eval.export.workbook.sheet import Sheet
from formula_eval.export.workbook.workbook_context import Book

SOURCES = "Sources"
HEAD, FIRST = 2, 3
_ADDRESS = re.compile(r"https?://[A-Za-z0-9./_~%?&=#:+@()-]{1,1500}")


def write_names(book: Book) -> None:
    """Write the names, each with the quantity that it stands for and its cell, where the rest is said."""
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


def write_sources(book: Book) -> None:
    """Write the works by key, each with what cites it."""
    sheet = book.opened(SOURCES, "sources")
    sheet.head(HEAD, book.looks["sources"].heads)
    for row, (key, names) in enumerate(sorted(_cited(book).items()), FIRST):
        _write_source(sheet, row, key, book.document.sources.get(key, {}), names)
    sheet.finish(frozen=(FIRST, 1), repeat=HEAD)


def _cited(book: Book) -> dict[str, list[str]]:
    cited: dict[str, dict[str, None]] = {}
    for node in book.document.nodes:
        for source in node.declaration.notes.sources:
            shown = node.declaration.name if node.is_part_of_another else node.base
            cited.setdefault(source.key, {})[shown] = None
    return {key: list(names) for key, names in cited.items()}


def _write_source(sheet: Sheet, row: int, key: str, source: Mapping[str, object], names: list[str]) -> None:
    authors = source.get("authors", "")
    sheet.text(row, 0, key, "name")
    sheet.text(row, 1, ", ".join(map(str, authors)) if isinstance(authors, list) else str(authors), "wrap")
    sheet.text(row, 2, str(source.get("year", "")), "text")
    sheet.text(row, 3, str(source.get("title", "")), "wrap")
    address = str(source.get("url", ""))
    if _ADDRESS.fullmatch(address):
        sheet.link(row, 4, address, address, "linked")
    else:
        sheet.text(row, 4, address, "wrap")
    sheet.text(row, 5, ", ".join(names), "note")
