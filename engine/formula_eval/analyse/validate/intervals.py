"""Derives prediction intervals from held-out residuals: the multiples between which eight of ten figures lie."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from formula_eval.analyse.validate.comparisons import MeasuredRow
from formula_eval.analyse.validate.cross_validation import Refit, group_of
from formula_eval.analyse.validate.other_tools import SUBSET, belongs
from formula_eval.analyse.validate.sources import measured_tables
from formula_eval.evaluate.vector import Array
from formula_eval.library import Library
from formula_eval.records.roles import Roles, roles_of
from formula_eval.toml_table import table

INSIDE = 0.8
_REGIME = table(f"quantities:[quantity] rates?:[quantity] by?:[text] groups? {SUBSET}")
REGIMES = table("*:regime", regime=_REGIME)
_TAILS = np.linspace(0.005, 0.2, 40)
_FEWEST_GROUPS = 2


class RegimeInterval(NamedTuple):
    """The interval of one regime: its two multiples, its numbers of points and groups, and the share inside.

    `coverage` is that of groups whose interval was made of the other groups alone; nan where there is but one.
    """

    name: str  # its key in regimes.toml
    low: float  # a multiple of the predicted time, at most 1
    high: float  # a multiple of the predicted time, at least 1
    points: int
    groups: int
    coverage: float


class _Residuals(NamedTuple):
    """The residuals: logarithms of measured over predicted, and the group of each."""

    logs: Array
    groups: Array

    def within(self, tail: float, chosen: Array) -> tuple[float, float]:
        """The quantiles at either end of the chosen ones; many points of one group count little more than a few."""
        _, place, sizes = np.unique(self.groups[chosen], return_inverse=True, return_counts=True)
        weights = sizes[place] ** -0.5
        order = np.argsort(self.logs[chosen])
        ordered, share = self.logs[chosen][order], np.cumsum(weights[order]) / weights.sum()
        low, high = np.interp([tail, 1 - tail], share - weights[order] / weights.sum() / 2, ordered)
        return float(low), float(high)

    def coverage(self, tail: float) -> float:
        """The share of points inside the interval that all other groups give."""
        inside = np.zeros(len(self.logs), bool)
        for group in np.unique(self.groups):
            own = self.groups == group
            low, high = self.within(tail, ~own)
            inside[own] = (self.logs[own] >= min(low, 0)) & (self.logs[own] <= max(high, 0))
        return float(inside.mean())


def intervals(library: Library, rows: Sequence[MeasuredRow], refits: Sequence[Refit]) -> list[RegimeInterval]:
    """The intervals of all regimes that the library states and that have figures."""
    roles = roles_of(library)
    found = []
    for _, tables in measured_tables(library, "regimes.toml", REGIMES):
        for name, stated in tables.items():
            residuals = _residuals(stated, rows, refits, library, roles)
            if len(residuals.logs):
                found.append(_interval(name, residuals))
    return found


def _interval(name: str, found: _Residuals) -> RegimeInterval:
    """Builds an interval with tails chosen so that eight of ten points lie inside what all other groups give."""
    count = len(np.unique(found.groups))
    tail, coverage = (1 - INSIDE) / 2, float("nan")
    if count >= _FEWEST_GROUPS:
        covered = [found.coverage(each) for each in _TAILS]
        best = int(np.argmin([abs(number - INSIDE) for number in covered]))
        tail, coverage = float(_TAILS[best]), covered[best]
    low, high = found.within(tail, np.full(len(found.logs), fill_value=True))
    ends = min(1.0, float(np.exp(low))), max(1.0, float(np.exp(high)))
    return RegimeInterval(name, *ends, len(found.logs), count, coverage)


def _residuals(
    stated: Mapping[str, Any], rows: Sequence[MeasuredRow], refits: Sequence[Refit], library: Library, roles: Roles
) -> _Residuals:
    pairs = [
        (_log(row, stated), group)
        for row, group in _predicted(stated, rows, refits, roles)
        if row.ran
        and row.predicted > 0
        and row.quantity in stated["quantities"]
        and belongs(stated, row.point, library)
    ]
    logs, groups = zip(*pairs, strict=True) if pairs else ((), ())
    return _Residuals(np.array(logs, float), np.array(groups, str))


def _log(row: MeasuredRow, stated: Mapping[str, Any]) -> float:
    ratio = float(np.log(row.measured / row.predicted))
    return -ratio if row.quantity in stated.get("rates", ()) else ratio


def _predicted(
    stated: Mapping[str, Any], rows: Sequence[MeasuredRow], refits: Sequence[Refit], roles: Roles
) -> Iterator[tuple[MeasuredRow, str]]:
    """Yields rows with their group, predicted with that group left out, or with the defaults where none is."""
    by = stated.get("by", ())
    if not by:
        yield from ((row, group_of(row, stated.get("groups", "publisher"), roles)) for row in rows)
    for refit in refits:
        if refit.by in by:
            yield from ((row, f"{refit.by} {group_of(row, refit.by, roles)}") for row in refit.rows)
