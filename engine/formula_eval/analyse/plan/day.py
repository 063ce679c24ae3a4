"""Plans a service hour by hour: the fewest replicas for the rate of each hour, against those of the busiest all day."""

import math
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

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
    and so on; beyond the last each further one adds as much as those have in the mean.
    """

    hours: Sequence[DayHour]
    scaled: Values
    steady: Values
    starts: float
    start_time: float
    committed: float = math.nan
    takes: Values = ()

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
        DayHour(number, rate, _with(each.values, start.values, more), more)
        for number, (rate, each, more) in enumerate(zip(rates, planned, starts, strict=True))
    ]
    summed = [sum(each) for each in zip(*(each.summed for each in planned), strict=True)]
    return PlannedDay(
        hours,
        _with(summed, start.summed, sum(starts)),
        [sum(each) for each in zip(*(steady(rate).summed for rate in rates), strict=True)],
        sum(starts),
        start_time,
    )


def _with(values: Values, each: Values, times: float) -> Values:
    return [value + times * more for value, more in zip(values, each, strict=True)] if times else values
