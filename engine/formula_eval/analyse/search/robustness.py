"""Estimates how often the best configuration stays the best under the prediction intervals of the best few."""

from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from formula_eval.evaluate.vector import Array

DRAWS = 4096
# How many standard deviations off the median of a normal distribution a tenth lies beyond.
_TENTH = NormalDist().inv_cdf(0.9)


class Robustness(NamedTuple):
    """How often the best stays best among `rivals` others where each prediction errs by itself, within its interval.

    `behind` is the share by which the best is behind where it is not the best: the median of those draws.
    """

    share: float
    behind: float
    rivals: int
    draws: int = DRAWS


def robustness(values: Array, low: Array, high: Array, seed: int, *, is_largest: bool, is_rate: bool) -> Robustness:  # noqa: PLR0913 - what a goal is
    """Draw a factor on the time of each configuration independently, log-normal on each side.

    Args:
        values: what is sought, of the best first, above 0.
        low: what a tenth of measured times lay below, over prediction, of each.
        high: what a tenth lay above.
        seed: the same seed gives the same answer.
        is_largest: whether the largest is sought.
        is_rate: whether what is sought shrinks as times grow.

    """
    normal = np.random.default_rng(seed).standard_normal((DRAWS, len(values)))
    ends = np.where(normal < 0, -np.log(low), np.log(high))
    logs = np.log(values) + normal * ends / _TENTH * (-1 if is_rate else 1)
    logs = -logs if is_largest else logs
    lost = logs[:, 0] - logs.min(axis=1)
    beaten = lost[lost > 0]
    behind = float(np.expm1(np.median(beaten))) if beaten.size else 0.0
    return Robustness(1 - beaten.size / DRAWS, behind, len(values) - 1)
