"""Finds the parts of an input's range where interval bounds cannot rule out that conditions hold."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from formula_eval.evaluate.bounds.choice_sets import FALSE, bits_of, may_hold
from formula_eval.evaluate.bounds.interval import Interval
from formula_eval.evaluate.bounds.program_bounds import bounded
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.vector import Array

_MOST_WORK = 30_000_000  # bounds of nodes over parts
_LEAST_NODES, _LEAST_PARTS = 1500, 100  # a pass costs no less than so many
_NEAR = 1e-9  # how near to a known solution nothing is shown, as a share of it
_STRIDE = 1024.0


class Conditions(NamedTuple):
    """Flags that have to hold and checks that may refuse, as nodes of a program, with all other inputs given."""

    program: Program
    given: Mapping[str, Any]
    flags: Sequence[str]
    checks: Sequence[str]

    def fail(self, name: str, low: Array, high: Array, *, whole: bool) -> Array:
        """Marks the parts of an input's range in which they hold nowhere."""
        found = bounded(self.program, {**self.given, name: Interval(low, high, whole=whole)})
        reasons = [~np.asarray(may_hold(found[flag])) for flag in self.flags]
        reasons += [np.asarray(bits_of(found[check])) == FALSE for check in self.checks]
        fails: Array = np.logical_or.reduce([np.broadcast_to(reason, low.shape) for reason in reasons])
        return fails


def not_excluded(
    conditions: Conditions,
    name: str,
    ends: tuple[float, float],
    known: Sequence[tuple[float, float]],
    *,
    whole: bool,
) -> list[tuple[float, float]]:
    """The parts between these ends, outside known solutions, where bounds leave open whether the conditions hold.

    None are left where it is proven that they hold nowhere else.
    """
    low, high = _outside(ends, known, whole=whole)
    work, left = 0, []
    nodes = max(_LEAST_NODES, len(conditions.program.names))
    while len(low) and work < _MOST_WORK:
        work += nodes * max(_LEAST_PARTS, len(low))
        opened = ~conditions.fail(name, low, high, whole=whole)
        low, high = low[opened], high[opened]
        middle = _middle(low, high, whole=whole)
        is_point = (middle < low) | (middle >= high)
        left += [*zip(low[is_point].tolist(), high[is_point].tolist(), strict=True)]
        low, high, middle = low[~is_point], high[~is_point], middle[~is_point]
        behind = middle + 1 if whole else np.nextafter(middle, math.inf)
        low, high = np.concatenate([low, behind]), np.concatenate([middle, high])
    return _joined([*left, *zip(low.tolist(), high.tolist(), strict=True)])


def _outside(ends: tuple[float, float], known: Sequence[tuple[float, float]], *, whole: bool) -> tuple[Array, Array]:
    """The parts between known solutions."""
    lows = [ends[0], *(high + 1 if whole else high + abs(high) * _NEAR for _, high in known)]
    highs = [*(low - 1 if whole else low - abs(low) * _NEAR for low, _ in known), ends[1]]
    parts = [(low, high) for low, high in zip(lows, highs, strict=True) if low < high or low == high < math.inf]
    return np.array([low for low, _ in parts]), np.array([high for _, high in parts])


def _middle(low: Array, high: Array, *, whole: bool) -> Array:
    """Where to cut parts: wide ones at the geometric mean, so that few cuts reach numbers of any size."""
    far = np.minimum(high, _STRIDE * np.maximum(low, 1.0))
    cut = np.where((low > 0) & (far > 2 * low), np.sqrt(low) * np.sqrt(far), low / 2 + far / 2)
    cut = np.where(np.isinf(high), far, cut)
    return np.floor(cut) if whole else cut


def _joined(parts: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Merges adjacent parts."""
    found: list[tuple[float, float]] = []
    for low, high in sorted(parts):
        if found and low <= max(found[-1][1] + 1, found[-1][1] * (1 + _NEAR)):
            found[-1] = found[-1][0], max(found[-1][1], high)
        else:
            found.append((low, high))
    return found
