"""Records of a library's own kinds in documents that recalculate: whoever is chosen brings others along."""

import json
from pathlib import Path
from typing import Any

import pytest

from export.browser import showing
from export.office import Office
from export.page_answers import RUN, checked_program, differences
from export.workbook_cases import book_of, mismatches
from formula_eval import load
from formula_eval.ask.question import stated_in
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.document import Document, document_of
from formula_eval.export.html.page import write_page
from formula_eval.export.workbook.inputs_sheet import YOURS
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow

LIBRARY = Path(__file__).parents[1] / "user_library" / "diffusion_library"
DRAFT, UPDATE = "diffusion.draft", "diffusion.update_hardware"
A100, H100 = "a100-sxm-80gb", "h100-sxm"
CHOICES = "return [...document.querySelectorAll('#subject [role=combobox]')].map((each) => each.id)"
CHANGES: tuple[dict[str, str], ...] = (
    {"denoiser": "small", "hardware": H100},
    {"denoiser": "large", "hardware": H100, DRAFT: "large"},
    {"denoiser": "large", "hardware": H100, "scheduler": "fast", DRAFT: "small"},
    {
        "denoiser": "small",
        "hardware": A100,
        DRAFT: "large",
        f"{DRAFT}.scheduler": "fast",
        UPDATE: H100,
    },
    {"denoiser": "small", "hardware": A100, "family": "hopper", UPDATE: A100},
)


@pytest.fixture(scope="module")
def evaluator() -> Evaluator:
    return load(LIBRARY).evaluator


@pytest.fixture(scope="module")
def document(evaluator: Evaluator) -> Document:
    return asked(evaluator, CHANGES[3], {})


def asked(evaluator: Evaluator, records: dict[str, str], values: dict[str, Any]) -> Document:
    return document_of(evaluator, Question(records, values), evaluator.select(["diffusion.*"]), named=True)


def test_the_page_takes_the_records_chosen(document: Document, tmp_path: Path) -> None:
    write_page(document, tmp_path / "page.html")
    questions = [{"records": records, "values": {}} for records in CHANGES]
    program = checked_program(document)
    with showing(tmp_path / "page.html") as browser:
        answers = json.loads(browser.execute_script(RUN, json.dumps(questions)))
        choices = browser.execute_script(CHOICES)
    assert choices == ["choose-denoiser", "choose-hardware"]
    wrong = [
        f"{question}: {each}"
        for question, got in zip(questions, answers, strict=True)
        for each in differences(document, program, question, got)
    ]
    assert not wrong, "\n".join(wrong[:20])


def test_the_workbook_takes_the_records_chosen(
    evaluator: Evaluator, document: Document, office: Office, tmp_path: Path
) -> None:
    book, contents = book_of(document)
    assert {"Denoisers", "Schedulers", "Hardware", "Families"} <= set(book.sheets)
    path = tmp_path / "book.xlsx"
    path.write_bytes(contents)
    office.open(path)
    for records in CHANGES:
        other = asked(evaluator, records, {})
        for selector in book.selectors:
            place = book.naming.places[f"{selector.key} chosen"]
            office.ask("set", place.sheet, place.row, YOURS, records.get(selector.key))
        wanted = [document.graph.nodes[name] for name in evaluator.select(["diffusion.*"])]
        wrong = mismatches(office, book, wanted, other.numbers)
        assert not wrong, (records, wrong[:3])


@pytest.mark.parametrize("records", CHANGES)
def test_an_untouched_workbook_asks_the_same(evaluator: Evaluator, tmp_path: Path, records: dict[str, str]) -> None:
    question = Question(records)
    _, contents = book_of(document_of(evaluator, question, evaluator.select(["diffusion.*"]), named=True))
    path = tmp_path / "back.xlsx"
    path.write_bytes(contents)
    back = evaluator.givens(Question(scenario=str(path), stated=stated_in(str(path), evaluator)))
    assert dict(back.values) == pytest.approx(dict(evaluator.givens(question).values), rel=1e-15)
