"""Tracks how intervals were computed from each other, to narrow the bounds of their ratios.

`(n - 1) / n` reads n twice. Its ends alone allow everything from 0 to 7 where n is between 1 and 8; that the dividend
is a line of the divisor says that it is between 0 and 7/8. What is told here holds of the numbers themselves, hence
within a branch too, in which their bounds are narrower.
"""

from typing import NamedTuple, Protocol

import numpy as np

from formula_eval.evaluate.bounds.choice_sets import Value

_ROUNDED = 2.0**-48  # how far rounding carries such a ratio at most, as a share of its parts


class IntervalView(Protocol):
    """The view of an interval used here: its ends, and the origin that it was computed from."""

    low: Value
    high: Value
    origin: "Origin"


class Line(NamedTuple):
    """`factor * base + offset`."""

    base: IntervalView
    factor: float
    offset: float


class Difference(NamedTuple):
    """`left - right`."""

    left: IntervalView
    right: IntervalView


class Product(NamedTuple):
    """`left * right`."""

    left: IntervalView
    right: IntervalView


class Least(NamedTuple):
    """The least of these and of others."""

    of: tuple[IntervalView, ...]


class Greatest(NamedTuple):
    """The greatest of these and of others."""

    of: tuple[IntervalView, ...]


class Divisor(NamedTuple):
    """A whole number that divides another one."""

    of: IntervalView


Ends = tuple[Value, Value]
Origin = Line | Difference | Product | Least | Greatest | Divisor | None


def scaled(x: IntervalView, factor: float) -> Line:
    """The origin of `factor * x`."""
    line = x.origin if isinstance(x.origin, Line) else Line(x, 1.0, 0.0)
    return Line(line.base, factor * line.factor, factor * line.offset)


def shifted(x: IntervalView, offset: float) -> Line:
    """The origin of `x + offset`."""
    if isinstance(x.origin, Line) and not x.origin.offset:
        return x.origin._replace(offset=offset)
    return Line(x, 1.0, offset)


def is_never_below(a: IntervalView, b: IntervalView) -> bool:
    """Whether the first is at least the second, where both are there."""
    match b.origin:
        case Least(of) if any(view is a for view in of):
            return True
        case Divisor(of) if of is a:
            return True
    return isinstance(a.origin, Greatest) and any(view is b for view in a.origin.of)


def ratio(a: IntervalView, b: IntervalView, least: Value) -> Ends | None:
    """Bounds of `a / b` where b is at least `least`, above 0; None where nothing is known."""
    if a is b:
        return 1.0, 1.0
    match a.origin:
        case Line(base, factor, offset) if base is b:
            ends = offset / least, offset / b.high
            return _rounded(factor + np.minimum(*ends), factor + np.maximum(*ends), abs(factor) + abs(offset) / least)
        case Difference(left, right) if left is b:
            return _share_left(right, b, least, at_most=1.0 if is_never_below(left, right) else np.inf)
        case Product(left, right):
            return _ratio_of_product(left, right, b, least) or _ratio_of_product(right, left, b, least)
    if is_never_below(a, b):
        return 1.0, np.inf
    return (-np.inf, 1.0) if is_never_below(b, a) else None


def _share_left(taken: IntervalView, whole: IntervalView, least: Value, at_most: float) -> Ends:
    """Bounds of `(whole - taken) / whole`, where `taken / whole` is known to be at most `at_most`."""
    low = taken.low / np.where(taken.low < 0, least, whole.high)
    high = np.minimum(taken.high / np.where(taken.high < 0, whole.high, least), at_most)
    return _rounded(1.0 - high, 1.0 - low, 1.0 + np.maximum(np.absolute(low), np.absolute(high)))


def _ratio_of_product(x: IntervalView, y: IntervalView, b: IntervalView, least: Value) -> Ends | None:
    """Bounds of `x * y / b`, if something is known of `y / b`."""
    ends = ratio(y, b, least)
    if ends is None:
        return None
    corners = [end * each for end in ends for each in (x.low, x.high)]
    low, high = np.fmin.reduce(corners), np.fmax.reduce(corners)
    return _rounded(low, high, np.maximum(np.absolute(low), np.absolute(high)))


def _rounded(low: Value, high: Value, size: Value) -> Ends:
    return low - size * _ROUNDED, high + size * _ROUNDED
