"""Percentiles under load against a simulated engine: a tenth off at the median, a fifth at the 95th percentile."""

from functools import cache

import numpy as np
import pytest

from arrivals.simulation import Engine, Requests, simulate
from formula_eval import Formulas

_COUNT = 12_000
_KNOWN = ("inference.places", "inference.chunk_prompts", "inference.mean_context", "prefill_interference")
_TIMES = ("inference.lone_prefill_time", "inference.shared_prefill_time", "loaded_request_time")
_ENGINE = {"model": "llama3-8b", "gpu": "h100-sxm", "max_sequences": 256, "steps_waited": 1.5}
_SERVICES = {
    "alike": {"prompt": 1000, "generated": 300},
    "spread": {"prompt": 1000, "generated": 200, "prompt_spread": 0.6, "generated_spread": 1},
    "bursts": {
        "prompt": 1000,
        "generated": 200,
        "prompt_spread": 0.6,
        "generated_spread": 0.6,
        "arrival_burstiness": 2,
    },
}


def _numbers(formulas: Formulas, names: tuple[str, ...], **givens: object) -> list[float]:
    found = formulas.evaluate(only=list(names), **{**_ENGINE, **givens})
    return [float(found[name]) for name in names]


@cache
def _engine(formulas: Formulas, service: str) -> Engine:
    """The engine as the formulas describe it: its steps at some batches, and a line through its prefill passes."""
    asked = _SERVICES[service]
    places, prompts, context, interference = _numbers(formulas, _KNOWN, request_rate=1, **asked)
    lone, shared, host = _numbers(formulas, _TIMES, **asked)
    batches = [1, 4, 16, 64, 128, int(places)]
    steps = [
        _numbers(formulas, ("inference.pass_step_time",), **asked, batch=each, context=int(context))[0]
        for each in batches
    ]
    each_token = (prompts * shared - lone) / ((prompts - 1) * asked["prompt"])
    fixed = lone - each_token * asked["prompt"]
    return Engine(
        lambda running: float(np.interp(running, batches, steps)),
        lambda tokens: fixed + each_token * tokens,
        prompts * asked["prompt"],
        int(places),
        interference,
        steps_waited=1,
        host_time=host,
    )


@pytest.mark.parametrize("load", [0.3, 0.6, 0.85])
@pytest.mark.parametrize("service", _SERVICES)
def test_percentiles_are_those_of_a_simulated_engine(service, load, formulas):
    asked = _SERVICES[service]
    (at_one,) = _numbers(formulas, ("arrivals.load",), **asked, request_rate=1)
    rate = load / at_one
    spreads = [
        asked.get(name, usual)
        for name, usual in (("arrival_burstiness", 1), ("prompt_spread", 0), ("generated_spread", 0))
    ]
    requests = Requests(rate, spreads[0], asked["prompt"], spreads[1], asked["generated"], spreads[2])
    runs = [simulate(_engine(formulas, service), requests, _COUNT, seed) for seed in (1, 2)]
    names = [f"arrivals.{kind}_p{share}" for kind in ("first_token", "output_token") for share in (50, 95)]
    first, late, token, slow = _numbers(formulas, tuple(names), **asked, request_rate=rate)
    times, tokens = (np.concatenate([getattr(run, name) for run in runs]) for name in ("first_token", "output_token"))
    assert first == pytest.approx(np.percentile(times, 50), rel=0.1)
    assert late == pytest.approx(np.percentile(times, 95), rel=0.2)
    assert token == pytest.approx(np.percentile(tokens, 50), rel=0.1)
    assert slow == pytest.approx(np.percentile(tokens, 95), rel=0.2)


def test_the_simulation_is_a_queue_with_one_place():
    """One place and one token: the mean wait in a queue of random arrivals and equal times is known exactly."""
    engine = Engine(lambda _: 1.0, lambda _: 1.0, 1.0, 1, 1.0, 0, 0.0)
    found = simulate(engine, Requests(0.7, 1, 10, 0, 1, 0), 60_000, 1)
    assert found.first_token.mean() == pytest.approx(1 + 0.7 / (2 * 0.3), rel=0.05)
