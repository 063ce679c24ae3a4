"""Fits inputs to measured runs."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from formula_eval.analyse.calibration.calibration import Calibration, calibration
from formula_eval.analyse.calibration.run_table import read_runs
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question


class CalibrateRequest(NamedTuple):
    """A CSV file of runs and the inputs to fit; runs alike in the column `group` are held out together."""

    question: Question
    runs: str | Path
    fit: Sequence[str]
    group: str = ""
    ignore: Sequence[str] = ()


def calibrate(evaluator: Evaluator, request: CalibrateRequest) -> Calibration:
    """The values that fit best; raises FormulaError for a wrong table, an input not depended on, without SciPy."""
    measured = read_runs(evaluator, request.question, request.runs, request.group, request.ignore)
    return calibration(evaluator, measured, request.fit, request.question.namespace)
