"""What the tests of the workbook share: documents, the values of a book, and how two values are compared."""

import io
import math
from collections.abc import Collection, Mapping
from typing import Any

import xlsxwriter

from export.office import Office
from export.papers import evaluator, usual
from formula_eval.ask.workbook.naming import Refs
from formula_eval.cache import Cache, cache_directory
from formula_eval.core.graph import Node
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.document import Document, document_of
from formula_eval.export.workbook.units import Value, cell_value
from formula_eval.export.workbook.workbook_context import Book
from formula_eval.export.workbook.writer import OPTIONS, build
from formula_eval.library import Library
from formula_eval.records.givens import Question

__all__ = ["agrees", "book_of", "document", "evaluator", "mismatches", "shown"]

NOT_THERE = 32767


def document(
    records: Mapping[str, str],
    values: Mapping[str, Any],
    only: tuple[str, ...] = (),
    library: Library | None = None,
    *,
    training: bool = False,
) -> Document:
    asked = evaluator() if library is None else Evaluator(library, Cache(cache_directory()))
    wanted = asked.select(only or usual(training=training))
    question = Question(records, values, purpose="training" if training else "")
    return document_of(asked, question, wanted, command="formula-eval export excel", named=bool(only))


def book_of(of: Document, refs: Refs = "names") -> tuple[Book, bytes]:
    """The book, which knows what each formula cell holds, and the file."""
    held = io.BytesIO()
    workbook = xlsxwriter.Workbook(held, OPTIONS)
    book = build(of, workbook, refs)
    workbook.close()
    return book, held.getvalue()


def agrees(expected: Value, found: object) -> bool:
    """Whether a recalculated cell is what the engine says, to twelve digits; LibreOffice reads flags as numbers."""
    if isinstance(expected, str) or isinstance(found, str):
        return expected == found
    if not isinstance(found, int | float):
        return False
    return math.isclose(found, float(expected), rel_tol=1e-12, abs_tol=1e-300)


def shown(value: object, error: int | None) -> object:
    """A cell as LibreOffice holds it, with its error as text."""
    if error is None:
        return value
    return "#N/A" if error == NOT_THERE else f"error {error}"


def mismatches(office: Office, book: Book, nodes: Collection[Node], expected: Mapping[str, float]) -> list[str]:
    """The nodes whose cell in LibreOffice is not what the engine computes."""
    columns = {(place := book.naming.places[node.name]).sheet: place.column for node in nodes}
    grids = {title: office.ask("column", title, column) for title, column in columns.items()}
    errors = {title: {(r, c): code for r, c, code in office.ask("errors", title, at)} for title, at in columns.items()}
    found = []
    for node in nodes:
        place = book.naming.places[node.name]
        cell = grids[place.sheet][place.row]
        value = shown(cell, errors[place.sheet].get((place.row, place.column)))
        if not agrees(cell_value(expected[node.name], node), value):
            found.append(f"{node.name}: {expected[node.name]!r}, recalculated {value!r}")
    return found
