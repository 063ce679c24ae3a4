"""Summarises rows: errors by source and figure, and whether layouts are ranked correctly."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from formula_eval.analyse.validate.comparisons import MeasuredRow

FEWEST = 3


class Summary(NamedTuple):
    """Absolute errors of n rows as shares, the median with its sign, and the rank correlation of layouts."""

    group: str  # a source, or all (core) points of a kind
    metric: str  # the key of the measured figure
    n: int
    left_out: int = 0  # rows without a prediction, not counted in `n`
    mean: float = math.nan  # of absolute relative errors; nan without any
    median: float = math.nan
    p90: float = math.nan  # the 90th percentile of absolute relative errors
    largest: float = math.nan  # the greatest absolute relative error
    signed: float = math.nan  # the median error, positive where predictions are too high
    rank: float = math.nan
    ranked: int = 0  # how many runs `rank` compares


def summaries(rows: Sequence[MeasuredRow]) -> list[Summary]:
    """One summary for each group of sources and figure, in the order of the rows."""
    parts: dict[tuple[str, str], list[MeasuredRow]] = {}
    for row in rows:
        parts.setdefault((row.group, row.metric), []).append(row)
    return [summary(group, metric, part) for (group, metric), part in sorted(parts.items(), key=_kind_first)]


def totals(rows: Sequence[MeasuredRow]) -> list[Summary]:
    """One summary over all sources for each figure that several share, and one over the core points alone."""
    parts: dict[tuple[str, str], list[MeasuredRow]] = {}
    for each in rows:
        parts.setdefault((each.metric, f"all {each.point.kind}"), []).append(each)
        if each.point.core:
            parts.setdefault((each.metric, f"core {each.point.kind}"), []).append(each)
    return [summary(group, metric, part) for (metric, group), part in parts.items() if any(row.ran for row in part)]


def _kind_first(item: tuple[tuple[str, str], list[MeasuredRow]]) -> tuple[str, str]:
    (group, _), part = item
    return part[0].point.kind, group


def summary(group: str, metric: str, rows: Sequence[MeasuredRow]) -> Summary:
    """The error summary of these rows."""
    run = [row for row in rows if row.ran]
    if not run:
        return Summary(group, metric, 0, len(rows))
    errors = np.array([row.error for row in run])
    sizes = np.abs(errors)
    rank, ranked = rank_of_layouts(run)
    return Summary(
        group,
        metric,
        n=len(run),
        left_out=len(rows) - len(run),
        mean=float(sizes.mean()),
        median=float(np.median(sizes)),
        p90=float(np.percentile(sizes, 90)),
        largest=float(sizes.max()),
        signed=float(np.median(errors)),
        rank=rank,
        ranked=ranked,
    )


def rank_of_layouts(rows: Iterable[MeasuredRow]) -> tuple[float, int]:
    """The mean rank correlation over groups of runs that differ only in layout, and the number of these runs."""
    groups: dict[tuple[str, ...], list[MeasuredRow]] = {}
    for row in rows:
        groups.setdefault((row.group, row.metric, *row.layout), []).append(row)
    sizes, found = [], []
    for part in groups.values():
        rho = spearman([row.predicted for row in part], [row.measured for row in part])
        if not math.isnan(rho):
            sizes.append(len(part))
            found.append(rho)
    if not found:
        return math.nan, 0
    return float(np.average(found, weights=sizes)), sum(sizes)


def spearman(left: Sequence[float], right: Sequence[float]) -> float:
    """The correlation of ranks, ties to twelve digits sharing theirs; nan for fewer than three pairs, or all equal."""
    if len(left) < FEWEST:
        return math.nan
    a, b = (_ranks(_tied(each)) for each in (left, right))
    a, b = a - a.mean(), b - b.mean()
    spread = math.sqrt(float((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / spread if spread > 0 else math.nan


def _tied(values: Iterable[float]) -> NDArray[Any]:
    """The numbers to twelve digits: those that differ by the order of a sum alone are equal."""
    return np.array([float(f"{value:.12g}") for value in values])


def _ranks(values: NDArray[Any]) -> NDArray[Any]:
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    middle: NDArray[Any] = (last - counts + 1 + last) / 2
    return middle[places]
