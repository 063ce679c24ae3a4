"""Percentiles under load against a simulated engine: a tenth off at the median, a fifth at the 95th percentile."""

from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

from arrivals.simulation import Array, Engine, Requests, simulate
from formula_eval import Formulas

_COUNT = 12_000
_RUNS = {0.3: 2, 0.6: 2, 0.85: 6}  # by load: waits for a place come in rare long spells
_BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
_LONG = 4  # the prompt whose prefill says how attention grows, over the mean one
_SMALL = {"model": "llama3-8b", "gpu": "h100-sxm"}
_LARGE = {"model": "llama3-70b", "gpu": "h100-sxm", "tp": 8}
_EXPERTS = {"model": "qwen3-30b-a3b", "gpu": "h200-sxm"}


class Service(NamedTuple):
    """Whom a server runs for: the spreads of lengths, how bursty arrivals are, how many may run, and servers beside it.

    Servers beside each other get requests in turn: as many times between arrivals lie between those of one of them.
    """

    server: dict[str, object]
    prompt: int
    generated: int
    prompt_spread: float = 0
    generated_spread: float = 0
    arrival_burstiness: float = 1
    max_sequences: int = 256
    serving_replicas: int = 1
    holds_to: float = 0.85  # the load up to which the percentiles are those of the simulated engine

    def givens(self, **others: object) -> dict[str, object]:
        """What the formulas are asked."""
        asked = self._asdict()
        del asked["holds_to"]
        return {"steps_waited": 1.5, **asked.pop("server"), **asked, **others}


SERVICES = {
    "alike": Service(_SMALL, 1000, 300),
    "spread": Service(_SMALL, 1000, 200, 0.6, 1),
    "bursts": Service(_SMALL, 1000, 200, 0.6, 0.6, 2),
    "few places": Service(_SMALL, 1000, 200, 1, 0.6, 1, 16),
    "long prompts": Service(_SMALL, 8000, 200, 0.6, 0.6, holds_to=0.6),
    "large model": Service(_LARGE, 1000, 200, 1, 1),
    "short prompts": Service(_LARGE, 200, 200, 1, 0.6),
    "experts": Service(_EXPERTS, 1000, 200, 1, 1),
    "few places in bursts": Service(_SMALL, 1000, 200, 1.5, 0.6, 2, 16),
    "large model in bursts": Service(_LARGE, 1000, 200, 1, 0.6, 2),
    "experts in bursts": Service(_EXPERTS, 200, 200, 0.6, 0.6, 2),
    "long prompts, few places": Service(_LARGE, 8000, 200, max_sequences=16, holds_to=0.6),
    "chat": Service(_LARGE, 2666, 481, 0.98, 0.59),
    "chat with few places": Service(_SMALL, 2666, 481, 0.98, 0.59, 1, 32),
    "retrieval in bursts": Service(_SMALL, 3310, 240, 0.12, 1.1, 2),
    "summaries": Service(_LARGE, 7900, 222, 0.5, 0.48),
    "code": Service(_EXPERTS, 1930, 808, 0.8, 1.4, 1, 64),
    "plan": Service(_LARGE, 2000, 300),
    "spread over two": Service(_SMALL, 1000, 200, 0.6, 1, serving_replicas=2),
    "chat over two": Service(_LARGE, 2666, 481, 0.98, 0.59, serving_replicas=2),
    "chat over four": Service(_LARGE, 2666, 481, 0.98, 0.59, serving_replicas=4, holds_to=0.6),
    "bursts over four": Service(_SMALL, 1000, 200, 0.6, 0.6, 2, serving_replicas=4),
    "few places over four": Service(_SMALL, 1000, 200, 1, 0.6, 1, 16, serving_replicas=4, holds_to=0.6),
}

_SOON = ("spread", "spread over two", "few places in bursts", "long prompts")  # the others are slow


def _numbers(formulas: Formulas, names: tuple[str, ...], **givens: object) -> list[float]:
    found = formulas.evaluate(only=list(names), **givens)
    return [float(found[name]) for name in names]


@cache
def engine_of(formulas: Formulas, name: str) -> Engine:
    """The engine as the formulas describe it: its steps at some batches, and a parabola through its prefills."""
    asked = SERVICES[name].givens(request_rate=1)
    places, prompts, context, interference, lone, shared, host = _numbers(
        formulas,
        (
            "inference.places",
            "inference.chunk_prompts",
            "inference.mean_context",
            "prefill_interference",
            "inference.lone_prefill_time",
            "inference.shared_prefill_time",
            "loaded_request_time",
        ),
        **asked,
    )
    step, prefill = "inference.pass_step_time", "inference.lone_prefill_time"
    steps = [
        _numbers(formulas, (step,), **asked | {"batch": each, "step_context": int(context)})[0] for each in _BATCHES
    ]
    prompt = SERVICES[name].prompt
    (long,) = _numbers(formulas, (prefill,), **asked | {"prompt": _LONG * prompt})
    overhead = max(0.0, prompts * (lone - shared) / (prompts - 1))
    own = lone - overhead
    square = max(0.0, (long - overhead - _LONG * own) / (_LONG * (_LONG - 1)))

    def work(tokens: Array) -> Array:
        return (own - square) * tokens / prompt + square * (tokens / prompt) ** 2

    return Engine(
        np.interp(np.arange(places + 1), _BATCHES, steps).tolist(),
        overhead,
        work,
        shared / own,
        prompts * prompt,
        int(places),
        interference,
        steps_waited=1,
        host_time=host,
    )


_CASES = [
    pytest.param(name, load, marks=() if name in _SOON else pytest.mark.slow)
    for name, service in SERVICES.items()
    for load in _RUNS
    if load <= service.holds_to
]


@pytest.mark.parametrize(("name", "load"), _CASES)
def test_percentiles_are_those_of_a_simulated_engine(name, load, formulas):
    asked = SERVICES[name]
    (at_one,) = _numbers(formulas, ("arrivals.load",), **asked.givens(request_rate=1))
    rate, servers = load / at_one, asked.serving_replicas
    burstiness = asked.arrival_burstiness / servers
    requests = Requests(
        rate / servers, burstiness, asked.prompt, asked.prompt_spread, asked.generated, asked.generated_spread
    )
    runs = [simulate(engine_of(formulas, name), requests, _COUNT, seed) for seed in range(_RUNS[load])]
    names = [f"arrivals.{kind}_p{share}" for kind in ("first_token", "output_token") for share in (50, 95)]
    first, late, token, slow = _numbers(formulas, tuple(names), **asked.givens(request_rate=rate))
    times, tokens = (np.concatenate([getattr(run, name) for run in runs]) for name in ("first_token", "output_token"))
    assert first == pytest.approx(np.percentile(times, 50), rel=0.1)
    assert late == pytest.approx(np.percentile(times, 95), rel=0.2)
    assert token == pytest.approx(np.percentile(tokens, 50), rel=0.1)
    assert slow == pytest.approx(np.percentile(tokens, 95), rel=0.2)


@pytest.mark.parametrize("spread", [0, 0.6])
def test_the_simulation_is_a_queue_with_one_place(spread):
    """One place and one token: the mean wait in a queue of random arrivals is known exactly (Pollaczek-Khinchine)."""
    engine = Engine([0.0, 1.0], 0.0, lambda tokens: tokens / 1000, 1.0, 1.0, 1, 1.0, 0, 0.0)
    found = simulate(engine, Requests(0.7, 1, 1000, spread, 1, 0), 60_000, 1)
    assert found.first_token.mean() == pytest.approx(1 + 0.7 * (1 + spread**2) / (2 * 0.3), rel=0.05)
