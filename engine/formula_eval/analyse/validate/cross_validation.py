"""Cross-validates fits: predicts each group of rows with parameters fitted to the others."""

from collections.abc import Mapping, Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np

from formula_eval.analyse.validate.comparisons import MeasuredRow
from formula_eval.analyse.validate.least_squares import Problem, fitted
from formula_eval.analyse.validate.parameters import Fit
from formula_eval.analyse.validate.statistics import Summary, summary
from formula_eval.evaluate.evaluator import Evaluator
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
        return float(np.mean([group.without.mean for group in self.groups if group.group != ALL]))


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
                _refit(problem, roles, everywhere.values, name, {})
                for name in by
                if len({group_of(row, name, roles) for row in chosen}) > 1
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
        for refit in kept:
            if problem is not None and refit.fit.name == fit.name:
                values = {group.group: group.values for group in refit.groups}
                found.append(_refit(problem, roles_of(evaluator.library), refit.values, refit.by, values))
    return found


def _refit(problem: Problem, roles: Roles, everywhere: Values, by: str, kept: Mapping[str, Values]) -> Refit:
    """Refits with each group left out in one way, and reuses the values that were kept of a group."""
    rows = problem.rows
    groups = np.array([group_of(row, by, roles) for row in rows])
    start = problem.logarithms(everywhere)
    together = problem.predicted(problem.errors(start))
    values = dict(kept)
    for group in dict.fromkeys(groups.tolist()):
        if group not in values:
            values[group] = {} if kept else fitted(problem, groups != group, start).values
    logarithms = {group: problem.logarithms(value) for group, value in values.items()}
    apart = problem.errors_apart(np.array([logarithms[group] for group in groups.tolist()]))
    alone = problem.predicted(apart)
    metrics, found = ", ".join(sorted(problem.fit.metrics)), []
    for group in (*sorted(set(groups.tolist())), ALL):
        own = [group in (ALL, each) for each in groups.tolist()]
        first, second, third = (summary(group, metrics, [*compress(each, own)]) for each in (rows, together, alone))
        found.append(HeldOut(group, first, second, third, values.get(group, {})))
    return Refit(problem.fit, by, found, everywhere, alone)
