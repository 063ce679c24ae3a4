"""A fleet of two accelerators: both parts keep the targets, share all requests, and cost less than one accelerator."""

import json
from itertools import product

import pytest

from formula_eval.analyse.plan.values import values_of
from formula_eval.cli.command import main
from formula_eval.export.plan.data import plan_data
from formula_eval.export.plan.heading import verdict_of

RENT, LATE = "inference.fleet_usd_per_month", "arrivals.late_beyond_share"
TOLD = [RENT, LATE, "request_rate", "serving_replicas"]
TARGETS = {"ttft_target": "1 s", "tpot_target": "50 ms"}
ASKED = {"model": "llama3.1-8b", **TARGETS}


@pytest.fixture(scope="module")
def planned(formulas):
    return formulas.plan(**ASKED, gpu=["h200-sxm", "l40s"], request_rate="60 request/s")


@pytest.mark.slow
def test_its_parts_keep_the_targets_and_share_all_requests(planned, formulas):
    parts = [values_of(formulas.evaluator, each.question, TOLD) for each in planned.mix.parts]
    assert sum(each["request_rate"] for each in parts) == pytest.approx(60)
    assert sum(each[RENT] for each in parts) == pytest.approx(planned.mix.cost)
    assert [each["serving_replicas"] for each in parts] == [each.replicas for each in planned.mix.parts]
    assert all(each[LATE] <= 0 for each in parts)


@pytest.mark.slow
def test_no_fleet_of_single_boards_that_keeps_the_targets_costs_less(planned, formulas):
    def rent(hardware: str, replicas: int, rate: float) -> float:
        of = {"hardware": hardware, "serving_replicas": replicas, "request_rate": f"{rate} request/s"}
        found = formulas.evaluate(only=[RENT, LATE], **ASKED, **of)
        return found[RENT].value if found[LATE].value <= 0 else float("inf")

    shares = [each / 20 for each in range(1, 20)]
    mixes = (
        rent("h200-sxm", large, 60 * share) + rent("l40s", small, 60 * (1 - share))
        for large, small, share in product((1, 2), (1, 2), shares)
    )
    assert planned.mix.cost == pytest.approx(min(mixes))
    assert (
        planned.mix.cost
        < planned.mix.alone
        == pytest.approx(planned.best.values[_place(planned, "hardware per month")])
    )


def _place(planned, title: str) -> int:
    return [each.title for each in planned.columns].index(title)


@pytest.mark.slow
def test_it_is_said_and_written(planned, formulas):
    said = "A mix costs less: 1 replica on h200-sxm and 1 replica on l40s share the requests for 4,416 USD a month"
    assert said in verdict_of(planned, formulas.evaluator)
    data = json.loads(json.dumps(plan_data(planned, formulas.evaluator, "again"), allow_nan=False))
    assert [each["name"] for each in data["mix"]["parts"]] == ["h200-sxm", "l40s"]
    assert data["mix"][RENT] == pytest.approx(4416.5)


@pytest.mark.slow
def test_each_part_is_asked_by_a_command(capsys):
    asked = ["--model", "llama3.1-8b", "--request-rate", "60/s", "--ttft-target", "1s", "--tpot-target", "50ms"]
    assert main(["plan", *asked, "--gpu", "h200-sxm,l40s"]) == 0
    told = " ".join(capsys.readouterr().out.replace("\\\n", " ").split())
    assert "Mix formula-eval --model llama3.1-8b --gpu h200-sxm" in told
    assert "Mix formula-eval --model llama3.1-8b --gpu l40s" in told


@pytest.mark.slow
@pytest.mark.parametrize("more", [{"request_rate": "6 request/s"}, {"request_rate": "52 request/s"}])
def test_there_is_none_where_one_accelerator_costs_as_little(more, formulas):
    assert formulas.plan(**ASKED, gpu=["h200-sxm", "l40s"], **more).mix is None
