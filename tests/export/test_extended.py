"""Documents of a library that extends and replaces formulas recalculate like ours, and say what was changed."""

from pathlib import Path

import pytest

from export.browser import showing
from export.office import Office
from export.page_answers import wrong_in
from export.test_workbook_recalculates import computed_once, differences
from export.workbook_cases import book_of
from formula_eval import load
from formula_eval.export.document import Document, document_of
from formula_eval.export.html.page import write_page
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow

# What the two change, and what reads it; of the thousands of other quantities, ours has tests of its own.
CHANGED = ("params.*", "vision.*", "memory.total_bytes", "inference.ttft", "inference.tpot")
LIBRARIES = [Path(__file__).parents[1] / "user_library" / name for name in ("vision_library", "reform_library")]


@pytest.fixture(scope="module")
def document() -> Document:
    asked = load(*LIBRARIES).evaluator
    question = Question({"model": "house-vlm", "hardware": "h100-sxm"}, {"images": 2, "batch": 4})
    return document_of(asked, question, asked.select(CHANGED), named=True)


def test_the_workbook_recalculates(document: Document, office: Office, tmp_path: Path) -> None:
    book, contents = book_of(document)
    (tmp_path / "extended.xlsx").write_bytes(contents)
    office.open(tmp_path / "extended.xlsx")
    assert differences(office, book, computed_once(book)) == []
    said = str(office.read("Checks"))
    assert "params.total is extended by vision_library" in said
    assert "inference.ttft is replaced by reform_library" in said


def test_the_page_recalculates(document: Document, tmp_path: Path) -> None:
    write_page(document, tmp_path / "extended.html")
    asked = [
        {"records": {"model": model, "hardware": "h100-sxm"}, "values": {"images": images, "batch": "4"}}
        for model in ("house-vlm", "llama2-70b")
        for images in ("0", "3")
    ]
    with showing(tmp_path / "extended.html") as browser:
        assert not wrong_in(document, browser, asked)
        text = browser.find_element("tag name", "body").text
        assert "params.total is extended by vision_library" in text
