"""Plans of batch jobs: the fewest replicas by a deadline, and what is said where nothing meets it."""

import csv
import io
import itertools
import json
import re

import openpyxl
import pytest
from hypothesis import given, settings, strategies as st
from selenium.webdriver.common.by import By

from counted import seen
from export.browser import showing
from export.pages import logged
from formula_eval.analyse.plan.values import values_of
from formula_eval.ask.plan_layout import read_plan_layout
from formula_eval.cli.command import main
from formula_eval.export.plan.data import plan_csv, plan_data
from formula_eval.export.plan.heading import verdict_of
from formula_eval.export.plan.plan_page import plan_page
from formula_eval.export.plan.plan_sheet import plan_workbook
from formula_eval.export.plan.rows import read_plan_page
from plan.sheets import plan_sheet_of
from samples import samples

JOB = {"model": "llama3-8b", "pp": 1, "job_requests": 1e6, "prompt": 2000, "generated": 300}
NAMES = ["job_replicas", "job_gpus", "job_finish_time", "job_gpu_hours", "job_cost", "job_soonest"]


def _told(formulas, question) -> dict[str, float]:
    found = values_of(formulas.evaluator, question, [f"inference.{name}" for name in NAMES])
    return {name.rpartition(".")[2]: value for name, value in found.items()}


@pytest.fixture(scope="module")
def job(formulas):
    return formulas.plan(**JOB, gpu=["t4", "h200-sxm", "h100-sxm"], deadline="2 hour")


@pytest.mark.slow
def test_the_replicas_are_the_fewest_that_meet_the_deadline(job, formulas):
    for each in seen(job.alternatives):
        found = _told(formulas, each.question)
        assert found["job_finish_time"] <= 7200
        fewer = found["job_replicas"] - 1
        question = each.question._replace(values={**each.question.values, "serving_replicas": max(fewer, 1)})
        late = values_of(formulas.evaluator, question, ["inference.job_time"])["inference.job_time"]
        assert fewer == 0 or late > 7200


@pytest.mark.slow
def test_its_carbon_dioxide_is_told_with_the_grid_that_emits_it(capsys):
    asked = ["plan", "llama3-8b", "h100-sxm", "--job-requests", "1e6", "--deadline", "24h", "--tp", "1", "--pp", "1"]
    assert main(asked) == 0
    assert "carbon dioxide" not in capsys.readouterr().out
    assert main([*asked, "--grid", "germany"]) == 0
    text = capsys.readouterr().out
    assert re.search(r"electricity of +grid germany", text)
    (energy,) = re.findall(r"energy +([\d.]+) kWh", text)
    (carbon,) = re.findall(r"carbon dioxide +([\d.]+) kg", text)
    assert float(carbon) == pytest.approx(float(energy) * 0.344, rel=0.01)  # 344 gram/kWh, presets/grid.toml


def test_the_cheapest_stands_first_and_costs_its_hours(job, formulas):
    ranked = "inference.ranked_job_cost"  # what was measured stands before others that cost a little less
    costs = [values_of(formulas.evaluator, each.question, [ranked])[ranked] for each in job.alternatives]
    assert costs == sorted(costs)
    for each in seen(job.alternatives):
        found = _told(formulas, each.question)
        price = values_of(formulas.evaluator, each.question, ["price"])["price"]
        assert found["job_gpus"] * found["job_finish_time"] / 3600 == pytest.approx(found["job_gpu_hours"])
        assert found["job_gpu_hours"] * price * 3600 == pytest.approx(found["job_cost"])


def test_the_sentence_tells_the_best(job, formulas):
    text = verdict_of(job, formulas.evaluator)
    assert text.startswith(f"{job.best.name} (")
    assert "1,000,000 requests are answered in" in text
    assert text.endswith("within the deadline of 2 hours.")
    assert json.loads(json.dumps(plan_data(job, formulas.evaluator, "again")))["verdict"] == text


@pytest.mark.slow
@pytest.mark.parametrize("limit", [{"gpus": 4, "deadline": "1 hour"}, {"deadline": "2 s"}])
def test_what_nothing_meets_is_met_at_the_soonest_that_is_told(limit, formulas):
    missed = formulas.plan(**JOB, gpu="h100-sxm", **limit)
    (each,) = missed.alternatives
    assert re.search(r"the last request is answered after .* at the soonest, .* after the deadline", each.stops[0])
    assert "nothing meets the deadline" in verdict_of(missed, formulas.evaluator)
    soonest = _told(formulas, each.question)["job_soonest"]
    later = {**limit, "deadline": f"{soonest * 1.0001} s"}
    assert not formulas.plan(**JOB, gpu="h100-sxm", **later).alternatives[0].stops


@pytest.mark.slow
@given(hours=st.lists(st.floats(0.2, 200), min_size=2, max_size=4, unique=True), limit=st.sampled_from([None, 8, 64]))
@settings(max_examples=samples(10))
def test_more_time_never_takes_more_money_and_without_a_limit_never_more_replicas(formulas, hours, limit):
    found = []
    for each in sorted({*hours, 300}):
        more = {"gpus": limit} if limit else {}
        plan = formulas.plan(**JOB, gpu="h100-sxm", deadline=f"{each} hour", simplicity_premium=0, **more)
        if plan.best:
            found.append(_told(formulas, plan.best.question))
        assert plan.best or not found
    assert found
    for sooner, later in itertools.pairwise(found):
        assert later["job_cost"] <= sooner["job_cost"] * (1 + 1e-9)
        assert limit or later["job_replicas"] <= sooner["job_replicas"]


@pytest.mark.slow
def test_its_files_hold_every_alternative(job, formulas):
    evaluator = formulas.evaluator
    rows = list(csv.reader(io.StringIO(plan_csv(job, evaluator))))
    assert {row[0] for row in rows[1:]} == {"t4", "h200-sxm", "h100-sxm"}
    layout = read_plan_layout(evaluator.library, "batch", evaluator.schema)
    page = plan_page(job, evaluator, read_plan_page(evaluator.library, "batch", evaluator.schema, layout), "again")
    assert "are answered in" in page


@pytest.mark.parametrize(
    ("given_", "says"), [(["--deadline", "-1h"], "deadline"), (["--deadline", "soon"], "deadline")]
)
def test_a_wrong_deadline_is_refused(given_, says, capsys):
    assert main(["plan", "--model", "llama3-8b", "--requests", "1e6", *given_]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.slow
def test_other_programs_compute_its_sheet(job, formulas, office, tmp_path):
    evaluator = formulas.evaluator
    path = tmp_path / "job.xlsx"
    path.write_bytes(plan_workbook(job, evaluator, plan_sheet_of(evaluator, "batch"), "again"))
    sheet = openpyxl.load_workbook(path, data_only=True).worksheets[0]
    office.open(path)
    computed = {row[0]: row[2:] for row in office.read(sheet.title) if row and row[0]}
    for title, name in {"GPUs": "job_gpus", "accelerator-hours": "job_gpu_hours", "cost": "job_cost"}.items():
        expected = [_told(formulas, each.question)[name] for each in job.alternatives]
        assert list(computed[title][: len(expected)]) == pytest.approx(expected, rel=1e-9)


@pytest.mark.slow
def test_its_page_computes_what_the_engine_does(job, formulas, tmp_path):
    evaluator = formulas.evaluator
    layout = read_plan_layout(evaluator.library, "batch", evaluator.schema)
    file = tmp_path / "job.html"
    file.write_text(
        plan_page(job, evaluator, read_plan_page(evaluator.library, "batch", evaluator.schema, layout), "again")
    )
    with showing(file) as shown:
        field = shown.find_element(By.CSS_SELECTOR, 'input[aria-label="requests"]')
        field.clear()
        field.send_keys("5000000")
        found = dict(shown.execute_script("return formulaEvalPlan.values(0, 'busiest')"))
        assert not logged(shown)
    best = job.best.question
    expected = _told(formulas, best._replace(values={**best.values, "job_requests": 5e6}))
    assert {name: found[f"inference.{name}"] for name in NAMES} == pytest.approx(expected, rel=1e-9)


@pytest.mark.slow
def test_many_alternatives_are_told_in_a_row_each(capsys):
    boards = "h100-sxm,h200-sxm,a100-sxm-80gb,l40s,mi300x,h100-pcie,t4,l4,rtx-4090"
    asked = ["plan", "--model", "llama3-8b", "--gpu", boards, "--tp", "1", "--pp", "1", "--requests", "1e6"]
    assert main([*asked, "--deadline", "12h"]) == 0
    told = capsys.readouterr().out
    assert all(any(line.strip().startswith(board) for line in told.splitlines()) for board in boards.split(","))
    assert "requests at once" not in told
