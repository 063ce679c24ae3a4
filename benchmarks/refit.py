"""Measured runs to fitted defaults, to errors with whole groups left out, and to intervals.

From the root of the repository, with SciPy:

    python -m benchmarks.refit --write    # fit to all, write presets and the examples that moved with them
    python -m benchmarks.refit            # leave sources, publishers, engines and accelerators out: left_out.json
    python -m benchmarks.refit --again    # the same parameters with the formulas as they are now

The last two write presets/measured/left_out.json and presets/interval.toml. Whoever changes a formula runs the third
(a minute), or the second where parameters should move (many minutes): what became worse then stands in the difference.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from benchmarks.fitting.examples import move_examples
from benchmarks.fitting.interval_record import write_intervals
from benchmarks.fitting.kept_fits import NAME, keep_fits, repeated_fits
from benchmarks.fitting.presets import write_presets

from formula_eval import load
from formula_eval.analyse.validate.cross_validation import ALL, LEFT_OUT, Refit
from formula_eval.analyse.validate.intervals import intervals
from formula_eval.analyse.validate.least_squares import Problem, fitted
from formula_eval.analyse.validate.parameters import read_fits
from formula_eval.analyse.validate.points import read_points
from formula_eval.analyse.validate.sources import FOLDER
from formula_eval.analyse.validate.validation import Validation, refits, validation_of, with_measured
from formula_eval.evaluate.evaluator import Evaluator

ROOT = Path(__file__).parents[1]
KINDS = ("training", "inference")


def main() -> None:
    """Fit, write, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="fit to all points, and write presets and examples")
    parser.add_argument("--again", action="store_true", help="keep the parameters, and write what they give now")
    parser.add_argument("--only", choices=KINDS, help="fit this kind of runs alone")
    asked = parser.parse_args()
    start = time.monotonic()
    evaluator = with_measured(load().evaluator)
    points = [each for each in read_points(ROOT / "tests" / "measured") if each.kind in KINDS]
    found = validation_of(evaluator, points)
    if asked.write:
        _write(evaluator, found, asked.only)
    else:
        _leave_out(evaluator, found, asked.only, again=asked.again)
    _say(f"{time.monotonic() - start:.0f} s")


def _write(evaluator: Evaluator, found: Validation, only: str | None) -> None:
    for fit in read_fits(evaluator.library, evaluator.schema):
        rows = fit.rows(found.rows)
        if only in (None, fit.kind) and rows:
            problem = Problem(evaluator, fit, rows)
            values = fitted(problem, np.full(len(rows), fill_value=True)).values
            suppliers = {each.input: evaluator.schema.inputs[each.input].supplier for each in problem.parameters}
            _say(f"{fit.name}: not in any record, set them by hand:")
            for told in write_presets(ROOT, problem.parameters, values, suppliers):
                _say(f"  {told}")
    for told in move_examples():
        _say(told)


def _leave_out(evaluator: Evaluator, found: Validation, only: str | None, *, again: bool) -> None:
    kept = repeated_fits(evaluator, found) if again or only else []
    chosen = [each for each in found.rows if only in (None, each.point.kind)]
    fresh = [] if again else refits(evaluator, found._replace(rows=chosen), LEFT_OUT)
    names = {each.fit.name for each in fresh}
    everything = [*fresh, *(each for each in kept if each.fit.name not in names)]
    keep_fits(ROOT / FOLDER / NAME, everything)
    for each in everything:
        _say(_shown(each))
    ends = intervals(evaluator.library, found.rows, everything)
    write_intervals(ROOT / "presets" / "interval.toml", ends, time.strftime("%Y-%m-%d"))
    for end in ends:
        _say(f"{end.name}: {end.low:.2f} .. {end.high:.2f}, {end.points} points, {100 * end.coverage:.0f} % inside")


def _shown(refit: Refit) -> str:
    pooled = next(each for each in refit.groups if each.group == ALL)
    sizes = (pooled.without.mean, pooled.without.median, refit.mean_over_groups, pooled.together.mean)
    figures = ", ".join(f"{100 * each:.1f}" for each in (*sizes, pooled.defaults.mean))
    return f"{refit.fit.name} by {refit.by}: mean, median, mean over groups, fitted to all, shipped: {figures}"


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
