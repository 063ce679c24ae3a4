"""A document to the first page of its workbook: what it is, how to use it, what it was made from."""

from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256

from formula_eval.export.document import Document
from formula_eval.export.title import title_of
from formula_eval.export.workbook.book import Book
from formula_eval.export.workbook.checks_sheet import status_formula
from formula_eval.export.workbook.naming import quoted_sheet
from formula_eval.export.workbook.sheet import Sheet, fit_text
from formula_eval.version import __version__

README = "README"
# Files hold a date; a fixed one keeps two exports of the same document the same.
_DATE = datetime(2020, 1, 1)  # noqa: DTZ001 - the format knows no time zones
_WIDTHS = [24.0, 96.0]
_CHOOSE = "Choose {} on the sheet Inputs, in the yellow cells at its top."
_OUR_RECORDS = "a model and an accelerator"
_USE = (
    "Type your own values in the yellow cells below; an empty one takes what the record says, or its default.",
    "Read the answer on the sheet Outputs. Every number is a formula: follow it to Calc, where its text stands.",
)
_OWN_RECORD = "{}: fill in the row Custom of its sheet, then choose Custom on Inputs."
_READ_BACK = "Back to the command line: formula-eval --inputs THIS_FILE.xlsx reads what you typed."
_SHEETS = {
    "Outputs": "the answer on one page, with charts",
    "Inputs": "what you may change",
    "Structure": "the operators of each phase in the order they run, with what binds them",
    "Operators": "every kernel of a pass, and the other tables",
    "Tables": "the tables of the formulas, laid out",
    "Sweep": "an input over a range, live",
    "Calc": "every formula",
    "Checks": "what does not fit together, and the numbers at export beside the numbers now",
    "Names": "every name that formulas use, and its cell",
    "Sources": "where the formulas come from",
}
_SUBJECT = "Cost of a large language model, by formulas that can be read"
_LEGEND = (
    ("input", "a value of yours: type here", 12),
    ("calc", "a formula", 12),
    ("unit", "the unit of the value beside it; k is 10**3, M 10**6, G 10**9, Gi 2**30", 12),
)


def write_readme(book: Book) -> None:
    """The whole sheet."""
    document = book.document
    sheet = book.sheet(README, _WIDTHS)
    sheet.text(0, 0, _title(document), "title")
    sheet.tall(0, 26)
    formula, value = status_formula(book, README)
    sheet.text(1, 0, "Checks", "subtitle")
    sheet.formula(1, 1, formula, value, "status")
    row = _section(sheet, 3, "How to use it")
    for number, text in enumerate(_uses(book), 1):
        sheet.text(row, 0, str(number), "subtitle")
        sheet.text(row, 1, text, "wrap")
        row += 1
    row = _write_legend(sheet, row + 1)
    row = _write_sheets(book, sheet, row + 1)
    _write_origin(document, sheet, row + 1)
    sheet.raw.activate()
    sheet.finish(portrait=True)


def _section(sheet: Sheet, row: int, title: str) -> int:
    sheet.band(row, title, 2)
    return row + 1


def _write_legend(sheet: Sheet, row: int) -> int:
    row = _section(sheet, row, "Colours")
    for style, text, shown in _LEGEND:
        if style == "unit":
            sheet.text(row, 0, "kW", "unit")
        else:
            sheet.number(row, 0, shown, style)
        sheet.text(row, 1, text, "wrap")
        row += 1
    return row


def _write_sheets(book: Book, sheet: Sheet, row: int) -> int:
    row = _section(sheet, row, "Sheets")
    for worksheet in book.workbook.worksheets():
        title = worksheet.get_name()
        if title != README:
            sheet.link(row, 0, f"internal:{quoted_sheet(title)}!A1", title)
            sheet.text(row, 1, _SHEETS.get(title, "records to choose from, with their sources"), "wrap")
            row += 1
    return row


def _write_origin(document: Document, sheet: Sheet, row: int) -> None:
    row = _section(sheet, row, "What it was made from")
    for title, text in (
        ("formula-eval", __version__),
        ("formulas", f"sha256 {formulas_hash(document)}"),
        ("question", f"sha256 {_question_hash(document)}"),
        ("command", document.command or "the Python interface"),
    ):
        sheet.text(row, 0, title, "subtitle")
        sheet.text(row, 1, text, "wrap")
        row += 1


def _title(document: Document) -> str:
    return fit_text(title_of(document))[:120]


def _uses(book: Book) -> Iterator[str]:
    """What a reader may do, as far as this workbook has it."""
    records = bool(book.tables)
    model = "model" in book.document.result.records
    yield (
        _CHOOSE.format(_choices(book)) if records else "Type your own values on the sheet Inputs, in its yellow cells."
    )
    yield from _USE[:2] if records else _USE[1:2]
    if records:
        yield _OWN_RECORD.format("Your own model or accelerator" if model else "A record of your own")
    yield _READ_BACK


def _choices(book: Book) -> str:
    """What there is to choose."""
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
    """What the file says of itself; nothing that differs between two exports."""
    return {
        "title": _title(document),
        "subject": document.evaluator.library.title or _SUBJECT,
        "author": f"formula-eval {__version__}",
        "keywords": ", ".join(fit_text(each)[:80] for each in document.givens.records.values())[:250],
        "comments": fit_text(f"formulas {formulas_hash(document)}; {document.command}")[:250],
        "created": _DATE,
    }
