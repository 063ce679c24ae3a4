"""Workers apart for prompts and for tokens: as many as keep both targets, and no more."""

import math
from itertools import pairwise

import pytest

from formula_eval import Formulas

SERVERS = {
    "llama3-70b": {"decode_tp": 8, "prefill_tp": 4, "format": "fp8"},
    "qwen3-30b-a3b": {"decode_tp": 2},
    "deepseek-v3": {"tp": 4, "attention_dp": 4, "ep": 16, "weight_bits": 8},
    "llama3-8b": {"pp": 2},
}
ASKED = {"hardware": "h200-sxm", "prompt": 3000, "generated": 300, "request_rate": 17}


def values(formulas: Formulas, names: tuple[str, ...], model: str, **givens: object) -> list[float]:
    result = formulas.evaluate(only=list(names), model=model, **{**ASKED, **SERVERS[model], **givens})
    found = [result[name].value for name in names]
    return [math.inf if each is None else float(each) for each in found]


@pytest.mark.parametrize("model", SERVERS)
@pytest.mark.parametrize("target", [0.015, 0.02, 0.03, 0.05])
def test_a_decode_worker_runs_as_many_as_its_target_allows(model, target, formulas):
    names = (
        "inference.decode_worker_running",
        "inference.decode_worker_step_time",
        "inference.decode_estimates.alone.step",
    )
    running, step, alone = values(formulas, names, model, tpot_target=target)
    assert running == int(running)
    if alone > target:
        assert running == 1
        return
    assert step <= target
    tp = SERVERS[model].get("decode_tp", SERVERS[model].get("tp", 1))
    asked = ("inference.running_step_time", "inference.places")
    given = {"tp": tp, "request_rate": 0, "max_sequences": 10_000}
    same = values(formulas, asked, model, **given, concurrency=int(running))[0]
    more, places = values(formulas, asked, model, **given, concurrency=math.ceil(running * 1.02))
    assert same == pytest.approx(step, rel=5e-2)
    assert more > target * (1 - 5e-2) or places <= running + 2


@pytest.mark.parametrize("model", SERVERS)
@pytest.mark.parametrize("rate", [0.2, 3, 17, 60])
def test_output_tokens_come_as_fast_as_the_load_lets_them(model, rate, formulas):
    """Little's law holds for what runs, and a step of as many takes as long as is told."""
    names = (
        "inference.disaggregated_running",
        "inference.disaggregated_tpot",
        "inference.decode_arrivals",
        "inference.decode_worker_step_time",
    )
    running, tpot, arrivals, full = values(formulas, names, model, request_rate=rate)
    assert tpot <= full * (1 + 1e-9)
    assert running == pytest.approx(1 + arrivals * tpot, rel=1e-6)
    tp = SERVERS[model].get("decode_tp", SERVERS[model].get("tp", 1))
    given = {"tp": tp, "request_rate": 0, "max_sequences": 10_000}
    asked = ("inference.running_step_time",)
    around = [
        values(formulas, asked, model, **given, concurrency=each)[0]
        for each in (math.floor(running), math.ceil(running))
    ]
    assert around[0] * (1 - 8e-2) <= tpot <= around[1] * (1 + 8e-2)


@pytest.mark.parametrize("model", SERVERS)
def test_a_tighter_target_takes_more_workers(model, formulas):
    names = ("inference.prefill_workers", "inference.decode_workers", "inference.disaggregated_gpus")
    tight = [values(formulas, names, model, tpot_target=each)[1] for each in (0.2, 0.05, 0.03, 0.02)]
    assert all(x <= y for x, y in pairwise(tight))
    prompt = values(formulas, ("inference.prefill_worker_time",), model)[0]
    firsts = [values(formulas, names, model, ttft_target=each * prompt + 0.1)[0] for each in (9, 3, 1.5, 1.1)]
    assert all(x <= y for x, y in pairwise(firsts))
    assert firsts[-1] > firsts[0] or firsts[0] == 1


@pytest.mark.parametrize("model", SERVERS)
@pytest.mark.parametrize("spare", [1.2, 2, 5])
def test_the_first_token_comes_in_time(model, spare, formulas):
    """With as many prefill workers as are asked for; with one fewer it comes too late."""
    fixed = ("inference.prefill_worker_time", "inference.transfer_time", "loaded_request_time")
    target = sum(values(formulas, fixed, model)) * spare
    names = ("inference.disaggregated_ttft", "inference.prefill_workers", "inference.prefill_worker_interval")
    ttft, workers, interval = values(formulas, names, model, ttft_target=target)
    assert ttft <= target * (1 + 1e-9)
    fewer = workers - 1
    load = 17 / SERVERS[model].get("attention_dp", 1) / fewer * interval if fewer else math.inf
    waited = interval * load / (2 * (1 - load)) if load < 1 else math.inf
    assert waited + target / spare > target


def test_nothing_arrives_and_nothing_is_needed(formulas):
    names = ("inference.disaggregated_gpus", "inference.prefill_waiting_time")
    assert values(formulas, names, "llama3-8b", request_rate=0) == [0, 0]


@pytest.mark.parametrize(("asked", "said"), [({}, False), ({"prefill_tp": 1}, True), ({"decode_tp": 1}, True)])
def test_workers_apart_are_warned_of_where_they_are_asked_for(asked, said, formulas):
    targets = {"ttft_target": "1 ms", "tpot_target": "1 ms", "request_rate": 2}
    result = formulas.evaluate(only=["inference.disaggregated_gpus"], model="llama3-70b", **targets, **asked)
    warned = [each for each in result.checks if each.name.startswith("inference.workers_meet_")]
    assert len(warned) == 2
    assert [each.ok for each in warned] == [not said] * 2


@pytest.mark.parametrize(("rate", "said"), [("0 request/s", True), ("5 request/s", False)])
def test_workers_without_a_rate_of_requests_are_told_to_need_one(rate, said, formulas):
    asked = {"model": "llama3-70b", "prefill_tp": 4, "decode_tp": 8, "request_rate": rate}
    result = formulas.evaluate(only=["inference.disaggregated_gpus"], **asked)
    assert [each.ok for each in result.checks if each.name == "inference.workers_have_requests"] == [not said]


@pytest.mark.parametrize("rate", [0.5, 17, 400])
@pytest.mark.parametrize("model", SERVERS)
def test_what_both_kinds_of_workers_do_together(model, rate, formulas):
    loads = ("inference.disaggregated_prefill_load", "inference.disaggregated_decode_load")
    both = ("inference.disaggregated_gpus", "inference.disaggregated_tokens_per_second_per_gpu")
    waits = ("inference.disaggregated_ttft", "inference.disaggregated_tpot", "inference.disaggregated_latency")
    cost = "inference.disaggregated_usd_per_million_output_tokens"
    given = {"request_rate": rate, "price": "3 USD/hour", "tpot_target": "0.5 s", "ttft_target": "30 s"}
    prefill, decode, gpus, each, first, step, whole, usd = values(
        formulas, (*loads, *both, *waits, cost), model, **given
    )
    assert 0 < prefill <= 1
    assert 0 < decode <= 1 + 1e-9
    assert gpus * each == pytest.approx(rate * 300)
    assert usd == pytest.approx(gpus * 3 / 3600 * 1e6 / (rate * 300))
    assert whole == pytest.approx(first + 299 * step)


def test_memory_is_that_of_a_worker_by_itself(formulas):
    alike = {"model": "llama3-8b", "hardware": "h100-sxm", "prompt": 900, "generated": 100, "kept_output_share": 1}
    apart = formulas.evaluate(only=["inference.*worker*"], **alike, prefill_tp=2, decode_tp=4, request_rate=3)
    running = apart["inference.decode_worker_running"].value
    for name, tp, batch in (("prefill", 2, 1), ("decode", 4, running)):
        alone = formulas.evaluate(only=["memory.total_bytes"], **alike, tp=tp, batch=batch)
        assert apart[f"inference.{name}_worker_bytes"].value == pytest.approx(
            alone["memory.total_bytes"].value, rel=0.01
        )


@pytest.mark.parametrize("model", SERVERS)
def test_what_runs_on_a_decode_worker_fits(model, formulas):
    asked = ("inference.decode_worker_bytes", "memory.usable_bytes")
    needed, usable = values(formulas, asked, model, concurrency=4096, tpot_target="0.5 s", ttft_target="30 s")
    assert needed <= usable
