"""A serving engine with continuous batching, simulated request by request: the oracle of percentiles under load."""

import heapq
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_WARM_UP = 0.1
_COOL_DOWN = 0.05


class Engine(NamedTuple):
    """What the simulated engine is like: all times in seconds.

    `step` is the time of a decode step by the number of sequences, from none on. A prefill pass takes `overhead` and
    the `work` of each of its prompts by its tokens, of which it holds at most `chunk` unless one prompt has more.
    Sequences that run gain a token in a pass as in any step, since continuous batching mixes the two, but stand still
    for the share `interference` of what its prompts take beside others, which is `shared` of their work. A request
    waits for the step under way and `steps_waited` further ones before its prefill begins, where any sequence runs.
    """

    step: Sequence[float]
    overhead: float
    work: Callable[[Array], Array]
    shared: float
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
    longest_prompt: float = 131_072


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
    arrival = np.cumsum(random.gamma(shape, 1 / (requests.rate * shape), count)).tolist()
    lengths = np.minimum(requests.longest_prompt, _lengths(random, requests.prompt, requests.prompt_spread, count))
    prompt, work = lengths.tolist(), engine.work(lengths).tolist()
    answer = _lengths(random, requests.generated, requests.generated_spread, count).tolist()
    first, last, ready = [0.0] * count, [0.0] * count, [0.0] * count
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
            taken, tokens, busied = begun + 1, prompt[begun], work[begun]
            while (
                taken < arrived
                and busy + taken - begun < engine.places
                and tokens + prompt[taken] <= engine.chunk
                and (not busy or made >= ready[taken] - 1e-9)
            ):
                tokens += prompt[taken]
                busied += work[taken]
                taken += 1
            clock += engine.overhead + busied
            made += _made_beside(engine, busy, busied) if busy else 0.0
            for each in range(begun, taken):
                first[each] = last[each] = clock
                heapq.heappush(running, (made + answer[each] - 1, each))
            begun = taken
        elif busy:
            time = engine.step[busy]
            steps = max(1, math.ceil(running[0][0] - made - 1e-9))
            if waits:
                steps = min(steps, max(1, math.ceil(ready[begun] - made - 1e-9)))
            elif begun == arrived < count:
                steps = min(steps, max(1, math.ceil((arrival[arrived] - clock) / time)))
            clock += steps * time
            made += steps
        else:
            clock = arrival[arrived]
        while running and running[0][0] <= made + 1e-9:
            last[heapq.heappop(running)[1]] = clock
    steady = slice(round(_WARM_UP * count), count - round(_COOL_DOWN * count))
    begin, tokens_first, end, made_tokens = (np.array(each)[steady] for each in (arrival, first, last, answer))
    many = made_tokens > 1
    return Latencies(tokens_first - begin + engine.host_time, (end - tokens_first)[many] / (made_tokens[many] - 1))


def _made_beside(engine: Engine, busy: int, work: float) -> float:
    """Tokens that each running sequence gains beside a prefill pass."""
    step, shared = engine.step[busy], engine.shared * work
    alone = max(0.0, engine.overhead + work - shared)
    return min(1.0, alone / step) + (1 - engine.interference) * shared / step


def _lengths(random: np.random.Generator, mean: float, spread: float, count: int) -> Array:
    """Whole lengths of a log-normal distribution with this mean and deviation over mean."""
    square = math.log(1 + spread**2)
    return np.maximum(1, np.round(np.exp(random.normal(math.log(mean) - square / 2, math.sqrt(square), count))))
