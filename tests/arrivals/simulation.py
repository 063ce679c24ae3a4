"""A serving engine with continuous batching, simulated request by request: the oracle of percentiles under load."""

import heapq
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_WARM_UP = 0.1
_COOL_DOWN = 0.05


class Engine(NamedTuple):
    """What the simulated engine is like: all times in seconds.

    `step` is the time of a decode step by the number of sequences, `prefill` that of a pass over several prompts by all
    their tokens, at most `chunk` unless one prompt has more. Decoding stands still for the share `interference` of each
    prefill. A request waits for the step under way and `steps_waited` further ones before its prefill begins, where any
    sequence runs.
    """

    step: Callable[[int], float]
    prefill: Callable[[float], float]
    chunk: float
    places: int
    interference: float
    steps_waited: int
    host_time: float


class Requests(NamedTuple):
    """What arrives: times between arrivals have a gamma distribution, lengths a log-normal one."""

    rate: float
    burstiness: float
    prompt: float
    prompt_spread: float
    generated: float
    generated_spread: float


class Latencies(NamedTuple):
    """Of each request in a steady state: the time to first token, and that per output token where there are several."""

    first_token: Array
    output_token: Array


def simulate(engine: Engine, requests: Requests, count: int, seed: int) -> Latencies:
    """Serve so many requests, first come first served, prefills before decode steps.

    Between two events the number of sequences stays the same, so all steps between are one move of the clock.
    """
    random = np.random.default_rng(seed)
    shape = 1 / requests.burstiness
    arrival = np.cumsum(random.gamma(shape, 1 / (requests.rate * shape), count))
    prompt = _lengths(random, requests.prompt, requests.prompt_spread, count)
    answer = _lengths(random, requests.generated, requests.generated_spread, count)
    first, last = np.zeros(count), np.zeros(count)
    ready = np.zeros(count)
    clock = made = 0.0  # seconds, and the tokens that a sequence running all the time would have made
    running: list[tuple[float, int]] = []  # at how many tokens made each is done
    arrived = begun = 0
    while begun < count or running:
        while arrived < count and arrival[arrived] <= clock:
            ready[arrived] = made + engine.steps_waited if running else made
            arrived += 1
        busy = len(running)
        waits = begun < arrived and busy < engine.places
        if waits and (not busy or made >= ready[begun] - 1e-9):
            taken, tokens = begun + 1, prompt[begun]
            while (
                taken < arrived
                and busy + taken - begun < engine.places
                and tokens + prompt[taken] <= engine.chunk
                and (not busy or made >= ready[taken] - 1e-9)
            ):
                tokens += prompt[taken]
                taken += 1
            time = engine.prefill(tokens)
            clock += time
            made += (1 - engine.interference) * time / engine.step(busy) if busy else 0.0
            for each in range(begun, taken):
                first[each] = last[each] = clock
                heapq.heappush(running, (made + answer[each] - 1, each))
            begun = taken
        elif busy:
            time = engine.step(busy)
            steps = max(1, math.ceil(running[0][0] - made - 1e-9))
            if waits:
                steps = min(steps, max(1, math.ceil(ready[begun] - made - 1e-9)))
            elif begun == arrived < count:
                steps = min(steps, max(1, math.ceil((arrival[arrived] - clock) / time)))
            clock += steps * time
            made += steps
        else:
            clock = float(arrival[arrived])
        while running and running[0][0] <= made + 1e-9:
            last[heapq.heappop(running)[1]] = clock
    steady = slice(round(_WARM_UP * count), count - round(_COOL_DOWN * count))
    many = answer[steady] > 1
    return Latencies(
        (first - arrival)[steady] + engine.host_time, (last - first)[steady][many] / (answer[steady][many] - 1)
    )


def _lengths(random: np.random.Generator, mean: float, spread: float, count: int) -> Array:
    """Whole lengths of a log-normal distribution with this mean and deviation over mean."""
    square = math.log(1 + spread**2)
    return np.maximum(1, np.round(np.exp(random.normal(math.log(mean) - square / 2, math.sqrt(square), count))))
