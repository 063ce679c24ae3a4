"""Configurations per second of serving and of training: NumPy at random and on a grid, against one at a time."""

import resource
import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from configurations import HEADLINES, JOB, Array, at_random, jobs_at_random, on_a_grid

from formula_eval.cache import Cache
from formula_eval.evaluate.batch import evaluate_many
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.program import Program
from formula_eval.libraries import find_library

COUNT = 1_000_000
ONE_BY_ONE = 2_000
PART = 100_000


def seconds(run: Callable[[], object], times: int = 3) -> float:
    """The median time of a few runs, after one that does not count."""
    run()
    taken = []
    for _ in range(times):
        start = time.process_time()
        run()
        taken.append(time.process_time() - start)
    return statistics.median(taken)


def fastest(evaluator: Evaluator, program: Program, parts: int) -> float:
    """The least time per output token of many configurations, drawn and computed part by part."""
    drawn = (at_random(evaluator, PART, seed) for seed in range(parts))
    return min(float(np.nanmin(evaluate_many(program, each)["inference.tpot"])) for each in drawn)


def own_megabytes() -> int:
    """The memory that this process holds now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() // 1_000_000


def at_a_time(program: Program, drawn: Mapping[str, Array]) -> float:
    """Print configurations per second, one at a time and many at random; give the former."""
    count = len(next(iter(drawn.values())))
    few = [{name: float(v[i]) for name, v in drawn.items()} for i in range(ONE_BY_ONE)]
    one = ONE_BY_ONE / seconds(lambda: [program.evaluate(each) for each in few])
    print(f"one at a time:       {one:12,.0f} configurations/s")
    rate = count / seconds(lambda: evaluate_many(program, drawn, failures="nan"))
    print(f"at random {count:9,}: {rate:12,.0f} configurations/s, {rate / one:5.0f} x")
    return one


def compare(evaluator: Evaluator, program: Program) -> None:
    """Print configurations per second of serving: one at a time, many at random, and on a grid."""
    one = at_a_time(program, at_random(evaluator, COUNT))
    grid = on_a_grid(evaluator)
    size = int(np.prod(np.broadcast_shapes(*(each.shape for each in grid.values()))))
    rate = size / seconds(lambda: evaluate_many(program, grid))
    print(f"on a grid {size:9,}: {rate:12,.0f} configurations/s, {rate / one:5.0f} x")


def main() -> None:
    """Measure and print."""
    evaluator = Evaluator(find_library(), Cache(None))
    kinds = [node.kind for node in evaluator.graph.nodes.values()]
    print(f"the library: {kinds.count('formula')} formulas, {len(kinds)} nodes")
    job = evaluator.program(JOB)
    print(f"nodes computed for {len(JOB)} quantities of a training job: {len(job.names)}")
    at_a_time(job, jobs_at_random(evaluator, PART))
    program = evaluator.program(HEADLINES)
    print(f"nodes computed for {len(HEADLINES)} quantities: {len(program.names)}")
    compare(evaluator, program)
    for parts in (1, 10, 40):
        least = fastest(evaluator, program, parts)
        print(f"streamed  {parts * PART:9,}: fastest {least * 1e3:.3f} ms a token, {own_megabytes()} MB held")


if __name__ == "__main__":
    main()
