"""Joins two bounds, each with the boxes where it applies, into one that covers both."""

import math

import numpy as np

from formula_eval.evaluate.bounds.choice_sets import ABSENT, Value, Words, bits_of
from formula_eval.evaluate.bounds.interval import Interval
from formula_eval.evaluate.vector import Array


def either_of(one: Value, other: Value, first: Array, second: Array) -> Value:
    """The values of one bound in these boxes and those of the other in those."""
    if one is other:
        return one
    if not (_is_number(one) or _is_number(other)):
        bits = np.where(first, bits_of(one), 0) | np.where(second, bits_of(other), 0)
        alike = (bits == bits.flat[0]).all() and int(bits.flat[0]).bit_count() == 1
        return _word(int(bits.flat[0])) if alike else Words(bits)
    a, b = Interval.of(one), Interval.of(other)
    low = np.fmin(np.where(first, a.low, np.nan), np.where(second, b.low, np.nan))
    high = np.fmax(np.where(first, a.high, np.nan), np.where(second, b.high, np.nan))
    absent = (first & a.absent) | (second & b.absent)
    whole = (a.whole | a.is_empty | ~first) & (b.whole | b.is_empty | ~second)
    return Interval(low, high, absent, whole=whole)


def _is_number(value: Value) -> bool:
    return isinstance(value, Interval) or (isinstance(value, float) and not math.isnan(value))


def _word(bit: int) -> Value:
    return math.nan if bit == ABSENT else bit.bit_length() - 1
