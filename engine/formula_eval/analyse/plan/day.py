"""Plans a service hour by hour: the fewest replicas for the rate of each hour, against those of the busiest all day."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

HOURS_OF_A_DAY = 24
_QUIET = 1e-9  # requests a second of an hour without any: one replica stays, and is idle

Values = Sequence[float]


class DayHour(NamedTuple):
    """An hour of the day: the columns' values with as many replicas as it takes, nan where no number is enough."""

    hour: int
    rate: float
    values: Values


class PlannedDay(NamedTuple):
    """The hours of a day, and its sums: with the replicas of each hour, and with those of the busiest all day.

    `starts` is how many replicas start in the course of the day, and `start_time` how long each takes.
    """

    hours: Sequence[DayHour]
    scaled: Values
    steady: Values
    starts: float
    start_time: float


class HourSums(NamedTuple):
    """What one hour takes: the columns' values, what is summed over the day, and the replicas."""

    values: Values
    summed: Values
    replicas: float


def day_of(
    rates: Sequence[float], fewest: Callable[[float], HourSums], steady: Callable[[float], HourSums], start_time: float
) -> PlannedDay:
    """The day of these rates, where `fewest` plans an hour and `steady` has the busiest hour's replicas in it."""
    fewest, steady = cache(fewest), cache(steady)
    busy = [max(rate, _QUIET) for rate in rates]
    planned = [fewest(rate) for rate in busy]
    hours = [DayHour(number, rate, each.values) for number, (rate, each) in enumerate(zip(rates, planned, strict=True))]
    changes = (later.replicas - sooner.replicas for sooner, later in pairwise([*planned, planned[0]]))
    return PlannedDay(
        hours,
        [sum(each) for each in zip(*(each.summed for each in planned), strict=True)],
        [sum(each) for each in zip(*(steady(rate).summed for rate in busy), strict=True)],
        sum(max(each, 0.0) for each in changes),
        start_time,
    )
