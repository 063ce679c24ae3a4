"""Narrows bounds by the conditions that hold within a branch, and restores them when the branch ends."""

import numpy as np

from formula_eval.evaluate.bounds.choice_sets import Fact, Value, Words
from formula_eval.evaluate.bounds.interval import Interval

_EXACT = 2.0**53  # whole numbers above have no next one

Before = list[tuple[Interval | Words, Interval | Words]]


def narrow(facts: tuple[Fact, ...]) -> Before:
    """Narrow the values that these facts constrain, and return each with a copy of what it was before."""
    before: Before = []
    for fact in facts:
        sides = [each for each in (fact.left, fact.right) if isinstance(each, Interval | Words)]
        before += [(side, side.copy()) for side in sides]
        _NARROW[fact.operator](fact.left, fact.right)
    return before


def restore(before: Before) -> None:
    """Undo what facts have narrowed, the last one first."""
    for words, was in reversed(before):
        if isinstance(words, Words) and isinstance(was, Words):
            words.bits = was.bits
        elif isinstance(words, Interval) and isinstance(was, Interval):
            words.low, words.high, words.absent = was.low, was.high, was.absent


def _is_among(words: Words, bits: int) -> None:
    words.bits = words.bits & bits


def _is_not_among(words: Words, bits: int) -> None:
    words.bits = words.bits & ~bits


def _less(left: Value, right: Value) -> None:
    a, b = Interval.of(left), Interval.of(right)
    high, low = np.minimum(a.high, _next(b.high, -1, left)), np.maximum(b.low, _next(a.low, 1, right))
    _cut(left, a.low, high)
    _cut(right, low, b.high)


def _not_more(left: Value, right: Value) -> None:
    a, b = Interval.of(left), Interval.of(right)
    high, low = np.minimum(a.high, b.high), np.maximum(b.low, a.low)
    _cut(left, a.low, high)
    _cut(right, low, b.high)


def _equal(left: Value, right: Value) -> None:
    a, b = Interval.of(left), Interval.of(right)
    ends = np.maximum(a.low, b.low), np.minimum(a.high, b.high)
    _cut(left, *ends)
    _cut(right, *ends)


def _differ(left: Value, right: Value) -> None:
    a, b = Interval.of(left).copy(), Interval.of(right).copy()
    for side, one, other in ((left, a, b), (right, b, a)):
        single = other.low == other.high
        low = np.where(single & (one.low == other.low), _next(one.low, 1, side), one.low)
        high = np.where(single & (one.high == other.low), _next(one.high, -1, side), one.high)
        _cut(side, low, high, one.absent)


_NARROW = {"in": _is_among, "not in": _is_not_among, "<": _less, "<=": _not_more, "==": _equal, "!=": _differ}


def _next(end: Value, way: int, of: Value) -> Value:
    """The number next to an end: the next whole one for values that are whole."""
    broken = np.nextafter(end, way * np.inf)
    if not isinstance(of, Interval) or of.whole is False:
        return broken
    whole = np.ceil(end) - 1 if way < 0 else np.floor(end) + 1
    return np.where(of.whole & (np.absolute(end) < _EXACT), whole, broken)


def _cut(side: Value, low: Value, high: Value, absent: Value = False) -> None:  # noqa: FBT002 - a mask
    if isinstance(side, Interval):
        none = ~(low <= high)
        side.low, side.high, side.absent = np.where(none, np.nan, low), np.where(none, np.nan, high), absent
