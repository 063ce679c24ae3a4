"""Tables that records fill, in documents that recalculate: another model brings its own rows along."""

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.by import By

from counted import seen
from export.browser import showing
from export.office import Office
from export.page_answers import RUN, checked_program, differences
from export.pages import find
from export.test_python_module import functions, ran
from export.workbook_cases import book_of, mismatches
from formula_eval import load
from formula_eval.ask.question import stated_in
from formula_eval.core.type import Choice
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.document import Document, document_of
from formula_eval.export.html.page import write_page
from formula_eval.export.json_document import json_document
from formula_eval.export.paper.latex import latex_paper
from formula_eval.export.paper.markdown import markdown_paper
from formula_eval.export.python.module import python_module
from formula_eval.export.workbook.inputs_sheet import YOURS
from formula_eval.records.givens import Question
from reference_pages.pages import reference_pages

pytestmark = pytest.mark.slow

LIBRARY = Path(__file__).parents[1] / "user_library" / "adapters_library"
CHANGES: tuple[dict[str, Any], ...] = (
    {},
    {"exits.2.filled": "true", "exits.2.depth": "3", "exits.1.share": "0.5"},
    {"exits.1.output": "own", "loaded.1.filled": "true", "loaded.1.rank": "8"},
    {"requests.2.filled": "true", "requests.2.length": "7", "prompt": "9", "hidden": "64"},
)
MODELS = ("early-7b", "llama2-7b")


@pytest.fixture(scope="module")
def evaluator() -> Evaluator:
    return load(LIBRARY).evaluator


@pytest.fixture(scope="module")
def document(evaluator: Evaluator) -> Document:
    return asked(evaluator, {"model": "early-7b", "small_model": "llama2-7b"}, {})


def asked(evaluator: Evaluator, records: dict[str, str], values: dict[str, Any]) -> Document:
    return document_of(evaluator, Question(records, values), evaluator.select(["adapters.*"]), named=True)


def full(values: dict[str, str]) -> dict[str, str]:
    return {
        f"adapters.{name}" if name.startswith(("loaded", "requests")) else name: each for name, each in values.items()
    }


def test_the_page_takes_the_rows_of_the_model_chosen(document: Document, tmp_path: Path) -> None:
    write_page(document, tmp_path / "page.html")
    questions = [
        {"records": {"model": model, "hardware": "h100-sxm", "small_model": small}, "values": full(values)}
        for model, small, values in product(MODELS, MODELS, CHANGES)
    ]
    program = checked_program(document)
    with showing(tmp_path / "page.html") as browser:
        answers = json.loads(browser.execute_script(RUN, json.dumps(questions)))
        browser.execute_script("document.getElementById('all-inputs').open = true")
        find(browser, "#input-list li")
        listed = browser.find_elements(By.CSS_SELECTOR, "#input-list li .name code")
        offered = {each.text for each in listed if each.is_displayed()}
    assert {"exits.3.depth", "adapters.requests.1.length", "adapters.requests.2.filled"} <= offered
    assert offered.isdisjoint({"adapters.requests.2.length", "adapters.requests.3.filled"})
    wrong = [
        f"{question}: {each}"
        for question, got in zip(questions, answers, strict=True)
        for each in differences(document, program, question, got)
    ]
    assert not wrong, "\n".join(wrong[:20])


def test_the_workbook_takes_the_rows_of_the_model_chosen(
    evaluator: Evaluator, document: Document, office: Office, tmp_path: Path
) -> None:
    book, contents = book_of(document)
    path = tmp_path / "book.xlsx"
    path.write_bytes(contents)
    office.open(path)
    for model, small, values in product(MODELS, ("", *MODELS), CHANGES):
        other = asked(evaluator, {"model": model} | ({"small_model": small} if small else {}), full(values))
        for name, typed in (("model chosen", model), ("small_model chosen", small)):
            office.ask("set", book.naming.places[name].sheet, book.naming.places[name].row, YOURS, typed or None)
        inputs = {name: other.givens.values.get(name) for values in CHANGES for name in full(values)}
        for name in inputs:
            place, typed = book.naming.places[name], full(values).get(name)
            node = document.graph.nodes[name]
            held = None if typed is None else book.typed_value(node, float(other.givens.values[name]))
            office.ask("set", place.sheet, place.row, YOURS, held)
        wanted = [document.graph.nodes[name] for name in evaluator.select(["adapters.*"])]
        wrong = mismatches(office, book, wanted, other.numbers)
        assert not wrong, (model, small, values, wrong[:3])


@pytest.mark.parametrize("values", CHANGES)
def test_an_untouched_workbook_asks_the_same(evaluator: Evaluator, tmp_path: Path, values: dict[str, str]) -> None:
    question = Question({"model": "early-7b", "small_model": "early-7b"}, full(values))
    _, contents = book_of(document_of(evaluator, question, evaluator.select(["adapters.*"]), named=True))
    path = tmp_path / "back.xlsx"
    path.write_bytes(contents)
    back = evaluator.givens(Question(scenario=str(path), stated=stated_in(str(path), evaluator)))
    assert dict(back.values) == pytest.approx(dict(evaluator.givens(question).values), rel=1e-15)


@pytest.mark.parametrize("model", MODELS)
def test_the_python_module_takes_cells(evaluator: Evaluator, tmp_path: Path, model: str) -> None:
    document = asked(evaluator, {"model": model, "small_model": "early-7b"}, {})
    questions = [evaluator.givens(Question(document.question.records, full(values))).values for values in CHANGES]
    given = [{name.replace(".", "_"): argument(document, name, each[name]) for name in each} for each in questions]
    module = python_module(document)
    order = [name for name in document.graph.ancestors(list(document.wanted)) if name in set(document.wanted)]
    names = dict(zip(functions(module), order, strict=True))
    answers, _ = ran(module, given, tmp_path)
    program = evaluator.program(document.wanted)
    for values, answer in seen(zip(questions, answers, strict=True)):
        numbers = program.evaluate(values)
        for function, name in names.items():
            found, expected = answer[function], argument(document, name, numbers[name])
            assert (float.fromhex(found) if isinstance(expected, float) else found) == expected, name


def argument(document: Document, name: str, value: float) -> object:
    """A value as the module takes and gives it: a choice is its word."""
    type_ = document.graph.nodes[name].type
    return type_.values[int(value)] if isinstance(type_, Choice) else value


@pytest.mark.parametrize("model", MODELS)
def test_papers_name_rows(evaluator: Evaluator, model: str) -> None:
    document = asked(evaluator, {"model": model, "small_model": "early-7b"}, {})
    paper, data = markdown_paper(document), json_document(document)
    assert latex_paper(document)
    assert "filled" not in paper
    rows = {each for each in data["inputs"] if each.startswith("exits.")}
    assert {each.split(".")[1] for each in rows} == ({"1", "2", "3"} if model == "early-7b" else {"1"})
    grid = paper[paper.index("### exits") :] if "### exits" in paper else paper
    assert ("| 3 |" in grid) == (model == "early-7b")


def test_the_reference_says_what_a_record_may_state(evaluator: Evaluator) -> None:
    pages = dict(reference_pages(evaluator))
    page = next(text for name, text in pages.items() if "exits" in name)
    for said in (
        "depth: layer = layers from model in 1 .. 10000",
        "**Option** `--exits.N.depth`",
        "**Default** `layers`",
        "**Stated by** the model",
        "**Range** `1 .. 10000`",
        "**Rows** 1 to 3, stated by the model",
    ):
        assert said in page, said
