"""A run that begins with all its clients at once: its waits against a simulated server, its limits, its whole time."""

from heapq import heappop, heappush
from itertools import pairwise
from math import exp, log1p, sqrt
from random import Random

import pytest

from counted import seen
from formula_eval import Formulas
from properties.test_serving_limits import MODELS, values

TOLD = ("inference.waiting_time", "inference.serving_ttft", "inference.placed_residence", "inference.places")


def mean_start(requests: int, places: int, spread: float, random: Random) -> float:
    """When requests begin on average, in mean lifetimes, if all come at once and each holds one of so many places."""
    deviation = sqrt(log1p(spread**2))
    ends: list[float] = []
    total = 0.0
    for request in range(requests):
        start = 0.0 if request < places else heappop(ends)
        total += start
        heappush(ends, start + exp(random.gauss(0, deviation) - deviation**2 / 2))
    return total / requests


@pytest.mark.parametrize("spread", [0, 0.5, 1])
@pytest.mark.parametrize("rounds", [2, 3, 5, 10])
def test_requests_wait_as_in_a_simulated_server(rounds, spread, formulas):
    givens = {"model": "gpt2", "hardware": "h100-sxm", "generated_spread": spread, "max_sequences": 64}
    result = formulas.evaluate(only=list(TOLD), concurrency=64 * rounds, simultaneous_share=1, **givens)
    waited, _, lifetime, places = (float(result[name].value) for name in TOLD)
    assert places == 64
    random = Random(1)
    simulated = sum(mean_start(64 * rounds, 64, spread, random) for _ in range(20)) / 20
    fill = first_prefills(formulas, **givens, concurrency=64 * rounds)
    assert (waited - fill) / lifetime == pytest.approx(simulated, abs=0.1)


def first_prefills(formulas: Formulas, **givens: object) -> float:
    """What requests of the first round wait for prefills, beyond their stay."""
    names = ["inference.shared_prefill_time", "inference.placed_residence", "inference.occupied_residence"]
    result = formulas.evaluate(only=names, **givens)
    prefill, placed, occupied = (float(result[name].value) for name in names)
    return max(0.0, 63 / 2 * prefill - (placed - occupied))


@pytest.mark.parametrize("model", MODELS)
def test_who_asks_once_waits_at_most_half_as_long_and_longer_with_more(model, formulas):
    names = ("inference.waiting_time", "inference.shared_prefill_time", "inference.places", "inference.residence_time")
    waits = []
    for requests in (64, 200, 1000):
        once, prefill, places, _ = values(formulas, names, model, run_requests=requests, max_sequences=16)
        always, *_ = values(formulas, names, model, concurrency=requests, max_sequences=16)
        assert 0 < once <= always / 2 + (places - 1) / 2 * prefill + 1e-9
        waits.append(once)
    for fewer, more in seen(pairwise(waits)):
        assert fewer < more


@pytest.mark.parametrize("model", MODELS)
def test_a_long_run_is_a_loop_that_never_ends(model, formulas):
    for clients in seen((1, 12, 300)):
        loop = values(formulas, TOLD, model, concurrency=clients, max_sequences=64)
        long = values(formulas, TOLD, model, concurrency=clients, max_sequences=64, run_requests=100_000_000)
        assert long == pytest.approx(loop, rel=1e-3)


@pytest.mark.parametrize("model", MODELS)
def test_a_run_takes_its_requests_over_their_rate(model, formulas):
    names = ("inference.run_time", "inference.fleet_requests_per_second", "inference.serving_ttft")
    time, rate, first = values(formulas, names, model, run_requests=400, max_sequences=16, serving_replicas=2)
    assert time * rate == pytest.approx(400)
    assert first < time


@pytest.mark.parametrize("model", MODELS)
def test_a_full_server_runs_no_more_on_average_than_its_memory_takes(model, formulas):
    names = ("memory.saturated_batch", "memory.running_capacity")
    held = {}
    for share in seen((0, 0.5, 0.75, 1)):  # a server with clients keeps room for their logits, so 2 %
        givens = {"prompt": 1000, "generated": 3000, "max_sequences": 100_000, "concurrency": 1}
        held[share], most = values(formulas, names, model, kept_output_share=share, **givens)
        assert held[share] <= 1.02 * most + 1 or share < 0.5
    assert held[0] == held[0.5] >= held[0.75] >= held[1]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("requests", [2, 100, 500, 5000])
def test_no_run_ends_before_its_mean_request(model, requests, formulas):
    names = ("inference.run_time", "inference.serving_latency")
    run, request = values(formulas, names, model, run_requests=requests)
    assert run >= request > 0
