"""Configurations per second of whole sweeps, checks and counts included, against a call of llm-analysis."""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from throughput import own_megabytes

from formula_eval.analyse.sweep.cluster import sweep_on
from formula_eval.analyse.sweep.sweep_batches import Sweep, SweepQuantities
from formula_eval.ask.sweep import usual_columns
from formula_eval.cache import Cache
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.sweep.row_formats import CsvRows
from formula_eval.libraries import find_library
from formula_eval.records.givens import Question
from published import TOOLS, call_of

SAMPLE = 500_000
ROUNDS = 5
SIZES = (100_000, 1_000_000, 10_000_000, 100_000_000)
MODELS = "llama2-7b,llama2-70b,llama3.1-8b,mixtral-8x7b"
HARDWARE = "a100-sxm-80gb,h100-sxm,b200-sxm"
ROOT = Path(__file__).resolve().parents[1]


class Case(NamedTuple):
    """What is swept, and the tool whose call it is set against."""

    purpose: str
    records: Mapping[str, str]
    values: Mapping[str, str]
    tool: int

    def question(self) -> Question:
        """The question with all its values."""
        return Question(self.records, self.values, purpose=self.purpose)


CASES = (
    Case(
        "training",
        {"model": "llama2-7b,llama2-70b", "hardware": "a100-sxm-80gb,h100-sxm"},
        {
            "tp": "1..8*2",
            "pp": "1..8*2",
            "dp": "8..64*2",
            "micro_batch": "1..8*2",
            "micro_batches": "8..64*2",
            "seq": "1024..65536:64",
            "recompute": "none,core,full",
        },
        0,
    ),
    Case(
        "serving",
        {"model": MODELS, "hardware": HARDWARE},
        {"tp": "1..8*2", "batch": "1..128", "prompt": "128..4096:32", "generated": "32..1024:16"},
        1,
    ),
)


class Taken(NamedTuple):
    """How many configurations were computed, the seconds that this took, and those of processor time."""

    count: int
    wall: float
    processor: float


def computed(sweep: Sweep, most: int | None = None, *, laid_out: bool = False) -> Taken:
    """What it takes to compute all configurations, or up to so many.

    Their quantities are then arrays over what they depend on; `laid_out` asks for a number for each configuration in
    each column, inputs included.
    """
    wall, processor, done = time.perf_counter(), time.process_time(), 0
    for batch in sweep.batches():
        done += batch.tally.tried
        if laid_out:
            deque(batch.values.values(), maxlen=0)
        if most is not None and done >= most:
            break
    return Taken(done, time.perf_counter() - wall, time.process_time() - processor)


def compare(evaluator: Evaluator, case: Case, most: int) -> None:
    """Print the median rates of a sample and of a grid, and how many times a call of the tool they are."""
    call, origin = call_of(TOOLS[case.tool])
    usual = usual_columns(evaluator, case.question())
    print(
        f"{case.purpose}: {len(usual)} quantities and all checks; a call of llm-analysis {call * 1e3:.3g} ms, {origin}"
    )
    for way, sampled in ((f"{SAMPLE:,} at random", SAMPLE), ("a grid", None)):
        sweep = Sweep(evaluator, case.question(), SweepQuantities(usual=usual, sampled=sampled))
        start = time.process_time()
        next(sweep.batches())
        ready = time.process_time() - start
        runs = [computed(sweep, most) for _ in range(ROUNDS)]
        processor = statistics.median(each.count / each.processor for each in runs)
        wall = statistics.median(each.count / each.wall for each in runs)
        held = computed(sweep, most, laid_out=True)
        print(
            f"  {way:17} {runs[0].count:10,}: {processor:12,.0f}/s of processor time {call * processor:8,.0f} x, "
            f"{wall:12,.0f}/s {call * wall:8,.0f} x, laid out {held.count / held.processor:12,.0f}/s, "
            f"ready in {ready:.1f} s, {own_megabytes()} MB held"
        )


def growth(evaluator: Evaluator) -> None:
    """Print the time and the memory of the same grid, grown along one option."""
    records = {"model": MODELS, "hardware": HARDWARE}
    usual = usual_columns(evaluator, Question(records))
    for size in SIZES:
        values = {
            "tp": "1..8*2",
            "batch": "1..128",
            "prompt": f"1..{size // (4 * 128 * 4 * 3 * 3)}",
            "generated": "1..3",
        }
        sweep = Sweep(evaluator, Question(records, values), SweepQuantities(usual=usual))
        count, _, taken = computed(sweep)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_000
        held = f"{own_megabytes()} MB held, {peak} MB at most"
        print(f"serving, {count:12,} in {taken:6.1f} s, {count / taken:12,.0f}/s, {held}")


def clusters(evaluator: Evaluator, case: Case, most: int) -> None:
    """Print how long the rows of a file take in this process, and on one worker and two, which have to start first."""
    asked = SweepQuantities(usual=usual_columns(evaluator, case.question()))
    alone = 0.0
    for workers in (None, 1, 2):
        begin = time.monotonic()
        with sweep_on(workers, "", evaluator, case.question(), asked) as sweep:
            rows = CsvRows(sweep.columns)
            next(sweep.each(rows.counted))
            start, done = time.monotonic(), 0
            for _, tally in sweep.each(rows.counted):
                done += tally.tried
                if done >= most:
                    break
            taken = time.monotonic() - start
        alone = alone or taken
        what = "in this process" if workers is None else f"on {workers} workers" if workers > 1 else "on one worker"
        print(f"{case.purpose}, {done:,} {what}: {taken:.1f} s, {taken / alone:.2f} x; ready in {start - begin:.1f} s")


def first_answer() -> None:
    """Print how long the command takes for a grid of a million: the first time, and with a warm cache."""
    wanted = ["sweep", "--model", "llama2-70b", "--tp", "1,2,4,8", "--batch", "1..512", "--prompt", "128..65536:512"]
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"FORMULA_EVAL_CACHE": cache, "PYTHONPATH": str(ROOT / "engine")}
        for what in ("without a cache", "with a warm cache"):
            start = time.monotonic()
            command = [sys.executable, "-m", "formula_eval", *wanted]
            subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
            print(f"a million from the command line, {what}: {time.monotonic() - start:.1f} s")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=10_000_000, help="configurations of a grid")
    most = parser.parse_args().most
    evaluator = Evaluator(find_library(), Cache(None))
    with tempfile.TemporaryDirectory() as cache:
        keeping = Evaluator(evaluator.library, Cache(Path(cache)))
        for case in CASES:
            compare(keeping, case, most)
            clusters(evaluator, case, most)
    growth(evaluator)
    first_answer()


if __name__ == "__main__":
    main()
