"""Defines what a plan finds: its alternatives, what each takes, and the fleet of two of them that is cheaper.

Of a day it tells the fewest replicas for the rate of each hour, against those of the busiest all day.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from formula_eval.analyse.compare.comparison import told_apart
from formula_eval.analyse.ineffective_inputs import Effects
from formula_eval.analyse.plan.demand import (
    NO_CASES,
    DayLayout,
    LeftOut,
    Load,
    MixLayout,
    PlanCases,
    PlanColumn,
    RecordRow,
    Verdict,
)
from formula_eval.analyse.plan.pools_layout import PoolsLayout
from formula_eval.records.givens import Question

HOURS_OF_A_DAY = 24
Values = Sequence[float]


class DayHour(NamedTuple):
    """An hour of the day: the columns' values with as many replicas as it takes, and how many of them start for it."""

    hour: int
    rate: float
    values: Values
    starts: float


class PlannedDay(NamedTuple):
    """The hours of a day, and its sums: `scaled` with the replicas of each hour, `steady` with the busiest's all day.

    `starts` is how many replicas start in the course of the day, and `start_time` how long each takes; `committed` is
    how many a commitment is for as it is scaled, nan without one. `takes` are the largest rates of one replica, of two,
    and so on; beyond the last each further one adds as much as those have in the mean. `stops` says whether hours
    without requests keep no replica.
    """

    hours: Sequence[DayHour]
    scaled: Values
    steady: Values
    starts: float
    start_time: float
    committed: float = math.nan
    takes: Values = ()
    stops: bool = False

    @property
    def scaled_share(self) -> float:
        """What of the first sum, such as the rent, is left once replicas follow the hours; 1 where it is unknown."""
        scaled, steady = next(zip(self.scaled, self.steady, strict=True), (math.nan, math.nan))
        return scaled / steady if scaled > 0 and steady > 0 else 1.0


class HourSums(NamedTuple):
    """What one hour takes, or one replica that starts: the columns' values, what is summed up, and the replicas."""

    values: Values
    summed: Values
    replicas: float


def day_of(
    rates: Sequence[float],
    fewest: Callable[[float], HourSums],
    steady: Callable[[float], HourSums],
    start: HourSums,
    start_time: float,
) -> PlannedDay:
    """The day of these rates, where `fewest` plans an hour and `steady` has the busiest hour's replicas in it.

    Replicas that an hour has more than the one before add what a `start` does to it.
    """
    fewest, steady = cache(fewest), cache(steady)
    planned = [fewest(rate) for rate in rates]
    starts = [max(later.replicas - sooner.replicas, 0.0) for sooner, later in pairwise([planned[-1], *planned])]
    hours = [
        DayHour(number, rate, _with(sums.values, start.values, more), more)
        for number, (rate, sums, more) in enumerate(zip(rates, planned, starts, strict=True))
    ]
    summed = [sum(each) for each in zip(*(sums.summed for sums in planned), strict=True)]
    return PlannedDay(
        hours,
        _with(summed, start.summed, sum(starts)),
        [sum(each) for each in zip(*(steady(rate).summed for rate in rates), strict=True)],
        sum(starts),
        start_time,
    )


def _with(values: Values, each: Values, times: float) -> Values:
    return [value + times * more for value, more in zip(values, each, strict=True)] if times else values


class Alternative(NamedTuple):
    """One accelerator and engine: how it differs from the others, and the question of its best configuration.

    `values` are those of the columns, in base units, nan where there is none; `layout` is the configuration in short.
    `hours` are the questions that these values answer, `warnings` what checks say of the configuration, `most` the
    largest rate at which one replica meets the targets, `day` what it takes by the hour. Where no layout meets
    the targets, `stops` says what the nearest one fails at, and all else tells of that one; where not `is_reached`,
    that no time was left to seek any. `pool` is the name of the pool that it is, where it does a part of each request,
    or that of all pools together, which have no question.
    """

    varies: Sequence[tuple[str, str]]  # inputs or kinds of records, with this alternative's choice
    question: Question | None
    values: Sequence[float]
    stops: Sequence[str] = ()
    is_proven: bool = True  # False if the search ran out of time
    layout: str = ""
    hours: Mapping[str, Question | None] = MappingProxyType({})
    warnings: Sequence[str] = ()
    most: float = math.nan
    day: PlannedDay | None = None
    pool: str = ""
    is_reached: bool = True

    @property
    def name(self) -> str:
        """The words that distinguish it from the others: `h200-sxm`, `price kind three years`."""
        return " ".join(told_apart(self.varies)) or "best"


class FleetPart(NamedTuple):
    """The replicas of one accelerator in a fleet of two, and the question of its share of the requests."""

    name: str
    replicas: int
    question: Question


class MixedFleet(NamedTuple):
    """The two parts of a fleet, its cost, and that of the cheapest fleet of one accelerator."""

    parts: Sequence[FleetPart]
    cost: float
    alone: float
    layout: MixLayout


class PooledFleet(NamedTuple):
    """Pools of workers that do the work together, how many accelerators each has, and what all cost."""

    parts: Sequence[Alternative]
    counts: Sequence[float]
    cost: float


class Plan(NamedTuple):
    """The alternatives, the best first and those that cannot keep what is asked last.

    Pools of workers apart stand behind all others, and are none of these by themselves; `pooled` are the cheapest ones
    that do the work. The best is the cheapest, or what has the most of the input that is found. `columns` are what is
    reported of each, `effects` what options move of what is told and decided, `verdict` is the sentence about it,
    `assumed` and `records` what it rests on, `named_by` the kind of records whose name an alternative bears.
    """

    columns: Sequence[PlanColumn]
    alternatives: Sequence[Alternative]
    effects: Sequence[Effects] = ()
    verdict: Verdict = Verdict()
    load: Load | None = None  # None where nothing arrives at a rate
    cases: PlanCases = NO_CASES  # that are told beside the columns
    day: DayLayout | None = None  # of its hours, where these were asked for
    mix: MixedFleet | None = None  # of two alternatives, where that is cheaper
    assumed: Sequence[PlanColumn] = ()
    records: Sequence[RecordRow] = ()
    named_by: str = ""
    pools: PoolsLayout | None = None  # where these were asked for
    pooled: PooledFleet | None = None
    left_out: LeftOut | None = None  # which fleets are far larger than the smallest

    @property
    def whole(self) -> Sequence[Alternative]:
        """The alternatives that do the whole work."""
        return [alternative for alternative in self.alternatives if not alternative.pool]

    @property
    def best(self) -> Alternative | None:
        """The best; None where none meets the targets."""
        return next((alternative for alternative in self.whole if not alternative.stops), None)
