"""Configurations per second for eight headline quantities: NumPy at random and on a grid, against one at a time."""

import resource
import statistics
import time
from collections.abc import Callable

import numpy as np
from configurations import HEADLINES
from configurations import at_random
from configurations import on_a_grid

from formula_eval.evaluate.cache import Cache
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.library import find_library

COUNT = 1_000_000
ONE_BY_ONE = 2_000


def seconds(run: Callable[[], object], times: int = 3) -> float:
    """The median time of a few runs, after one that does not count."""
    run()
    taken = []
    for _ in range(times):
        start = time.process_time()
        run()
        taken.append(time.process_time() - start)
    return statistics.median(taken)


def peak_megabytes() -> float:
    """The most memory this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Measure and print."""
    evaluator = Evaluator(find_library(), Cache(None))
    program = evaluator.program(HEADLINES)
    drawn = at_random(evaluator, COUNT)
    few = [{name: float(v[i]) for name, v in drawn.items()} for i in range(ONE_BY_ONE)]
    one = ONE_BY_ONE / seconds(lambda: [program.evaluate(each) for each in few])
    print(f"nodes computed for {len(HEADLINES)} quantities: {len(program.names)}")
    print(f"one at a time:   {one:12,.0f} configurations/s")
    for count in (COUNT // 10, COUNT):
        part = {name: values[:count] for name, values in drawn.items()}
        rate = count / seconds(lambda part=part: program.evaluate_many(part))
        print(f"at random {count:9,}: {rate:12,.0f} configurations/s, {rate / one:5.0f} x, peak {peak_megabytes():.0f} MB")
    grid = on_a_grid(evaluator)
    size = int(np.prod(np.broadcast_shapes(*(each.shape for each in grid.values()))))
    rate = size / seconds(lambda: program.evaluate_many(grid))
    print(f"grid      {size:9,}: {rate:12,.0f} configurations/s, {rate / one:5.0f} x, peak {peak_megabytes():.0f} MB")


if __name__ == "__main__":
    main()
