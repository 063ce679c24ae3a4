"""Writes the first page of a workbook: what it is, how to use it, what it was made from."""

from collections.abc import Callable, Mapping
from datetime import datetime
from hashlib import sha256

from formula_eval.ask.layout import Section
from formula_eval.ask.workbook.naming import quoted_sheet
from formula_eval.export.document import Document
from formula_eval.export.quantities import title_of
from formula_eval.export.workbook.checks_sheet import checks_status
from formula_eval.export.workbook.sheet import Sheet, fit_text
from formula_eval.export.workbook.workbook_context import Book
from formula_eval.toml_shape import Keys, Kinds
from formula_eval.toml_table import check_table, keys, table
from formula_eval.version import __version__

README = "README"
# Files hold a date; a fixed one keeps two exports of the same document the same.
MADE_ON = datetime(2020, 1, 1)  # noqa: DTZ001 - the format knows no time zones
_FILE = "reports/workbook/readme.toml"
_ROWS = {"steps": "text when?", "legend": "look example:number|text text", "origin": "title shows"}
_BLOCKS: Mapping[str, Keys] = {
    **{kind: keys("title rows:[row]", row=table(words)) for kind, words in _ROWS.items()},
    "sheets": keys("title records says:says", says=table("*:text")),
}
README_SHEET = table("title_width:number text_width:number block:[block]", block=Kinds("block", _BLOCKS))
_SUBJECT = "Cost of a large language model, by formulas that can be read"
_OUR_RECORDS = "a model and an accelerator"


def write_readme(book: Book) -> None:
    """Write the whole sheet; raises FormulaError for what its layout lacks."""
    shown, layout = book.document.evaluator.library.last_or_ours(_FILE)
    check_table(README_SHEET, layout, shown, {})
    sheet = book.sheet(README, [float(layout["title_width"]), float(layout["text_width"])])
    sheet.text(0, 0, _title(book.document), "title")
    sheet.tall(0, 26)
    sheet.text(1, 0, "Checks", "subtitle")
    sheet.formula(1, 1, *checks_status(book, README), "status")
    row = 3
    for block in layout["block"]:
        sheet.band(row, block["title"], 2)
        row = _WRITERS[block["kind"]](book, sheet, block, row + 1) + 1
    sheet.raw.activate()
    sheet.finish(portrait=True)


def _write_steps(book: Book, sheet: Sheet, block: Section, row: int) -> int:
    """Write the steps that this workbook allows its reader."""
    there = "records" if book.tables else "no records"
    steps = [each["text"] for each in block["rows"] if each.get("when", there) == there]
    for number, text in enumerate(steps):
        sheet.text(row + number, 0, str(number + 1), "subtitle")
        sheet.text(row + number, 1, text.replace("{choices}", _choices(book)), "wrap")
    return row + len(steps)


def _write_legend(book: Book, sheet: Sheet, block: Section, row: int) -> int:
    for at, each in enumerate(block["rows"], row):
        sheet.number(at, 0, each["example"], book.styles.known(each["look"]))
        sheet.text(at, 1, each["text"], "wrap")
    return row + len(block["rows"])


def _write_sheets(book: Book, sheet: Sheet, block: Section, row: int) -> int:
    for worksheet in book.workbook.worksheets():
        title = worksheet.get_name()
        if title != README:
            sheet.link(row, 0, f"internal:{quoted_sheet(title)}!A1", title)
            sheet.text(row, 1, block["says"].get(title, block["records"]), "wrap")
            row += 1
    return row


def _write_origin(book: Book, sheet: Sheet, block: Section, row: int) -> int:
    document = book.document
    texts = {
        "version": __version__,
        "formulas": f"sha256 {formulas_hash(document)}",
        "question": f"sha256 {_question_hash(document)}",
        "command": document.command or "the Python interface",
    }
    for at, each in enumerate(block["rows"], row):
        sheet.text(at, 0, each["title"], "subtitle")
        sheet.text(at, 1, texts.get(each["shows"], ""), "wrap")
    return row + len(block["rows"])


_WRITERS: Mapping[str, Callable[[Book, Sheet, Section, int], int]] = {
    "steps": _write_steps,
    "legend": _write_legend,
    "sheets": _write_sheets,
    "origin": _write_origin,
}


def _title(document: Document) -> str:
    return fit_text(title_of(document))[:120]


def _choices(book: Book) -> str:
    """The kinds of records to choose, in words."""
    if not book.document.evaluator.library.is_alone:
        return _OUR_RECORDS
    return " and ".join(kind.replace("_", " ") for kind in book.document.result.records)


def formulas_hash(document: Document) -> str:
    """A short hash of the text of all formulas."""
    digest = sha256()
    for _, path in document.evaluator.library.files("formulas/**/*.formula"):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _question_hash(document: Document) -> str:
    givens = document.givens
    stated = sorted(givens.records.items()), sorted(givens.values.items()), sorted(document.wanted)
    return sha256(repr(stated).encode()).hexdigest()[:16]


def properties(document: Document) -> dict[str, object]:
    """The properties of the file; none differs between two exports of the same document."""
    return {
        "title": _title(document),
        "subject": document.evaluator.library.title or _SUBJECT,
        "author": f"formula-eval {__version__}",
        "keywords": ", ".join(fit_text(record)[:80] for record in document.givens.records.values())[:250],
        "comments": fit_text(f"formulas {formulas_hash(document)}; {document.command}")[:250],
        "created": MADE_ON,
    }
