"""The sheet of a plan: another program computes the numbers of the engine from its cells, also at another price."""

import io

import openpyxl
import pytest

from export.office import Office
from formula_eval.analyse.plan.demand import HOURS
from formula_eval.analyse.plan.plan import values_of
from formula_eval.core.diagnostic import FormulaError
from formula_eval.export.plan.plan_sheet import plan_workbook
from formula_eval.export.plan.rows import read_plan_sheet

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def book(plan, formulas):
    evaluator = formulas.evaluator
    return plan_workbook(plan, evaluator, read_plan_sheet(evaluator.library, "serving", evaluator.schema), "again")


def test_other_programs_compute_what_the_engine_does(book, office: Office, tmp_path):
    path = tmp_path / "plan.xlsx"
    path.write_bytes(book)
    held = openpyxl.load_workbook(io.BytesIO(book), data_only=True).worksheets[0]
    formulas = openpyxl.load_workbook(io.BytesIO(book)).worksheets[0]
    office.open(path)
    computed = office.read(held.title)
    cells = [cell for row in formulas.iter_rows() for cell in row if str(cell.value).startswith("=")]
    assert len(cells) > 8
    for cell in cells:
        found = computed[cell.row - 1][cell.column - 1]
        expected = held[cell.coordinate].value
        assert found == (expected if isinstance(expected, str) else pytest.approx(expected, rel=1e-12)), cell.coordinate


def test_other_replicas_take_the_verdict_back(book, office: Office, tmp_path):
    workbook = openpyxl.load_workbook(io.BytesIO(book))
    sheet = workbook.worksheets[0]
    replicas = next(row[2] for row in sheet.iter_rows(max_col=3) if row[0].value == "replicas")
    replicas.value += 1
    path = tmp_path / "more.xlsx"
    workbook.save(path)
    office.open(path)
    assert {row[2] for row in office.read(sheet.title) if row[0] == "meets the targets"} == {"ask again"}


def test_a_price_changes_rent_and_nothing_else(book, plan, formulas, office: Office, tmp_path):
    workbook = openpyxl.load_workbook(io.BytesIO(book))
    sheet = workbook.worksheets[0]
    price = next(row[2] for row in sheet.iter_rows(max_col=3) if row[0].value == "price of a GPU")
    price.value = 10
    path = tmp_path / "dearer.xlsx"
    workbook.save(path)
    office.open(path)
    found = {row[0]: row[2] for row in office.read(sheet.title) if row[0] == "rent and electricity"}
    best = plan.best.hours["average"]
    dearer = best._replace(values={**best.values, "price": "10 USD/hour"})
    name = "inference.fleet_bill_per_month"
    assert found["rent and electricity"] == pytest.approx(values_of(formulas.evaluator, dearer, [name])[name])


def test_twice_the_load_keeps_the_layout(plan, formulas):
    names = ["inference.replica_gpus"]
    best = plan.best
    at = {hour: values_of(formulas.evaluator, best.hours[hour], names)[names[0]] for hour in HOURS}
    assert len(set(at.values())) == 1


def test_a_formula_without_a_cell_to_read_is_refused(plan, formulas):
    evaluator = formulas.evaluator
    layout = read_plan_sheet(evaluator.library, "serving", evaluator.schema)
    lacking = layout._replace(blocks=[each for each in layout.blocks if each.kind != "input"])
    with pytest.raises(FormulaError, match="has no cell"):
        plan_workbook(plan, evaluator, lacking, "again")
