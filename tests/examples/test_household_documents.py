"""Documents of examples/household: workbook and page recalculate to what the engine says, the paper compiles."""

from pathlib import Path

import pytest

from examples.test_household import OF_OURS
from export.browser import showing, until
from export.office import Office
from export.page_answers import wrong_in
from export.test_latex import compiled, needs_latex, overfull
from export.test_workbook_recalculates import differences
from export.workbook_cases import book_of
from formula_eval.ask.export_lists import quantities_of
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.document import Document, document_of
from formula_eval.export.html.page import write_page
from formula_eval.export.paper.latex import latex_paper
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow

LIBRARY = Path(__file__).resolve().parents[2] / "examples" / "household"

# Each slider to each of its stops: what the page says is wrong with it.
MOVED = """
return [...document.querySelectorAll("input[type=range]")].flatMap((slider) =>
  [...Array(Number(slider.max) + 1).keys()].map((stop) => {
    slider.value = stop;
    slider.dispatchEvent(new Event("input"));
    return document.getElementById(`problem-${slider.dataset.input}`).textContent;
  })).filter(Boolean);
"""

# How many points each line over the payments has, and how the last of them falls.
LINES = """
return [...document.querySelectorAll(".charts path.curve")].map((line) => {
  const points = line.getAttribute("d").slice(1).split("L").map((point) => Number(point.split(",")[1]));
  return [points.length, points.every((each, place) => !place || each > points[place - 1])];
});
"""


def made(evaluator: Evaluator, form: str, **values: str) -> Document:
    question = Question({}, values, namespace="household")
    wanted = quantities_of(evaluator.library, form, question, evaluator.givens(question))
    return document_of(evaluator, question, evaluator.select(tuple(wanted)))


def test_the_workbook_recalculates(evaluator: Evaluator, office: Office, tmp_path: Path) -> None:
    book, contents = book_of(made(evaluator, "excel"))
    (tmp_path / "car.xlsx").write_bytes(contents)
    office.open(tmp_path / "car.xlsx")
    assert differences(office, book, list(book.sheets)) == []
    for title in ("README", "Outputs", "Inputs", "Tables", "Checks", "Cars", "Tariffs", "Names", "Sources"):
        assert not OF_OURS.search(str(office.read(title))), title
    rows = [row for row in office.read("Tables") if row[0] in {"60", "61"}]
    assert [row[1] for row in rows] == [60, ""]


def test_the_page_recalculates(evaluator: Evaluator, tmp_path: Path) -> None:
    document = made(evaluator, "html")
    write_page(document, tmp_path / "car.html")
    asked = [
        {"records": {"car": car, "tariff": tariff}, "values": {"term": term, "extra": extra, "season": "winter"}}
        for car, tariff in (("ioniq-6-53", "hungary"), ("ioniq-6-77", "germany"))
        for term, extra in (("360 month", "0 EUR"), ("84 month", "2000 EUR"), ("1 month", "5 EUR"))
    ]
    with showing(tmp_path / "car.html") as browser:
        assert not wrong_in(document, browser, asked)
        text = browser.find_element("tag name", "body").text
        heads = [each.text for each in browser.find_elements("css selector", ".long thead th")]
        assert until(browser, lambda shown: shown.execute_script(LINES)) == [
            [60, True],
            [60, True],
            [60, False],
            [60, True],
        ]
        assert browser.execute_script(MOVED) == []
        assert until(browser, lambda shown: shown.execute_script(LINES)[0][0] != 60)
    assert heads[0] == ""
    assert "number" not in heads
    assert not OF_OURS.search(text)
    for shown in ("2031-12-31", "708.02", "564.76 EUR", "Payments", "ioniq-6-53"):
        assert shown in text


@needs_latex
def test_the_paper_compiles(evaluator: Evaluator, tmp_path: Path) -> None:
    log = compiled(latex_paper(made(evaluator, "latex")), tmp_path, times=2)
    assert "undefined" not in log
    assert max(overfull(log), default=0) < 1
