"""Computes interval bounds of functions with steps, poles or a limited domain.

Each takes intervals and gives the bounds, and where the function may fail if it can.
"""

from collections.abc import Callable, Sequence
from functools import reduce
from operator import and_, or_

import numpy as np

from formula_eval.evaluate.bounds import correlation
from formula_eval.evaluate.bounds.choice_sets import ABSENT, Value, Words
from formula_eval.evaluate.bounds.interval import Interval, is_whole_point, widened
from formula_eval.evaluate.lane_rounding import DAY, months_later, near_part, rest_of, whole_parts
from formula_eval.evaluate.vector import Lanes

_EXACT, _SLACK = 2.0**52, 2.0**-50
_TINY = np.nextafter(0.0, 1.0)  # the least number above 0
_ABOVE_LEAST = np.nextafter(-1.0, 0.0)  # the least number above -1
_SMALL = 2.0**-500  # what is above does not underflow
_LARGEST = 2.0**40  # of what `largest_divisor` takes
_LARGEST_SQUARED = np.floor(2.0**26.5)  # whole numbers whose squares are exact
Steps = Callable[[Value], Value]


def stepped(x: Interval, steps: Steps) -> Interval:
    """Bounds of a monotonic step function with whole results: `floor`, `ceil`, `round`."""
    return Interval(steps(x.low), steps(x.high), x.absent, whole=True)


def between(x: Interval, least: float, most: float) -> Interval:
    """The interval clipped to the range from `least` to `most`."""
    low, high = np.maximum(x.low, least), np.minimum(x.high, most)
    return Interval(low, high, x.absent, whole=x.whole).without(~(low <= high))


def months_moved(date: Interval, months: Interval) -> Interval:
    """Bounds of a date moved by months: it grows with both, but for the time of day where two days become one."""
    low = months_later(date.low - rest_of(date.low, DAY), months.low)
    high = months_later(date.high - rest_of(date.high, DAY), months.high) + DAY
    return Interval(low, high, date.absent | months.absent)


def absolute(x: Interval) -> Interval:
    """Bounds of the absolute value."""
    low, high = np.absolute(x.low), np.absolute(x.high)
    return Interval(np.where(x.holds(0.0), 0.0, np.minimum(low, high)), np.maximum(low, high), x.absent, whole=x.whole)


def divisor(b: Interval) -> tuple[Interval, Value]:
    """The interval without 0, for use as a divisor, and where it may be 0; whole numbers skip from 0 to 1 or -1."""
    zero = b.holds(0.0)
    if not np.any(zero):
        return b, zero
    low, high = np.where(b.low == 0, 0.0, b.low), np.where(b.high == 0, -0.0, b.high)
    low, high = np.where((low == 0) & b.whole, 1.0, low), np.where((high == 0) & b.whole, -1.0, high)
    return Interval(low, high, b.absent, whole=b.whole).without((b.low == 0) & (b.high == 0)), zero


def quotient(a: Interval, b: Interval) -> Interval:
    """`a / b`, of what `divisor` left of b."""
    absent = a.absent | b.absent
    if not (np.any(a.low < 0) or np.any(b.low <= 0) or np.isinf(a.high).any() or np.isinf(b.high).any()):
        low, high = a.low / b.high, a.high / b.low
        return Interval(low, high, absent, whole=is_whole_point(low, high))
    below = b.high <= 0
    least, most = np.where(below, -a.high, a.low), np.where(below, -a.low, a.high)
    near, far = np.where(below, -b.high, b.low), np.where(below, -b.low, b.high)
    low = np.where(least >= 0, least / far, least / near)
    high = np.where(most > 0, most / near, most / far)
    around = (b.low < 0) & (b.high > 0)
    low = np.where(around | (np.isnan(low) & (least < 0)), -np.inf, np.where(np.isnan(low), 0.0, low))
    high = np.where(around | (np.isnan(high) & (most > 0)), np.inf, np.where(np.isnan(high), 0.0, high))
    undefined = a.may_be_infinite & b.may_be_infinite
    return Interval(low, high, absent | undefined).without(a.is_empty | b.is_empty)


def related_quotient(a: Interval, b: Interval, sure: Interval) -> Interval:
    """`a / b`, of what `divisor` left of b (`sure`), narrowed by what is known of both."""
    found = quotient(a, sure)
    ordinary = (sure.low > _SMALL) & np.isfinite(a.low) & np.isfinite(a.high)
    ends = correlation.ratio(a, b, np.where(ordinary, sure.low, 1.0)) if np.any(ordinary) else None
    if ends is not None:
        found.low = np.where(ordinary & (ends[0] > found.low), ends[0], found.low)
        found.high = np.where(ordinary & (ends[1] < found.high), ends[1], found.high)
    if isinstance(b.origin, correlation.Divisor) and b.origin.of is a:
        found.whole = True
    return found


def whole_quotient(a: Interval, b: Interval) -> Interval:
    """`a / b` rounded down, exactly, of what `divisor` left of b."""
    absent = a.absent | b.absent | a.may_be_infinite
    if not (np.any(b.low <= 0) or np.any(a.may_be_infinite) or np.any(a.is_empty | b.is_empty)):
        low = whole_parts(a.low, np.where(a.low >= 0, b.high, b.low))
        high = whole_parts(a.high, np.where(a.high >= 0, b.low, b.high))
    else:
        broken = quotient(a, b)
        low, high = np.floor(broken.low) - 1.0, Lanes.floor(broken.high)
    low = np.where(np.absolute(low) >= _EXACT, low - np.absolute(low) / _EXACT, low)
    high = np.where(np.absolute(high) >= _EXACT, high + np.absolute(high) / _EXACT, high)
    return Interval(low, high, absent, whole=True)


def remainder(a: Interval, b: Interval) -> Interval:
    """`a % b`, with the sign of b, of what `divisor` left of b."""
    whole = a.whole & b.whole
    absent = a.absent | b.absent | a.may_be_infinite
    above = np.maximum(b.high, 0.0) - np.where(whole, 1.0, 0.0)
    low, high = np.minimum(b.low, 0.0), np.maximum(above, 0.0)
    ordinary = (a.low >= 0) & (b.low > 0) & np.isfinite(a.high)
    high = np.where(ordinary, np.minimum(high, a.high), high)
    first, last = np.floor_divide(a.low, b.high), np.floor_divide(a.high, b.low)
    same = ordinary & (first == last) & (first < _EXACT)
    slack = np.where(whole, 0.0, a.high * _SLACK)  # the products are rounded
    low = np.where(same, np.maximum(low, a.low - first * b.high - slack), low)
    high = np.where(same, np.minimum(high, a.high - first * b.low + slack), high)
    near = near_part(a.high, b.high)
    low = np.where(same & ((low <= near) | (b.low - high <= near)), np.minimum(low, 0.0), low)
    point = (a.low == a.high) & (b.low == b.high)
    exactly = rest_of(a.low, b.low)
    found = Interval(np.where(point, exactly, low), np.where(point, exactly, high), absent, whole=whole)
    return found.without(a.is_empty | b.is_empty)


def raised(base: Interval, exponent: float) -> tuple[Interval, Value]:
    """A power with a known exponent, and where it may fail."""
    if exponent < 0:
        positive, zero = divisor(base)
        power, bad = raised(positive, -exponent)
        inverse = quotient(Interval.of(1.0), divisor(power)[0])
        low, high = widened(inverse.low, inverse.high, _is_one(base.high), _is_one(base.low))
        endless = np.isinf(low) | np.isinf(high)
        return Interval(low, high, base.absent), bad | zero | endless
    low, high, bad = (base.low, base.high, False) if exponent.is_integer() else _from_zero(base)
    exact = _is_exact_power(low, exponent, base.whole), _is_exact_power(high, exponent, base.whole)
    first, last = _computed(np.power(low, exponent), exact[0]), _computed(np.power(high, exponent), exact[1])
    least, most = np.minimum(first[0], last[0]), np.maximum(first[1], last[1])
    if exponent.is_integer() and exponent % 2 == 0:
        least = np.where(base.holds(0.0), 0.0, np.maximum(least, 0.0))
    least = np.where(low >= 0, np.maximum(least, 0.0), least)
    overflows = (np.isinf(least) | np.isinf(most)) & np.isfinite(low) & np.isfinite(high)
    return Interval(least, most, base.absent, whole=base.whole & exact[0] & exact[1]), bad | overflows


def power(base: Interval, exponent: Interval) -> tuple[Interval, Value]:
    """A power with an unknown exponent, and where it may fail; bounded where no base is negative and no 0 inverted."""
    absent = base.absent | exponent.absent
    corners = [(x, y) for x in (base.low, base.high) for y in (exponent.low, exponent.high)]
    ends = [_computed(np.power(x, y), (y == 0) | (x == 0) | _is_one(x)) for x, y in corners]
    low, high = np.minimum.reduce([each for each, _ in ends]), np.maximum.reduce([each for _, each in ends])
    positive = (base.low > 0) | ((base.low >= 0) & (exponent.low >= 0))
    infinite = base.may_be_infinite | exponent.may_be_infinite
    bounded = positive & ~infinite
    found = Interval(np.where(bounded, np.maximum(low, 0.0), -np.inf), np.where(bounded, high, np.inf), absent)
    return found.without(base.is_empty | exponent.is_empty), ~positive | (np.isinf(high) & ~infinite)


def exponential(x: Interval, of: Steps, least: float) -> tuple[Interval, Value]:
    """Euler's number to the power of x, or that less 1, which is never below `least`, and where it may fail."""
    low, high = widened(of(x.low), of(x.high), _is_told(x.low, 0.0), _is_told(x.high, 0.0))
    return Interval(np.maximum(low, least), high, x.absent), np.isinf(high) & ~np.isposinf(x.high)


def _computed(value: Value, exact: Value) -> tuple[Value, Value]:
    """The bounds of a function's value at one point, widened unless exact."""
    return widened(value, value, exact, exact)


def _is_told(end: Value, by: float) -> Value:
    """Marks where C's annex F fixes the function's value: at infinity, and at the argument where it is 0 or 1."""
    return (end == by) | np.isinf(end)


def _is_one(end: Value) -> Value:
    return _is_told(end, 1.0)


def _is_exact_power(end: Value, exponent: float, whole: Value) -> Value:
    """Marks where a known power of an end is the same number on every platform.

    Annex F says so of 0, 1 and infinity. The square of a whole number is one product to NumPy and to C compilers, and
    the C library, off by less than one of the last bits, has nothing to round there. No other power is: what NumPy
    computes with AVX-512 is given within four of the last bits, whole numbers included.
    """
    if exponent in (0.0, 1.0):
        return np.ones_like(end, bool)
    is_square = exponent == 2.0  # noqa: PLR2004 - as above
    return (end == 0) | _is_one(end) | (is_square & whole & (np.absolute(end) <= _LARGEST_SQUARED))


def root(x: Interval) -> tuple[Interval, Value]:
    """The square root, and where it may fail."""
    low, high, bad = _from_zero(x)
    return Interval(np.sqrt(low), np.sqrt(high), x.absent), bad


def logarithm(x: Interval, of: Steps) -> tuple[Interval, Value]:
    """A logarithm, and where it may fail."""
    low, high, _ = _from_zero(x)
    least = np.where(x.whole, 1.0, _TINY)
    first = np.maximum(low, least)
    low, high = widened(of(first), of(high), _is_one(first), _is_one(high))
    return Interval(low, high, x.absent).without(x.high <= 0), x.low <= 0


def logarithm_of_1_and(x: Interval) -> tuple[Interval, Value]:
    """The natural logarithm of 1 + x, and where it may fail."""
    none = x.high < -1
    first = np.where(none, np.nan, np.maximum(x.low, np.where(x.whole, 0.0, _ABOVE_LEAST)))
    last = np.where(none, np.nan, x.high)
    low, high = widened(np.log1p(first), np.log1p(last), _is_told(first, 0.0), _is_told(last, 0.0))
    return Interval(low, high, x.absent).without(x.high <= -1), x.low <= -1


def _from_zero(x: Interval) -> tuple[Value, Value, Value]:
    """The ends of the part that is not below 0, and where the interval reaches below 0."""
    none = x.high < 0
    return np.where(none, np.nan, np.maximum(x.low, 0.0)), np.where(none, np.nan, x.high), x.low < 0


def largest_divisor(n: Interval, at_most: Interval, find: Callable[[Value, Value], Value]) -> tuple[Interval, Value]:
    """The largest divisor of n not above a bound, and where it may fail: it grows with the bound, n being known."""
    ends = np.broadcast_arrays(n.low, n.high, at_most.low, at_most.high)
    n_low, n_high, least, most = (np.atleast_1d(end) for end in ends)
    known = (n_low == n_high) & (n_low % 1 == 0) & (n_low >= 1) & (n_high <= _LARGEST) & ~np.isnan(least)
    low = np.where(least >= 1, 1.0, 0.0)
    high = np.floor(np.maximum(np.minimum(n_high, most), 0.0))
    low[known], high[known] = find(n_low[known], least[known]), find(n_low[known], most[known])
    found = Interval(low, high, n.absent | at_most.absent, whole=True).without(n.is_empty | at_most.is_empty)
    found.origin = correlation.Divisor(n)
    return found, ((n_low < 1) | (n_high > _LARGEST) | ~np.asarray(n.whole)) & ~known


def extreme(of: Callable[[Value, Value], Value], values: Sequence[Value]) -> Interval:
    """The least or the greatest of several; what may be absent may make it so."""
    bounds = [Interval.of(value) for value in values]
    low, high = reduce(of, (bound.low for bound in bounds)), reduce(of, (bound.high for bound in bounds))
    absent = reduce(or_, (bound.absent for bound in bounds))
    found = Interval(low, high, absent, whole=reduce(and_, (bound.whole for bound in bounds)))
    found.origin = (correlation.Least if of is np.minimum else correlation.Greatest)(tuple(bounds))
    return found


def largest(values: Sequence[Value]) -> Words:
    """The indices at which the largest may stand: those that no other surely exceeds."""
    bounds = [Interval.of(value) for value in values]
    least = reduce(np.fmax, (bound.low for bound in bounds))
    may = [np.where(bound.high >= least, 1 << place, 0) for place, bound in enumerate(bounds)]
    absent = reduce(or_, (bound.absent for bound in bounds))
    return Words(reduce(or_, may) | np.where(absent, ABSENT, 0))
