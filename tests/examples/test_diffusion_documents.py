"""Documents of libraries/diffusion: workbook and page recalculate to what the engine says, and tell nothing else."""

import re
from pathlib import Path

import pytest

from examples.test_diffusion import OF_OTHERS
from export.browser import showing
from export.office import Office
from export.page_answers import wrong_in
from export.test_latex import compiled, needs_latex
from export.test_workbook_recalculates import computed_once, differences
from export.workbook_cases import book_of
from formula_eval import load
from formula_eval.ask.export_lists import quantities_of
from formula_eval.export.document import Document, document_of
from formula_eval.export.formats import write_document
from formula_eval.export.html.page import page_text, write_page
from formula_eval.export.html.page_layout import page_layout
from formula_eval.export.paper.latex import latex_paper
from formula_eval.export.paper.markdown import markdown_paper
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow

LIBRARY = Path(__file__).resolve().parents[2] / "libraries" / "diffusion"


@pytest.fixture(scope="module")
def document() -> Document:
    evaluator = load(LIBRARY).evaluator
    question = Question({"denoiser": "sd3.5-medium"}, {"diffusion.images": 4}, namespace="diffusion")
    held = quantities_of(evaluator.library, "excel", question, evaluator.givens(question))
    return document_of(evaluator, question, evaluator.select(held, question))


def test_the_workbook_recalculates(document: Document, office: Office, tmp_path: Path) -> None:
    book, contents = book_of(document)
    (tmp_path / "diffusion.xlsx").write_bytes(contents)
    office.open(tmp_path / "diffusion.xlsx")
    assert differences(office, book, computed_once(book)) == []
    outputs = str(office.read("Outputs"))
    hourly = document.result.numbers["diffusion.images_per_hour"] * 3600
    assert f"{hourly:.6f}"[:9] in outputs
    for text in ("Images and videos made by diffusion", "Time of an image", "diffusion.usd_per_thousand_images"):
        assert text in outputs
    # Where the efficiency of a family was measured is its own affair.
    others = {name for name in book.sheets if OF_OTHERS.search(str(office.read(name)))}
    assert others <= {"Families", "Names", "Sources"}  # a work that is cited has its own title


def test_the_page_recalculates(document: Document, tmp_path: Path) -> None:
    write_page(document, tmp_path / "diffusion.html")
    asked = [
        {"records": {"denoiser": denoiser, "hardware": gpu}, "values": values}
        for denoiser in ("dit-xl-2", "sd3.5-medium", "flux.1-dev", "sdxl-base-1.0", "wan2.2-t2v-a14b", "z-image")
        for gpu in ("h100-sxm", "v100-sxm-32gb")
        for values in ({}, {"diffusion.images": "3", "diffusion.runtime": "eager", "diffusion.resident": "false"})
    ]
    with showing(tmp_path / "diffusion.html") as browser:
        assert not wrong_in(document, browser, asked)


def test_the_page_is_headed_by_its_own_cards(document: Document) -> None:
    layout = page_layout(document)
    cards, *_ = layout["section"]
    titles = [each["title"] for each in cards["entries"]]
    assert titles[:3] == ["Time of an image or video", "Time of a step", "Throughput"]
    assert layout["control"][0]["input"] == "diffusion.image_height"
    assert layout["title"] == "Images and videos made by diffusion"
    text = page_text(document)
    assert not OF_OTHERS.search(text.partition("<script")[0])
    assert "llm_counts" not in text


def test_the_picture_is_that_of_a_step(document: Document, tmp_path: Path) -> None:
    write_document(document, "graph", tmp_path / "step.svg")
    text = (tmp_path / "step.svg").read_text(encoding="utf-8")
    for each in ("joint attention", "text ffn out", "Denoising step"):
        assert each in text
    assert not OF_OTHERS.search(text)


@needs_latex
def test_the_paper_compiles(document: Document, tmp_path: Path) -> None:
    paper = latex_paper(document)
    assert "undefined" not in compiled(paper, tmp_path, times=2)
    for text in (paper, markdown_paper(document)):
        assert "Images and videos made by diffusion" in text
        assert not re.search(r"vocab|language model|KV cache", text)
