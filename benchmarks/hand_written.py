"""The formulas of one pass in C, against a loop over the same fifty formulas that was written by hand for it alone."""

import ctypes
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from formula_eval.analyse.sweep.sweep_batches import Sweep, SweepQuantities
from formula_eval.cache import Cache
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.partial_evaluation.c_compiler import library
from formula_eval.libraries import find_library
from formula_eval.records.givens import Question

SOURCE = Path(__file__).with_name("prefill_pass.c")
QUESTION = Question(
    {"model": "llama2-70b", "hardware": "h100-sxm"}, {"tp": "1..8*2", "batch": "1..512", "prompt": "128..65536:512"}
)
QUANTITY = "operators.operators_time@batch=batch / inference.prefill_batches,prefill"
SAMPLE = 400_000
ROUNDS = 15
CLOSE = 1e-12  # relative


def by_hand(name: str) -> Callable[[np.ndarray, list[np.ndarray], np.ndarray], None]:
    """A function of the loop that was written by hand: counts, the three inputs, and where the times go."""
    function = getattr(library(SOURCE.read_text(encoding="utf-8"), Cache(None)), name)
    function.argtypes, function.restype = [ctypes.c_void_p] * 5, None

    def call(count: np.ndarray, inputs: list[np.ndarray], found: np.ndarray) -> None:
        function(*(each.ctypes.data for each in (count, *inputs, found)))

    return call


def compare(evaluator: Evaluator, sampled: int | None) -> None:
    """Print how long both take for the same configurations in turn, and that they agree."""
    sweep = Sweep(evaluator, QUESTION, SweepQuantities((QUANTITY,), sampled=sampled, backend="c"))
    values = sweep.values()
    if problem := values.prepare(sweep.size, "c", is_sample=sampled is not None):
        raise SystemExit(problem)
    hand = by_hand("grid" if sampled is None else "list")
    blocks: list[tuple[Any, Any, list[np.ndarray], np.ndarray]] = []
    for block in sweep.blocks():
        given = sweep.givens.of(block)
        inputs = [np.array(given[name], float).reshape(-1) for name in ("tp", "batch", "prompt")]
        if sampled is not None:
            inputs = [np.broadcast_to(each, block.size).copy() for each in inputs]
        blocks.append((block, np.array([each.size for each in inputs], np.int64), inputs, np.empty(block.size)))
    ratios, rates = [], []
    for _ in range(ROUNDS):
        ours = theirs = 0.0
        for block, count, inputs, expected in blocks:
            start = time.thread_time()
            hand(count, inputs, expected)
            middle = time.thread_time()
            found = values.of(block).values[QUANTITY]
            ours, theirs = ours + time.thread_time() - middle, theirs + middle - start
            np.testing.assert_allclose(np.ravel(found), expected, rtol=CLOSE)
        ratios.append(ours / theirs)
        rates.append(sweep.size / ours)
    what = "a grid" if sampled is None else "at random"
    rate, ratio = statistics.median(rates), statistics.median(ratios)
    print(f"a pass, {what:9} {sweep.size:10,} {rate:13,.0f}/s, {ratio:.2f} x as long as by hand")


def main() -> None:
    """Measure and print."""
    evaluator = Evaluator(find_library(), Cache(None))
    for sampled in (None, SAMPLE):
        compare(evaluator, sampled)


if __name__ == "__main__":
    main()
