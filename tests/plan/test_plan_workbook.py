"""The sheet of a plan: another program computes the numbers of the engine from its cells, also at another price."""

import io

import openpyxl
import pytest

from counted import seen
from export.office import Office
from formula_eval.analyse.plan.demand import hours_of
from formula_eval.analyse.plan.values import values_of
from formula_eval.core.diagnostic import FormulaError
from formula_eval.export.plan.plan_sheet import plan_workbook
from formula_eval.records.values import InBaseUnits
from plan.sheets import plan_sheet_of

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def book(plan, formulas):
    evaluator = formulas.evaluator
    return plan_workbook(plan, evaluator, plan_sheet_of(evaluator, "serving"), "again")


def test_other_programs_compute_what_the_engine_does(book, office: Office, tmp_path):
    path = tmp_path / "plan.xlsx"
    path.write_bytes(book)
    office.open(path)
    values, formulas = (
        openpyxl.load_workbook(io.BytesIO(book), data_only=True),
        openpyxl.load_workbook(io.BytesIO(book)),
    )
    for written in seen(formulas.worksheets):
        held = values[written.title]
        computed = office.read(held.title)
        cells = [cell for row in written.iter_rows() for cell in row if str(cell.value).startswith("=")]
        assert len(cells) > 8
        for cell in cells:
            found = computed[cell.row - 1][cell.column - 1]
            expected = held[cell.coordinate].value
            number = expected if isinstance(expected, str) else pytest.approx(float(expected), rel=1e-9, abs=1e-12)
            assert found == number, cell.coordinate


TYPED = {
    "requests, busiest hour": ("request_rate", [8, 20, 35, 90]),
    "busiest hour over the average one": ("peak_to_mean", [1.5]),
    "time to first token": ("ttft_target", [0.2]),
    "time per output token": ("tpot_target", [0.012]),
    "requests that may be late": ("late_share", [0.01]),
    "replicas": ("serving_replicas", [1, 3]),
}
FOLLOWS = {
    "load, busiest hour": ("inference.utilization", "busiest", 1),
    "load, average hour": ("inference.utilization", "average", 1),
    "requests late, busiest hour": ("arrivals.late_requests", "busiest", 1),
    "first token, p50": ("arrivals.first_token_p50", "busiest", 1e3),
    "first token, p95": ("arrivals.first_token_p95", "busiest", 1e3),
    "first token, p99": ("arrivals.first_token_p99", "busiest", 1e3),
    "first token, p95, high end": ("arrivals.first_token_p95_high", "busiest", 1e3),
    "1M input tokens": ("inference.fleet_usd_per_million_input_tokens", "busiest", 1),
    "1M output tokens, input separate": ("inference.fleet_usd_per_million_output_tokens", "busiest", 1),
    "output token, p50": ("arrivals.output_token_p50", "busiest", 1e3),
    "output token, p99": ("arrivals.output_token_p99", "busiest", 1e3),
    "power of a GPU, average hour": ("inference.serving_power", "average", 1),
    "requests, average hour": ("request_rate", "average", 1),
    "hardware": ("inference.fleet_usd_per_month", "busiest", 1),
    "energy": ("inference.fleet_energy_per_month", "average", 1 / 3.6e6),
}
CHANGES = [(title, value) for title, (_, values) in TYPED.items() for value in values]


def test_what_is_typed_changes_percentiles_verdict_and_bill(book, plan, formulas, office: Office, tmp_path):
    """Each change alone, against the engine asked the same of the same layout."""
    path = tmp_path / "typed.xlsx"
    path.write_bytes(book)
    office.open(path)
    title = openpyxl.load_workbook(io.BytesIO(book)).sheetnames[0]
    rows = {row[0]: at for at, row in reversed([*enumerate(office.read(title))])}
    best, load, verdicts = plan.best, plan.load, []
    column = 2 + [each.name for each in plan.alternatives if each.hours].index(best.name)
    for name, typed in CHANGES:
        before = office.read(title)[rows[name]][column]
        office.ask("set", title, rows[name], column, typed)
        asked = best.question._replace(values={**best.question.values, TYPED[name][0]: InBaseUnits(typed)})
        mean = values_of(formulas.evaluator, asked, [load.average])[load.average]
        slower = asked._replace(values={**asked.values, load.rate: InBaseUnits(mean)})
        now = {row[0]: row[column] for row in reversed(office.read(title))}
        for row, (quantity, hour, times) in FOLLOWS.items():
            expected = values_of(formulas.evaluator, {"busiest": asked, "average": slower}[hour], [quantity])[quantity]
            assert min(now[row], 1e300) == pytest.approx(min(expected * times, 1e300), rel=1e-9, abs=1e-12), (name, row)
        assert now["hardware, prices 20% higher"] == pytest.approx(1.2 * now["hardware"], rel=1e-12), name
        kept = values_of(formulas.evaluator, asked, ["arrivals.late_beyond_share"])["arrivals.late_beyond_share"] <= 0
        verdicts.append(now["meets the targets"])
        assert verdicts[-1] == ("yes" if kept else "no"), name
        office.ask("set", title, rows[name], column, before)
    assert set(verdicts) == {"yes", "no"}


def test_a_price_changes_rent_and_nothing_else(book, plan, formulas, office: Office, tmp_path):
    workbook = openpyxl.load_workbook(io.BytesIO(book))
    sheet = workbook.worksheets[0]
    price = next(row[2] for row in sheet.iter_rows(max_col=3) if row[0].value == "price of a GPU")
    price.value = 10
    path = tmp_path / "dearer.xlsx"
    workbook.save(path)
    office.open(path)
    found = {row[0]: row[2] for row in reversed(office.read(sheet.title))}
    for case in seen(plan.cases.cases):
        question = plan.best.hours[case.name]
        stated = 10 / 3600 * case.scales.get("price", 1)
        rented = question._replace(values={**question.values, "price": InBaseUnits(stated)})
        name = "inference.fleet_usd_per_month"
        expected = values_of(formulas.evaluator, rented, [name])[name]
        assert found[f"hardware, {case.title}"] == pytest.approx(expected, rel=1e-9), case.name
    best = plan.best.hours["average"]
    dearer = best._replace(values={**best.values, "price": "10 USD/hour"})
    name = "inference.fleet_bill_per_month"
    assert found["hardware and electricity"] == pytest.approx(values_of(formulas.evaluator, dearer, [name])[name])


def test_a_price_typed_where_there_was_none_is_followed(formulas, office: Office, tmp_path):
    evaluator = formulas.evaluator
    asked = {"model": "llama3.1-8b", "request_rate": "40 request/s", "ttft_target": "1 s", "tpot_target": "50 ms"}
    found = formulas.plan(**asked, gpu=["h100-sxm", "vr200"])
    path = tmp_path / "unpriced.xlsx"
    path.write_bytes(plan_workbook(found, evaluator, plan_sheet_of(evaluator, "serving"), "again"))
    office.open(path)
    title = openpyxl.load_workbook(path).sheetnames[0]
    column = 2 + [each.name for each in found.alternatives].index("vr200")

    def shown() -> dict[str, object]:
        return {row[0]: row[column] for row in reversed(office.read(title))}

    assert {shown()[row] for row in ("hardware", "hardware per year", "1M output tokens, input separate")} == {"-"}
    at = next(number for number, row in enumerate(office.read(title)) if row[0] == "price of a GPU")
    office.ask("set", title, at, column, 5)
    best = found.alternatives[column - 2].question
    priced = best._replace(values={**best.values, "price": "5 USD/hour"})
    told = {
        "hardware": "fleet_usd_per_month",
        "1M output tokens, input separate": "fleet_usd_per_million_output_tokens",
    }
    for row, name in told.items():
        quantity = f"inference.{name}"
        assert shown()[row] == pytest.approx(values_of(evaluator, priced, [quantity])[quantity], rel=1e-9)
    assert shown()["meets the targets"] == "yes"


@pytest.mark.parametrize(
    ("section", "asked"),
    [
        ("serving", {"request_rate": "5 request/s"}),
        ("training", {"answer": "training", "training_tokens": 1e9, "gpus": 8}),
    ],
)
def test_carbon_and_water_follow_what_is_typed(section, asked, formulas, office: Office, tmp_path):
    places = {"grid": "germany", "water_usage_effectiveness": "1.2 L/kWh", "tp": 1, "pp": 1}
    found = formulas.plan(model="gpt2", hardware="h100-sxm", **asked, **places)
    path = tmp_path / f"{section}.xlsx"
    sheet = plan_sheet_of(formulas.evaluator, section)
    path.write_bytes(plan_workbook(found, formulas.evaluator, sheet, "again"))
    office.open(path)
    title = openpyxl.load_workbook(path).sheetnames[0]

    def shown() -> dict[str, object]:
        return {row[0]: row[2] for row in office.read(title)}

    before = shown()
    at = next(number for number, row in enumerate(office.read(title)) if row[0] == "carbon dioxide of electricity")
    office.ask("set", title, at, 2, 100)
    assert shown()["carbon dioxide"] == pytest.approx(before["energy"] * 0.1)
    assert shown()["water"] == pytest.approx(before["energy"] * before["water for electricity and cooling"])


def test_a_case_keeps_the_layout(plan, formulas):
    names = ["inference.replica_gpus"]
    best = plan.best
    at = {hour: values_of(formulas.evaluator, best.hours[hour], names)[names[0]] for hour in hours_of(plan.cases)}
    assert len(at) > 5
    assert len(set(at.values())) == 1


def test_a_formula_without_a_cell_to_read_is_refused(plan, formulas):
    evaluator = formulas.evaluator
    layout = plan_sheet_of(evaluator, "serving")
    lacking = layout._replace(asked=[], blocks=[each for each in layout.blocks if each.kind != "input"])
    with pytest.raises(FormulaError, match="has no cell"):
        plan_workbook(plan, evaluator, lacking, "again")


def test_it_cites_what_its_prices_and_targets_come_from_with_their_days(formulas):
    asked = {"model": "llama3-8b", "tp": 1, "pp": 1, "request_rate": "2 request/s", "workload": "chat"}
    found = formulas.plan(**asked, gpu=["h100-sxm", "t4"], instance=["p5.48xlarge"])
    evaluator = formulas.evaluator
    written = plan_workbook(found, evaluator, plan_sheet_of(evaluator, "serving"), "again")
    sheet = openpyxl.load_workbook(io.BytesIO(written)).worksheets[0]
    text = " ".join(" ".join(str(cell.value) for row in sheet for cell in row if cell.value).split())
    instance = evaluator.givens(found.best.question).files["instance"].data
    assert f"{instance['instance_date']}: {instance['source'].split(',')[0]}" in text
    assert "Mooncake" not in text
    assert "arxiv.org/abs/2403.02310" in text
