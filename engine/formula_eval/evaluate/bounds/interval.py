"""Implements interval arithmetic: for each box, the range of numbers that a value may take.

Bounds are of the numbers that the engine computes, not of real ones: an operation of IEEE 754 rounds to the nearest
number and so never changes an order, hence what it makes of the ends bounds what it makes of anything between them. So
nothing is rounded outwards but what a library of functions computes (`widened`), and the bounds of a point are that
point wherever it is made of sums, products, quotients and roots alone.
"""

import numpy as np

from formula_eval.evaluate.bounds.choice_sets import Fact, Value, flag
from formula_eval.evaluate.bounds.correlation import Difference, Origin, Product, is_never_below, scaled, shifted

_OF_THE_LIBRARY = 2.0**-50  # how far powers, exponents and logarithms may be apart, as a share of them,
_OF_THE_LEAST = 2.0**-1070  # and where they are the least numbers that there are
_LARGEST = np.finfo(float).max


class Interval:
    """Per box, the numbers from `low` to `high`, both nan if there are none; `absent` where the value may be nan too.

    `whole` says where they are whole numbers, `origin` what they were made of.
    """

    __slots__ = ("absent", "high", "low", "origin", "whole")
    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]  # as arrays, they are compared box by box

    def __init__(self, low: Value, high: Value, absent: Value = False, *, whole: Value = False) -> None:  # noqa: FBT002 - a mask
        """The numbers between these ends."""
        self.low, self.high, self.absent, self.whole = low, high, absent, whole
        self.origin: Origin = None

    @classmethod
    def of(cls, value: Value) -> "Interval":
        """A value as an interval; a plain number is one point, nan is absent."""
        if isinstance(value, Interval):
            return value
        number = float(value)
        return cls(number, number, number != number, whole=number.is_integer())  # noqa: PLR0124 - nan alone differs

    def copy(self) -> "Interval":
        """A copy that narrowing the original leaves unchanged."""
        found = Interval(self.low, self.high, self.absent, whole=self.whole)
        found.origin = self.origin
        return found

    def without(self, boxes: Value) -> "Interval":
        """The interval, emptied in these boxes."""
        low, high = np.where(boxes, np.nan, self.low), np.where(boxes, np.nan, self.high)
        return Interval(low, high, self.absent, whole=self.whole)

    @property
    def is_empty(self) -> Value:
        """Marks the boxes without any number."""
        return np.isnan(self.low)

    @property
    def may_be_infinite(self) -> Value:
        """Marks the boxes where a number may be infinite."""
        return np.isinf(self.low) | np.isinf(self.high)

    def holds(self, number: float) -> Value:
        """Marks the boxes that contain this number."""
        return (self.low <= number) & (self.high >= number)

    def __neg__(self) -> "Interval":
        """`-x`."""
        return Interval(-self.high, -self.low, self.absent, whole=self.whole)

    def __add__(self, other: Value) -> "Interval":
        """`a + b`."""
        found = _sum(self, Interval.of(other))
        if not isinstance(other, Interval):
            found.origin = shifted(self, other)
        return found

    __radd__ = __add__

    def __sub__(self, other: Value) -> "Interval":
        """`a - b`; 0 where both are the same value."""
        if other is self:
            return _sum(self, -self, np.zeros_like(self.low))
        found = _sum(self, -Interval.of(other))
        if not isinstance(other, Interval):
            found.origin = shifted(self, -other)
            return found
        if is_never_below(self, other):
            found.low = np.where(found.low < 0, 0.0, found.low)
        found.origin = Difference(self, other)
        return found

    def __rsub__(self, other: Value) -> "Interval":
        """`a - b`."""
        return _sum(Interval.of(other), -self)

    def __mul__(self, other: Value) -> "Interval":
        """`a * b`; never negative where both are the same value."""
        found = _product(self, Interval.of(other))
        found.origin = Product(self, other) if isinstance(other, Interval) else scaled(self, other)
        if other is self:
            found.low = np.where(self.holds(0.0), 0.0, np.maximum(found.low, 0.0))
        return found

    __rmul__ = __mul__

    def __truediv__(self, divisor: float) -> "Interval":
        """`a / b` of a number other than 0."""
        ends = self.low / divisor, self.high / divisor
        low, high = ends if divisor > 0 else ends[::-1]
        return Interval(low, high, self.absent, whole=is_whole_point(low, high))

    def __lt__(self, other: Value) -> Value:
        """`a < b`."""
        return _compared(self, "<", other)

    def __le__(self, other: Value) -> Value:
        """`a <= b`."""
        return _compared(self, "<=", other)

    def __gt__(self, other: Value) -> Value:
        """`a > b`."""
        return _compared(other, "<", self)

    def __ge__(self, other: Value) -> Value:
        """`a >= b`."""
        return _compared(other, "<=", self)

    def __eq__(self, other: object) -> Value:
        """`a == b`."""
        may_be, may_differ = _equality(self, Interval.of(other))
        return flag(may_be, may_differ, (Fact(self, "==", other),), (Fact(self, "!=", other),))

    def __ne__(self, other: object) -> Value:
        """`a != b`, as of what is absent."""
        may_be, may_differ = _equality(self, Interval.of(other))
        return flag(may_differ, may_be, (Fact(self, "!=", other),), (Fact(self, "==", other),))


EMPTY = Interval(np.nan, np.nan)


def is_whole_point(low: Value, high: Value) -> Value:
    """Marks the boxes where both ends are the same whole number."""
    return (low == high) & (np.floor(low) == low)


def _equality(a: Interval, b: Interval) -> tuple[Value, Value]:
    """Marks the boxes where both may be the same number, and those where they may differ or one be absent."""
    is_one = (a.low == a.high) & (b.low == b.high) & (a.low == b.low)
    return (a.low <= b.high) & (b.low <= a.high), (~(a.is_empty | b.is_empty) & ~is_one) | a.absent | b.absent


def _compared(left: Value, operator: str, right: Value) -> Value:
    a, b = Interval.of(left), Interval.of(right)
    if operator == "<":
        true, false = a.low < b.high, a.high >= b.low
        otherwise = Fact(right, "<=", left)
    else:
        true, false = a.low <= b.high, a.high > b.low
        otherwise = Fact(right, "<", left)
    is_absent = a.absent | b.absent
    if_false = () if np.any(is_absent) else (otherwise,)
    return flag(true, false | is_absent, (Fact(left, operator, right),), if_false)


def _sum(a: Interval, b: Interval, exactly: Value = None) -> Interval:
    """`a + b`, or `exactly` where that is known; absent too where opposite infinities may meet."""
    low, high = (a.low + b.low, a.high + b.high) if exactly is None else (exactly, exactly)
    absent, whole = a.absent | b.absent, a.whole & b.whole
    if np.isfinite(low).all() and np.isfinite(high).all() and exactly is None:
        return Interval(low, high, absent, whole=whole)
    empty = a.is_empty | b.is_empty
    meet = (np.isneginf(a.low) & np.isposinf(b.high)) | (np.isposinf(a.high) & np.isneginf(b.low))
    low, high = np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)
    return Interval(low, high, absent | meet, whole=whole).without(empty)


def _product(a: Interval, b: Interval) -> Interval:
    absent, whole = a.absent | b.absent, a.whole & b.whole
    if not (np.any(a.low < 0) or np.any(b.low < 0)):
        low, high = a.low * b.low, a.high * b.high
    else:
        products = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        low, high = np.fmin.reduce(products), np.fmax.reduce(products)
    if np.isfinite(low).all() and np.isfinite(high).all():
        return Interval(low, high, absent, whole=whole)
    empty = a.is_empty | b.is_empty
    undefined = (a.holds(0.0) & b.may_be_infinite) | (b.holds(0.0) & a.may_be_infinite)
    low = np.where(undefined, np.fmin(low, 0.0), low)
    high = np.where(undefined, np.fmax(high, 0.0), high)
    return Interval(low, high, absent | undefined, whole=whole).without(empty)


def widened(low: Value, high: Value, exact_low: Value, exact_high: Value) -> tuple[Value, Value]:
    """Ends that a library of functions computed, moved outwards by a few of the last bits.

    C's, NumPy's (another one on each processor) and that of a compiler's vectors differ there, and a value may be of
    any of them. No end is left alone for what it looks like: every large number is whole, and one that overflowed here
    may be finite there. `exact_low` and `exact_high` say where the operation has to give this very number everywhere.
    """
    below = low - (np.absolute(low) * _OF_THE_LIBRARY + _OF_THE_LEAST)
    above = high + (np.absolute(high) * _OF_THE_LIBRARY + _OF_THE_LEAST)
    below, above = np.where(low == np.inf, _LARGEST, below), np.where(high == -np.inf, -_LARGEST, above)
    return np.where(exact_low, low, below), np.where(exact_high, high, above)
