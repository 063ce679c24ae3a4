"""Documents of libraries/audio: workbook and page recalculate to what the engine says, the papers are whole."""

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
from formula_eval.export.shape_sections import with_shapes
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow

LIBRARY = Path(__file__).resolve().parents[2] / "libraries" / "audio"


def made(evaluator: Evaluator, form: str, of: str = "") -> Document:
    """What a document of a form holds; if so said, only the quantities of a folder."""
    question = Question({"model": "whisper-large-v3", "hardware": "h100-sxm"}, {"speech.audio": "1h", "batch": 4})
    wanted = quantities_of(evaluator.library, form, question, evaluator.givens(question))
    wanted = [name for name in wanted if name.startswith(of)]
    return document_of(evaluator, question, evaluator.select(tuple(wanted)), named=bool(of))


def test_the_workbook_recalculates(evaluator: Evaluator, office: Office, tmp_path: Path) -> None:
    book, contents = book_of(made(evaluator, "excel", "speech."))
    (tmp_path / "audio.xlsx").write_bytes(contents)
    office.open(tmp_path / "audio.xlsx")
    assert differences(office, book, computed_once(book)) == []
    assert "Time to transcribe" in str(office.read("Outputs"))


def test_the_page_recalculates(evaluator: Evaluator, tmp_path: Path) -> None:
    document = with_shapes(made(evaluator, "html"))
    write_page(document, tmp_path / "audio.html")
    asked = [
        {"records": {"model": model, "hardware": "h100-sxm"}, "values": {"speech.audio": length, "batch": "4"}}
        for model in ("whisper-tiny", "whisper-large-v3-turbo")
        for length in ("10 s", "3600 s")
    ]
    with showing(tmp_path / "audio.html") as browser:
        assert not wrong_in(document, browser, asked)
        text = browser.find_element("tag name", "body").text
    for shown in ("Time to transcribe", "Seconds of audio per second", "Length of audio"):
        assert shown in text
    assert "No kernel to show" not in text
    assert "Roofline: encoder operators" in text
    assert "Roofline: projections" not in text
    assert "--library audio --model" in text


@needs_latex
def test_the_paper_compiles(evaluator: Evaluator, tmp_path: Path) -> None:
    log = compiled(latex_paper(made(evaluator, "latex")), tmp_path, times=2)
    assert "undefined" not in log
    assert max(overfull(log), default=0) < MARGIN
