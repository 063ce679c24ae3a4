"""A library with a sequence and a table of a known shape: its numbers, and what documents make of both."""

from pathlib import Path
from zipfile import ZipFile

import pytest

from formula_eval import Formulas, load
from formula_eval.export.document import Document, document_of
from formula_eval.export.formats import write_document
from formula_eval.export.html.page_layout import page_layout
from formula_eval.export.shape_sections import with_shapes
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow

LIBRARY = Path(__file__).parent / "schedule_library"


@pytest.fixture(scope="module")
def formulas() -> Formulas:
    return load(LIBRARY)


@pytest.fixture(scope="module")
def document(formulas: Formulas) -> Document:
    wanted = ["loan.interest_paid", "loan.last_interest", "loan.products_time"]
    return document_of(formulas.evaluator, Question(values={"phase": "decode"}), wanted, named=True)


@pytest.mark.parametrize(("term", "months"), [(1, 12), (20, 240), (40, 480)])
def test_a_sequence_is_as_long_as_inputs_say(formulas: Formulas, term: int, months: int) -> None:
    names = ["loan.interest_paid", "loan.last_interest", "loan.payment", f"loan.months.{months}.close"]
    result = formulas.evaluate(only=[*names, "loan.months.480.interest"], **{"loan.term": term})
    found = {name: value.value for name, value in result.values.items()}
    owed, paid, last = 300_000.0, 0.0, 0.0
    for _ in range(months):
        last = owed * 0.0025
        paid += last
        owed = owed + last - found["loan.payment"]
    assert [found["loan.interest_paid"], found["loan.last_interest"]] == [paid, last]
    assert found[f"loan.months.{months}.close"] == owed
    assert months == 480 or found["loan.months.480.interest"] == 0


def test_a_table_of_a_known_shape_has_sections_of_its_own(document: Document) -> None:
    shown = page_layout(with_shapes(document))["section"]
    titles = {section["title"]: section for section in shown if section.get("table") == "loan.products"}
    assert set(titles) == {"Roofline: products", "Operators: products"}
    assert [set(group["cells"]) for group in titles["Roofline: products"]["groups"]] == [{"tall", "flat"}]


def test_paper_leaves_out_the_middle_of_a_long_sequence(document: Document, tmp_path: Path) -> None:
    write_document(document, "markdown", tmp_path / "loan.md")
    text = (tmp_path / "loan.md").read_text(encoding="utf-8")
    rows = text.partition("`loan.months`\n\n")[2].partition("\n\n")[0].splitlines()[2:]
    assert [row.split("|")[1].strip() for row in rows] == ["1", "2", "3", "...", "360"]


def test_a_workbook_holds_sums_too_long_for_one_cell_and_draws_the_shape(document: Document, tmp_path: Path) -> None:
    write_document(document, "excel", tmp_path / "loan.xlsx")
    with ZipFile(tmp_path / "loan.xlsx") as book:
        charts = [book.read(name).decode() for name in book.namelist() if name.startswith("xl/charts/chart")]
    assert any("Roofline: products" in chart for chart in charts)
