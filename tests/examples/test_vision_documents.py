"""Documents of libraries/vision: workbook and page recalculate to what the engine says, the papers are whole."""

from pathlib import Path

import pytest

from export.browser import showing
from export.office import Office
from export.page_answers import wrong_in
from export.test_latex import MARGIN, compiled, needs_latex, overfull
from export.test_workbook_recalculates import computed_once, differences
from export.workbook_cases import book_of
from formula_eval.ask.export_lists import quantities_of
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.document import Document, document_of
from formula_eval.export.html.page import write_page
from formula_eval.export.paper.latex import latex_paper
from formula_eval.export.paper.markdown import markdown_paper
from formula_eval.export.shape_sections import with_shapes
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow

LIBRARY = Path(__file__).resolve().parents[2] / "libraries" / "vision"


def made(evaluator: Evaluator, form: str, of: str = "") -> Document:
    """What a document of a form holds; if so said, only the quantities of a folder."""
    question = Question({"model": "qwen2.5-vl-7b", "hardware": "h100-sxm"}, {"vision.image_width": 1024, "batch": 4})
    wanted = quantities_of(evaluator.library, form, question, evaluator.givens(question))
    wanted = [name for name in wanted if name.startswith(of)]
    return document_of(evaluator, question, evaluator.select(tuple(wanted)), named=bool(of))


def test_the_workbook_recalculates(evaluator: Evaluator, office: Office, tmp_path: Path) -> None:
    book, contents = book_of(made(evaluator, "excel", "vision."))
    (tmp_path / "vision.xlsx").write_bytes(contents)
    office.open(tmp_path / "vision.xlsx")
    assert differences(office, book, computed_once(book)) == []
    assert "Of it for images" in str(office.read("Outputs"))


def test_the_page_recalculates(evaluator: Evaluator, tmp_path: Path) -> None:
    document = with_shapes(made(evaluator, "html"))
    write_page(document, tmp_path / "vision.html")
    asked = [
        {"records": {"model": model, "hardware": "h100-sxm"}, "values": {"vision.image_width": side, "batch": "4"}}
        for model in ("qwen2.5-vl-7b", "gemma3-4b", "llava-1.5-7b")
        for side in ("0", "70", "1280")
    ]
    with showing(tmp_path / "vision.html") as browser:
        assert not wrong_in(document, browser, asked)
        text = browser.find_element("tag name", "body").text
    for shown in (
        "that reads images",
        "Of which images",
        "Roofline of the vision encoder",
        "params.total is extended by",
    ):
        assert shown in text


@needs_latex
def test_the_paper_compiles(evaluator: Evaluator, tmp_path: Path) -> None:
    log = compiled(latex_paper(made(evaluator, "latex")), tmp_path, times=2)
    assert "undefined" not in log
    assert max(overfull(log), default=0) < MARGIN


def test_the_derivation_names_what_was_added(evaluator: Evaluator) -> None:
    text = markdown_paper(made(evaluator, "markdown"))
    assert "is extended by vision" in text
