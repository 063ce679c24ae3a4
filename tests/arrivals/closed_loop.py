"""Simulates clients of an engine whose steps mix decoding with pieces of prompts: the oracle of a closed loop."""

import heapq
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


class MixedEngine(NamedTuple):
    """What the simulated engine is like: all times in seconds.

    `step` is the time of a decode step by the number of sequences; each token of a prompt adds `token_time` to the step
    that takes it along, of `chunk` tokens at most, those of sequences that decode among them. Prompts are taken first
    come, first served. `host_time` passes before a request joins the queue.
    """

    step: Sequence[float]
    token_time: float
    chunk: int
    host_time: float


class Clients(NamedTuple):
    """How many ask, the tokens of each prompt, and the mean of those that answer it."""

    number: int
    prompt: int
    generated: int


class Found(NamedTuple):
    """Means over the second half of a run: both times of a request, and requests finished each second."""

    first_token: float
    output_token: float
    rate: float


def simulate_clients(engine: MixedEngine, clients: Clients, rounds: int, seed: int) -> Found:
    """Serve clients that ask again once answered, so many rounds of them; answers spread by a fifth around the mean."""
    count, prompt, generated = clients
    random = np.random.default_rng(seed)
    clock, finished, half = 0.0, 0, rounds * count // 2
    arriving = [(float(each), index) for index, each in enumerate(random.uniform(0, 1, count))]
    heapq.heapify(arriving)
    waiting: deque[list[float]] = deque()  # [asked, tokens of the prompt left]
    decoding: list[list[float]] = []  # [asked, first token at, tokens left, tokens in all]
    firsts: list[float] = []
    tokens: list[float] = []
    began = 0.0
    while finished < rounds * count:
        while arriving and arriving[0][0] <= clock:
            waiting.append([heapq.heappop(arriving)[0], prompt])
        if not waiting and not decoding:
            clock = arriving[0][0]
            continue
        room, taken, done = engine.chunk - len(decoding), 0.0, []
        while waiting and taken < room:
            piece = min(room - taken, waiting[0][1])
            taken += piece
            waiting[0][1] -= piece
            if waiting[0][1] == 0:
                done.append(waiting.popleft()[0])
        clock += engine.step[len(decoding)] + engine.token_time * taken
        left = []
        for each in decoding:
            each[2] -= 1
            if each[2] > 0:
                left.append(each)
                continue
            finished += 1
            if finished == half:
                began = clock
            if finished > half:
                firsts.append(each[1] - each[0])
                tokens.append((clock - each[1]) / each[3])
            heapq.heappush(arriving, (clock + engine.host_time, finished))
        answers = random.integers(round(0.8 * generated), round(1.2 * generated) + 1, len(done))
        decoding = left + [[asked, clock, float(n - 1), float(n - 1)] for asked, n in zip(done, answers, strict=True)]
    return Found(float(np.mean(firsts)) + engine.host_time, float(np.mean(tokens)), len(firsts) / (clock - began))
