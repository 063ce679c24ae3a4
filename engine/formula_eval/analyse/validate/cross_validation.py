"""Cross-validates fits: predicts each group of rows with parameters fitted to the others."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from formula_eval.analyse.validate.comparisons import MeasuredRow
from formula_eval.analyse.validate.least_squares import Problem, fitted
from formula_eval.analyse.validate.parameters import Fit
from formula_eval.analyse.validate.statistics import Summary, summary
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.vector import Array
from formula_eval.records.roles import RUNNING, Roles, roles_of

# What is left out together: what one file reads, what one publisher printed, or all runs of a record.
LEFT_OUT = ("source", "publisher", *RUNNING)
ALL = "all"
Values = Mapping[str, float]


class HeldOut(NamedTuple):
    """One held-out group: its errors with the defaults, a fit to all rows and a fit to the others, and that fit."""

    group: str
    defaults: Summary
    together: Summary
    without: Summary
    values: Values


class Refit(NamedTuple):
    """All groups of one fit, and the values that it gives its parameters on all of them; `rows` as held out."""

    fit: Fit
    by: str
    groups: Sequence[HeldOut]
    values: Values
    rows: Sequence[MeasuredRow] = ()

    @property
    def mean_over_groups(self) -> float:
        """The mean of the groups' mean errors, each group counted once."""
        return float(np.mean([each.without.mean for each in self.groups if each.group != ALL]))


def group_of(row: MeasuredRow, by: str, roles: Roles) -> str:
    """The group of a row that is left out with it."""
    if by in RUNNING:
        return row.scenario.records.get(getattr(roles, by), "") if row.scenario is not None else ""
    return row.publisher if by == "publisher" else row.group


def cross_validated(
    evaluator: Evaluator, fits: Sequence[Fit], rows: Sequence[MeasuredRow], by: Sequence[str] = LEFT_OUT[:1]
) -> list[Refit]:
    """Refits everything on all rows and with each group left out; raises FormulaError without SciPy."""
    found, roles = [], roles_of(evaluator.library)
    for fit in fits:
        chosen = fit.rows(rows)
        if chosen:
            problem = Problem(evaluator, fit, chosen)
            everywhere = fitted(problem, np.full(len(chosen), fill_value=True))
            found += [
                _refit(problem, roles, everywhere.values, each, {})
                for each in by
                if len({group_of(row, each, roles) for row in chosen}) > 1
            ]
    return found


def repeated(
    evaluator: Evaluator, fits: Sequence[Fit], rows: Sequence[MeasuredRow], kept: Sequence[Refit]
) -> list[Refit]:
    """Repeats earlier fits with the present formulas and the kept parameter values; fits nothing."""
    found = []
    for fit in fits:
        chosen = fit.rows(rows)
        problem = Problem(evaluator, fit, chosen) if chosen else None
        for each in kept:
            if problem is not None and each.fit.name == fit.name:
                values = {group.group: group.values for group in each.groups}
                found.append(_refit(problem, roles_of(evaluator.library), each.values, each.by, values))
    return found


def _refit(problem: Problem, roles: Roles, everywhere: Values, by: str, kept: Mapping[str, Values]) -> Refit:
    """Refits with each group left out in one way, and reuses the values that were kept of a group."""
    rows = problem.rows
    groups = np.array([group_of(each, by, roles) for each in rows])
    start = problem.logarithms(everywhere)
    together = _predicted(problem, problem.errors(start))
    values = dict(kept)
    for group in dict.fromkeys(groups.tolist()):
        if group not in values:
            values[group] = {} if kept else fitted(problem, groups != group, start).values
    logarithms = {group: problem.logarithms(each) for group, each in values.items()}
    alone = _predicted(problem, problem.errors_apart(np.array([logarithms[group] for group in groups.tolist()])))
    three = [
        [(group, row) for group, row in zip(groups.tolist(), each, strict=True)] for each in (rows, together, alone)
    ]
    found = [
        _held_out(problem.fit, group, three, values.get(group, {})) for group in (*sorted(set(groups.tolist())), ALL)
    ]
    return Refit(problem.fit, by, found, everywhere, alone)


def _predicted(problem: Problem, errors: Array) -> list[MeasuredRow]:
    return [
        row._replace(predicted=row.measured * math.exp(error)) if math.isfinite(error) else row
        for row, error in zip(problem.rows, errors.tolist(), strict=True)
    ]


def _held_out(fit: Fit, group: str, three: Sequence[Sequence[tuple[str, MeasuredRow]]], values: Values) -> HeldOut:
    """The errors of one group, or of all."""
    metrics = ", ".join(sorted(fit.metrics))
    first, second, third = ([row for of, row in rows if group in (ALL, of)] for rows in three)
    return HeldOut(
        group,
        summary(group, metrics, first),
        summary(group, metrics, second),
        summary(group, metrics, third),
        values,
    )
