"""A closed loop of clients against a simulated engine whose steps mix decoding with pieces of prompts."""

from typing import NamedTuple

import numpy as np
import pytest

from arrivals.closed_loop import Clients, MixedEngine, simulate_clients
from formula_eval import Formulas

_BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


class Loop(NamedTuple):
    """A model on an accelerator, the lengths of its requests, the tokens of a step, and how many ask."""

    model: str
    gpu: str
    tp: int
    prompt: int
    generated: int
    chunk: int
    clients: int

    @property
    def asking(self) -> Clients:
        """Who asks, as the simulation takes them."""
        return Clients(self.clients, self.prompt, self.generated)

    def givens(self, **others: object) -> dict[str, object]:
        """What the formulas are asked."""
        fixed = {"engine": "vllm-1", "host_sequence_time": 0, "max_sequences": 2048}
        asked = self._asdict()
        return {**fixed, "chunk_tokens": asked.pop("chunk"), "concurrency": asked.pop("clients"), **asked, **others}


FILLED = {
    "prompts": Loop("llama3-8b", "h100-sxm", 1, 2000, 100, 2048, 300),
    "few tokens": Loop("llama3-8b", "h100-sxm", 1, 128, 4, 2048, 500),
    "large model": Loop("llama3-70b", "h100-sxm", 8, 4000, 200, 2048, 250),
    "long prompts": Loop("gpt-oss-20b", "a100-sxm-80gb", 1, 8000, 50, 2048, 60),
}
ROOMY = {
    "few": Loop("llama3-8b", "h100-sxm", 1, 1000, 300, 8192, 8),
    "many": Loop("llama3-8b", "h100-sxm", 1, 1000, 300, 8192, 60),
    "crowd": Loop("llama3-8b", "h100-sxm", 1, 200, 200, 8192, 200),
    "large model": Loop("llama3-70b", "h100-sxm", 8, 4000, 200, 2048, 64),
}
_QUEUED = ("inference.shared_prefill_time", "inference.places")
_TOLD = ("inference.serving_ttft", "inference.running_tpot", "inference.requests_per_second", "inference.places")


def _numbers(formulas: Formulas, names: tuple[str, ...], **givens: object) -> list[float]:
    found = formulas.evaluate(only=list(names), **givens)
    return [float(found[name]) for name in names]


def engine_of(formulas: Formulas, asked: Loop) -> MixedEngine:
    """The engine as the formulas describe it: its steps at some batches, and what a token of a prompt adds."""
    names = ("prefill_interference", "inference.shared_prefill_time", "loaded_request_time")
    interference, shared, host = _numbers(formulas, names, **asked.givens())
    step, context = "inference.pass_step_time", asked.prompt + asked.generated // 2
    times = [_numbers(formulas, (step,), **asked.givens(batch=each, step_context=context))[0] for each in _BATCHES]
    steps = np.interp(np.arange(asked.chunk + 1), _BATCHES, times)
    steps[0] = 0
    return MixedEngine(steps.tolist(), interference * shared / asked.prompt, asked.chunk, host)


@pytest.mark.parametrize("name", FILLED)
def test_prompts_that_fill_each_step_leave_room_for_few_that_decode(name, formulas):
    """Most clients wait for their first token; a step of `chunk_tokens` is what a token takes."""
    asked = FILLED[name]
    first, token, rate, places = _numbers(formulas, _TOLD, **asked.givens())
    found = simulate_clients(engine_of(formulas, asked), asked.asking, 6, 1)
    assert places < asked.clients / 2
    assert token == pytest.approx(found.output_token, rel=0.05)
    assert rate == pytest.approx(found.rate, rel=0.05)
    assert first == pytest.approx(found.first_token, rel=0.05)
    spent = rate * token * (asked.prompt + asked.generated - 1)
    assert spent == pytest.approx(asked.chunk, rel=0.05)


@pytest.mark.parametrize("name", ROOMY)
def test_clients_that_all_find_room_are_those_of_a_simulated_engine(name, formulas):
    asked = ROOMY[name]
    first, token, rate, places = _numbers(formulas, _TOLD, **asked.givens())
    found = simulate_clients(engine_of(formulas, asked), asked.asking, 8, 1)
    assert places == asked.clients
    assert token == pytest.approx(found.output_token, rel=0.05)
    assert rate == pytest.approx(found.rate, rel=0.1)
    assert first == pytest.approx(found.first_token, rel=0.3)


@pytest.mark.parametrize("name", FILLED)
def test_steps_take_no_places_where_prompts_are_short_or_go_first(name, formulas):
    asked = FILLED[name]
    for others in ({"prompt": 1, "chunk_tokens": 8192}, {"prefills_first": True}):
        places, held = _numbers(formulas, ("inference.places", "memory.running_capacity"), **asked.givens(**others))
        assert places == min(asked.clients, held)


def repairmen(clients: int, rest: float, count: int, seed: int) -> float:
    """The mean wait at one server of clients that each take it for 1 s and then rest for a random time."""
    random = np.random.default_rng(seed)
    asks = np.sort(random.exponential(rest, clients))
    free = waited = 0.0
    for _ in range(count):
        now, asks = asks[0], asks[1:]
        begun = max(now, free)
        waited += begun - now
        free = begun + 1
        again = free + random.exponential(rest)
        asks = np.insert(asks, np.searchsorted(asks, again), again)
    return waited / count


@pytest.mark.parametrize(("clients", "generated"), [(2, 30), (5, 100), (20, 200), (60, 500), (60, 200), (60, 50)])
def test_the_wait_is_that_of_simulated_clients(clients, generated, formulas):
    """Where decoding goes on beside prefills and no client waits for anything else, its wait is the queue alone."""
    asked = Loop("llama3-8b", "h100-sxm", 1, 4000, generated, 65536, clients)
    alone = {"steps_waited": 0, "host_request_time": 0, "loaded_request_time": 0, "prefill_interference": 0}
    names = ("inference.serving_ttft", "inference.running_tpot", "inference.lone_prefill_time", *_QUEUED)
    first, token, lone, prefill, places = _numbers(formulas, names, **asked.givens(**alone))
    assert places == clients
    waited = repairmen(clients, (generated - 1) * token / prefill, 40_000, 1)
    assert (first - lone) / prefill == pytest.approx(waited, rel=0.15)
