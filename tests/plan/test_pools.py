"""Pools of workers apart: each has the fewest replicas for half of the late share; both stand beside one pool."""

import json

import pytest

from counted import seen
from formula_eval import FormulaError
from formula_eval.analyse.plan.values import values_of
from formula_eval.cli.command import main
from formula_eval.export.plan.data import plan_csv, plan_data
from formula_eval.export.plan.heading import verdict_of
from formula_eval.export.plan.plan_brief import plan_brief
from formula_eval.export.plan.plan_page import plan_page
from formula_eval.export.plan.plan_sheet import plan_workbook
from formula_eval.export.plan.rows import read_plan_page, rows_of
from plan.sheets import plan_sheet_of

ASKED = {
    "model": "llama3-8b",
    "gpu": "h100-sxm",
    "pp": 1,
    "prompt": 4000,
    "generated": 300,
    "ttft_target": "1 s",
    "tpot_target": "12 ms",
    "request_rate": "40 request/s",
}
LATE = "arrivals.late_requests"


@pytest.fixture(scope="module")
def pools(formulas):
    return formulas.plan(**ASKED, pools=True)


def _asked(part) -> dict[str, object]:
    return {**part.question.records, **part.question.values}


@pytest.mark.slow
def test_each_pool_has_the_fewest_replicas_that_keep_half_of_the_late_share(pools, formulas):
    for part in seen(pools.pooled.parts):
        asked = _asked(part)
        late = float(formulas.evaluate(only=LATE, **asked)[LATE])
        assert late <= 0.025
        replicas = values_of(formulas.evaluator, part.question, ["serving_replicas"])["serving_replicas"]
        if replicas > 1:
            fewer = asked | {"serving_replicas": replicas - 1}
            assert float(formulas.evaluate(only=LATE, **fewer)[LATE]) > 0.025


@pytest.mark.slow
def test_pools_add_up_and_stand_beside_one_pool(pools, formulas):
    (best,) = pools.whole
    assert pools.best is best
    assert [each.pool for each in pools.alternatives] == ["", "prefill", "decode", "both"]
    names = ["inference.fleet_gpus", "inference.fleet_usd_per_month"]
    parts = [values_of(formulas.evaluator, each.question, names) for each in pools.pooled.parts]
    one = values_of(formulas.evaluator, best.question, names)
    gpus = sum(each[names[0]] for each in parts)
    cost = sum(each[names[1]] for each in parts)
    assert (sum(pools.pooled.counts), pools.pooled.cost) == (gpus, pytest.approx(cost))
    text = verdict_of(pools, formulas.evaluator)
    less = f"{abs(1 - cost / one[names[1]]):.1%} {'less' if cost < one[names[1]] else 'more'} than one pool."
    assert f"Pools apart on h100-sxm take {gpus:.0f} GPUs" in text
    assert less in text


def _told(pools, evaluator) -> dict[str, tuple[str, ...]]:
    return {row.title: tuple(row.texts) for row in rows_of(pools, pools.alternatives, evaluator)}


def test_what_a_pool_does_not_do_has_no_value(pools, formulas):
    told = _told(pools, formulas.evaluator)
    for title in ("output token within", "output token, p95", "1M output tokens, input separate"):
        one, prefill, decode, both = told[title]
        assert prefill == "-", title
        assert "-" not in (one, decode), title
        assert both == decode, title
    assert told["1M input tokens"][2] == "-"


def test_both_pools_take_the_sum_and_their_percentile_is_not_below_that_of_sums(pools, formulas):
    """Of all pairs of a prefill and a decode, one in twenty takes longer than their 95th percentile."""
    prefill, decode, both = ([*each.values] for each in pools.alternatives[1:])
    names = [each.name if each.hour == "busiest" else "" for each in pools.columns]
    for name in ("inference.fleet_gpus", "inference.fleet_usd_per_month", "inference.usd_per_request"):
        place = names.index(name)
        assert both[place] == pytest.approx(prefill[place] + decode[place])
    shares = [(turn + 0.5) / 20 for turn in range(20)]
    name = "arrivals.first_token_percentile"
    first, second = (
        [float(formulas.evaluate(only=name, **_asked(part), latency_percentile=share)[name]) for share in shares]
        for part in pools.pooled.parts
    )
    sums = sorted(one + other for one in first for other in second)
    told = both[names.index("arrivals.first_token_p95")]
    assert sums[379] <= told <= 1.25 * sums[379]
    assert f"p95 to the first token is at most {1000 * told:.1f} ms." in verdict_of(pools, formulas.evaluator)


def test_a_pool_waits_as_the_queue_of_its_workers_does(pools, formulas):
    """The mean time to first token is that of the queue M/D/1, but for prompts that a pass takes together."""
    prefill = pools.pooled.parts[0]
    told = values_of(formulas.evaluator, prefill.question, ["tp", "serving_replicas"])
    apart = {**ASKED, "prefill_tp": told["tp"], "decode_tp": told["tp"], "request_routing": "random"}
    names = ["inference.prefill_worker_interval", "inference.prefill_worker_time", "loaded_request_time"]
    found = formulas.evaluate(only=names, **apart)
    interval, time, host = (float(found[each]) for each in names)
    load = 40 / told["serving_replicas"] * interval
    expected = interval * load / (2 * (1 - load)) + time + host
    mean = formulas.evaluate(only="arrivals.ttft", **_asked(prefill), request_routing="random")["arrivals.ttft"]
    assert float(mean) == pytest.approx(expected, rel=0.15)


def test_a_pool_that_decodes_is_interrupted_by_no_prompt(pools, formulas):
    decode = pools.pooled.parts[1]
    names = ["arrivals.output_token_p95", "inference.running_step_time"]
    found = values_of(formulas.evaluator, decode.question, names)
    assert found[names[0]] <= 0.012
    together = {**_asked(decode), "worker_pool": "whole", "cached": 0}
    assert float(formulas.evaluate(only=names[0], **together)[names[0]]) > 1.3 * found[names[0]]


@pytest.mark.slow
def test_what_is_said_of_one_pool_is_of_that_pool(formulas):
    found = formulas.plan(**ASKED, prefill_tp=2, decode_tp=4)
    degrees = [values_of(formulas.evaluator, each.question, ["tp"])["tp"] for each in found.pooled.parts]
    assert degrees == [2, 4]
    assert not {"prefill_tp", "decode_tp"} & found.best.question.values.keys()


@pytest.mark.slow
def test_its_files_hold_the_pools(pools, formulas):
    evaluator = formulas.evaluator
    data = json.loads(json.dumps(plan_data(pools, evaluator, "again")))
    assert [each.get("pool") for each in data["alternatives"]] == [None, "prefill", "decode", "both"]
    assert len(plan_csv(pools, evaluator).splitlines()) == 5
    page = read_plan_page(evaluator.library, "serving", evaluator.schema, plan_sheet_of(evaluator, "serving").plan)
    for text in (plan_page(pools, evaluator, page, "again"), plan_brief(pools, evaluator, page, "again")):
        assert "Pools apart on h100-sxm take" in text
        assert "h100-sxm prefill" in text


@pytest.mark.slow
def test_other_programs_compute_the_pools(pools, formulas, office, tmp_path):
    path = tmp_path / "pools.xlsx"
    path.write_bytes(plan_workbook(pools, formulas.evaluator, plan_sheet_of(formulas.evaluator, "serving"), "again"))
    office.open(path)
    rows = {row[0]: row[2:] for row in office.read("Capacity plan") if row and row[0]}
    gpus = [values_of(formulas.evaluator, each.question, ["inference.fleet_gpus"]) for each in pools.alternatives[:3]]
    assert list(rows["GPUs"][:3]) == pytest.approx([each["inference.fleet_gpus"] for each in gpus])
    assert list(rows["meets the targets"][:3]) == ["yes"] * 3


@pytest.mark.slow
def test_each_pool_is_asked_by_a_command(capsys):
    asked = [
        "plan",
        "llama3-8b",
        "h100",
        "--pp",
        "1",
        "--prompt",
        "4000",
        "--generated",
        "300",
        "--request-rate",
        "40/s",
    ]
    assert main([*asked, "--ttft-target", "1s", "--tpot-target", "12ms", "--pools"]) == 0
    text = capsys.readouterr().out
    for word, pool in {"Prefill": "prefill_only", "Decode": "decode_only"}.items():
        command = " ".join(text.partition(f"\n{word}  formula-eval")[2].partition("\n\n")[0].replace("\\", "").split())
        assert f"--worker-pool {pool}" in command
        assert "plan" not in command


@pytest.mark.parametrize("more", [{"job_requests": 1000}, {"answer": "training", "training_tokens": 1e9}])
def test_pools_of_what_is_no_service_are_refused(more, formulas):
    with pytest.raises(FormulaError, match="Pools apart have no meaning here"):
        formulas.plan(model="llama3-8b", pools=True, **more)
