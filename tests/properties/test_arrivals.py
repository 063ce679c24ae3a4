"""Requests that arrive at a rate: the load and the batch agree, whatever the rate."""

import math
from itertools import pairwise

import pytest

from formula_eval import Formulas

SERVERS = {
    "llama3-70b": {"tp": 8, "format": "fp8"},
    "llama2-70b": {"tp": 2, "pp": 4, "kv_bits": 8},
    "deepseek-v3": {"tp": 4, "attention_dp": 2, "ep": 8, "weight_bits": 8},
    "qwen3-30b-a3b": {"engine": "vllm"},
    "mamba-2.8b": {"max_sequences": 100},
    "llama3-8b": {"drafted_tokens": 3, "drafter": "own_layer", "concurrency": 50},
}
LOADS = (1e-4, 0.01, 0.1, 0.3, 0.5, 0.8, 0.95, 0.999)
ASKED = {"hardware": "h200-sxm", "prompt": 1000, "generated": 300}


def values(formulas: Formulas, names: tuple[str, ...], model: str, **givens: object) -> list[float]:
    result = formulas.evaluate(only=list(names), model=model, **{**ASKED, **SERVERS[model], **givens})
    found = [result[name].value for name in names]
    return [math.inf if each is None else float(each) for each in found]


def most(formulas: Formulas, model: str) -> float:
    return values(formulas, ("arrivals.most_arrivals",), model, request_rate=1)[0]


@pytest.mark.parametrize("model", SERVERS)
def test_little_holds_at_every_rate(model, formulas):
    """A request finds as many others as arrivals keep running, or all places taken; each stays for its mean time."""
    names = ("inference.running", "inference.places", "inference.residence_time", "arrivals.running", "arrivals.load")
    groups = SERVERS[model].get("attention_dp", 1)
    rate = most(formulas, model)
    for load in LOADS:
        batch, places, stay, running, stated = values(formulas, names, model, request_rate=load * rate)
        assert stated == pytest.approx(load, rel=1e-9)
        assert running == pytest.approx(load * rate / groups * stay, rel=0.1)
        if batch < places:
            assert batch - 1 == pytest.approx(running, rel=1e-9)
        else:
            assert places - 1 <= running * (1 + 1e-9)


@pytest.mark.parametrize("model", SERVERS)
def test_the_step_is_that_of_the_batch(model, formulas):
    """The straight line between two estimates is the time that a step of that batch takes."""
    rate = most(formulas, model)
    for load in LOADS:
        batch, stated = values(
            formulas, ("inference.running", "inference.running_step_time"), model, request_rate=load * rate
        )
        less, more = (
            values(
                formulas,
                ("inference.running", "inference.running_step_time"),
                model,
                concurrency=each,
                request_rate=0,
            )
            for each in (math.floor(batch), math.ceil(batch))
        )
        assert less[0] <= batch <= more[0]
        assert less[1] * (1 - 2e-3) <= stated <= more[1] * (1 + 2e-3)


@pytest.mark.parametrize("model", SERVERS)
def test_more_arrivals_wait_longer(model, formulas):
    """Times rise with the rate, without a jump where the places are all taken, and never beyond a full batch's."""
    names = ("inference.running", "inference.running_tpot", "arrivals.ttft", "arrivals.waiting_time")
    rate = most(formulas, model)
    rows = [values(formulas, names, model, request_rate=load * rate) for load in LOADS]
    for before, after in pairwise(rows):
        assert all(x <= y * (1 + 1e-9) + 1e-15 for x, y in zip(before, after, strict=True))
    full = values(formulas, names[:2], model, request_rate=0, concurrency=SERVERS[model].get("concurrency", 10**6))
    near, beyond = (values(formulas, names, model, request_rate=load * rate) for load in (1 - 1e-9, 2))
    assert near[:2] == pytest.approx(full, rel=1e-6)
    assert beyond[:2] == pytest.approx(full, rel=1e-12)
    assert beyond[2:] == [math.inf, math.inf]


def test_few_arrivals_find_an_idle_server(formulas):
    names = ("inference.running", "inference.running_tpot", "arrivals.ttft")
    batch, tpot, ttft = values(formulas, names, "llama3-70b", request_rate=1e-9)
    alone = ("inference.running", "inference.running_tpot", "inference.running_ttft")
    idle = values(formulas, alone, "llama3-70b", concurrency=1, steps_waited=0)
    assert [batch, tpot, ttft] == pytest.approx(idle, rel=1e-6)


def test_clients_cap_what_arrivals_may_run(formulas):
    """With a cap on requests under way the rest wait outside, and the server saturates earlier."""
    names = ("inference.places", "inference.most_requests_per_second")
    few, some = (values(formulas, names, "llama3-70b", concurrency=each, request_rate=1) for each in (4, 40))
    assert (few[0], some[0]) == (4, 40)
    assert few[1] < some[1]
    waits = [
        values(formulas, ("arrivals.waiting_time",), "llama3-70b", concurrency=each, request_rate=0.9 * few[1])[0]
        for each in (4, 40)
    ]
    assert waits[0] > 100 * waits[1]


def processor_sharing(rate: float, fixed: float, each: float) -> float:
    """The mean number in a server where n requests each take fixed + each * n, from the chances of every n."""
    chances, chance, n = [], 1.0, 0
    while chance > 1e-18 or n < 10:
        chances.append(chance)
        n += 1
        chance *= rate * (fixed + each * n) / n
    return sum(n * x for n, x in enumerate(chances)) / sum(chances)


def test_the_mean_batch_is_that_of_a_shared_server(formulas):
    """A model whose steps grow evenly with the batch is a processor-sharing queue, whose states are known exactly."""
    givens = {
        "queueing_share": 0,
        "prefill_interference": 0,
        "steps_waited": 0,
        "host_request_time": 0,
        "loaded_request_time": 0,
    }
    givens |= {"host_step_time": 0.02, "host_sequence_time": 0.002, "generated": 100, "max_sequences": 10_000}
    names = ("inference.running_step_time", "inference.residence_time")
    one, first = values(formulas, names, "mamba-2.8b", **givens, concurrency=1)
    ten, tenth = values(formulas, names, "mamba-2.8b", **givens, concurrency=10)
    each = (tenth - first) / 9
    assert ten > one
    rate = 0.7 / each
    running = values(formulas, ("arrivals.running",), "mamba-2.8b", **givens, request_rate=rate)[0]
    assert running == pytest.approx(processor_sharing(rate, first - each, each), rel=1e-2)


@pytest.mark.parametrize("spread", [0, 0.5, 1.5])
def test_one_place_is_a_queue_known_exactly(spread, formulas):
    """The wait of those that wait at one place, by Pollaczek and Khinchine, whatever answers and prompts are like."""
    names = ("arrivals.load", "arrivals.place_time", "arrivals.place_residence")
    parts = ("arrivals.mean_prefill_time", "arrivals.prefill_spread")
    load, wait, stay, prefill, varied = values(
        formulas,
        (*names, *parts),
        "llama3-8b",
        concurrency=1,
        max_sequences=1,
        request_rate=0.2,
        prompt_spread=spread,
        generated_spread=spread,
    )
    variance = (prefill * varied) ** 2 + ((stay - prefill) * spread) ** 2
    assert wait == pytest.approx((stay + variance / stay) / 2 / (1 - load), rel=1e-9)
