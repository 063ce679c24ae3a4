"""Each source predicted by parameters that were fitted without it: how far the formulas are on what they never saw."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from formula_eval.analyse.validate.calibrate import Problem, fitted
from formula_eval.analyse.validate.comparisons import MeasuredRow
from formula_eval.analyse.validate.parameters import Fit
from formula_eval.analyse.validate.statistics import Summary, summary
from formula_eval.evaluate.evaluator import Evaluator


class HeldOutSource(NamedTuple):
    """One source: its errors with the defaults, with a fit to all sources, and with a fit to all others."""

    fit: str
    group: str
    defaults: Summary
    together: Summary
    without: Summary


class Refit(NamedTuple):
    """All sources of one fit, and the values that it gives its parameters on all of them."""

    fit: Fit
    sources: Sequence[HeldOutSource]
    values: Mapping[str, float]


def cross_validated(evaluator: Evaluator, fits: Sequence[Fit], rows: Sequence[MeasuredRow]) -> list[Refit]:
    """Every fit, on all of its rows and with each of its sources left out; raises FormulaError without SciPy."""
    return [_refit(evaluator, each, each.rows(rows)) for each in fits if each.rows(rows)]


def _refit(evaluator: Evaluator, fit: Fit, rows: Sequence[MeasuredRow]) -> Refit:
    problem = Problem(evaluator, fit, rows)
    groups = np.array([each.group for each in rows])
    everywhere = fitted(problem, np.full(len(rows), fill_value=True))
    together = _predicted(problem, everywhere.logarithms)
    alone = list(rows)
    for group in dict.fromkeys(each.group for each in rows):
        found = fitted(problem, groups != group, everywhere.logarithms)
        for number, row in enumerate(_predicted(problem, found.logarithms)):
            if row.group == group:
                alone[number] = row
    sources = [_source(fit, group, rows, together, alone) for group in (*dict.fromkeys(groups.tolist()), "all")]
    return Refit(fit, sources, everywhere.values)


def _predicted(problem: Problem, logarithms: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> list[MeasuredRow]:
    errors = problem.errors(logarithms)
    return [
        row._replace(predicted=row.measured * float(np.exp(error))) if np.isfinite(error) else row
        for row, error in zip(problem.rows, errors.tolist(), strict=True)
    ]


def _source(fit: Fit, group: str, *three: Sequence[MeasuredRow]) -> HeldOutSource:
    """The errors of one source, or of all."""
    metrics = ", ".join(sorted(fit.metrics))
    parts = ([row for row in rows if group in ("all", row.group)] for rows in three)
    return HeldOutSource(fit.name, group, *(summary(group, metrics, part) for part in parts))
