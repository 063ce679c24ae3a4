"""Defines the outcome of a search: the best configurations, a front, the counts, and how sure the first place is."""

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from formula_eval.analyse.search.infeasibility import NearestMiss
from formula_eval.analyse.search.search_space import Goal, GoalGroup
from formula_eval.analyse.sweep.column import Column
from formula_eval.analyse.sweep.counts import Tally
from formula_eval.analyse.sweep.sweep_batches import Batch
from formula_eval.evaluate.vector import Array
from formula_eval.records.givens import Question

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


class BestConfiguration(NamedTuple):
    """The best configuration: its question, without defaults, and the warnings of checks.

    `assumed` are the inputs among its values that nobody set and that had no other value in the space.
    """

    question: Question
    warnings: Sequence[str]
    assumed: Mapping[str, str]


class Proof(NamedTuple):
    """How each of `size` configurations was decided, and a bound that none of them can beat.

    `computed` were computed one by one; `excluded` fail some condition, as what they share with others tells; `beaten`
    are in boxes in which bounds allow nothing better than the best; `left` were not reached. None is better than
    `bound`, in base units: the best itself where that is proven, infinite where nothing is known of what is left.
    `by_bounds` says whether boxes were bounded, or all computed that conditions leave.
    """

    size: int
    computed: int
    excluded: int
    beaten: int
    left: int
    bound: float
    by_bounds: bool

    @property
    def is_proven(self) -> bool:
        """Whether no configuration is better than the best, or none meets every condition."""
        return not self.left

    def gap(self, best: float) -> float | None:
        """The share of the best by which another may still be better; None where bounds do not tell."""
        if not math.isfinite(self.bound) or not best or self.bound * best < 0:
            return None
        return abs(self.bound - best) / abs(best)


class Outcome(NamedTuple):
    """The answer of a search.

    `columns` are the inputs that vary, then quantities; `leaders` holds their values of the best configurations, the
    best first, `front` of those that nothing beats in both of its quantities. `counts` says why others are none,
    `demands` what the checks and conditions that excluded some demand, `proof` whether all of them were looked at, and
    how; `idle` are inputs of which several values were given that change nothing.
    """

    goal: Goal  # the quantity sought, and whether it is maximised
    group: GoalGroup  # the settings of the goal: conditions, columns, front
    columns: Sequence[Column]
    leaders: Batch
    front: Batch
    best: BestConfiguration | None
    counts: Tally
    demands: Mapping[str, str]
    proof: Proof
    idle: Sequence[str] = ()
    robustness: Robustness | None = None  # how often the best stays best; None if unknown
    nearest: NearestMiss | None = None  # the closest configuration where none meets all constraints
