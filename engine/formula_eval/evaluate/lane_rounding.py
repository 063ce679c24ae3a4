"""Rounds arrays to whole numbers, parts and months of the calendar, as `printing/prelude.py.txt` does one number."""

from typing import Any

import numpy as np

from formula_eval.core.rounding import HALF, MOST, NEAR

Value = Any  # a plain number, or an array of them
DAY = 86400.0  # seconds, and
_DAYS_TO_1970 = 719468.0  # days from the first of March of the year 0, and
_MONTH = 30.436875  # days of a month on average


def whole_above(x: Value) -> Value:
    """The next whole number upwards."""
    return np.ceil(x - _near(x))


def whole_below(x: Value) -> Value:
    """The next whole number downwards."""
    return np.floor(x + _near(x))


def nearest(x: Value) -> Value:
    """The nearest whole number, a half away from zero."""
    whole = np.trunc(x) + 0.0
    return np.where(np.absolute(x - whole) >= HALF, whole + np.sign(x), whole)


def _near(x: Value) -> Value:
    """The distance from a whole number within which a number is taken for it."""
    return np.minimum(np.absolute(x) * NEAR, MOST)


def near_part(a: Value, b: Value) -> Value:
    """The distance from a multiple of b within which a number is taken for it."""
    return np.minimum(np.minimum(np.absolute(a) * NEAR, np.absolute(b) * MOST), HALF)


def rest_of(a: Value, b: Value) -> Value:
    """The remainder of a division by b other than 0, with the sign of b."""
    rest, least = a % b, near_part(a, b)
    is_none = (np.absolute(rest) <= least) | (np.absolute(b) - np.absolute(rest) <= least)
    return np.where(is_none, np.copysign(0.0, b), rest)


def whole_parts(a: Value, b: Value) -> Value:
    """`a / b` rounded down, for b other than 0."""
    whole, rest = np.divmod(a, b)
    return whole + (np.absolute(b) - np.absolute(rest) <= near_part(a, b))


def months_later(date: Value, months: Value) -> Value:
    """A date moved by whole months of the calendar, to the last day of a month that is shorter."""
    day = whole_parts(date, DAY) + _DAYS_TO_1970
    month = whole_parts(day, _MONTH)
    month = month + (_first_day(month + 1.0) <= day) - (_first_day(month) > day)
    then = month + nearest(months)
    last = _first_day(then + 1.0) - _first_day(then) - 1.0
    moved = _first_day(then) + np.minimum(day - _first_day(month), last)
    found = (moved - _DAYS_TO_1970) * DAY + rest_of(date, DAY)
    return np.where(np.isfinite(date) & np.isfinite(months), found, date + months)


def _first_day(month: Value) -> Value:
    """The day on which a month begins, both counted from March of the year 0."""
    year = whole_parts(month, 12.0)
    leap_days = whole_parts(year, 4.0) - whole_parts(year, 100.0) + whole_parts(year, 400.0)
    return 365.0 * year + leap_days + whole_parts(153.0 * rest_of(month, 12.0) + 2.0, 5.0)
