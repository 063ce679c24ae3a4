"""Implements the operations of generated `vector` functions on sets of values, for whole boxes of configurations.

It does with `Interval`s and `Words` what `Lanes` does with numbers. A branch is computed where it may be taken, and
there its condition narrows what it compares; where both branches may be taken, a value may be that of either.
"""

import math
from collections.abc import Callable, Mapping
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from formula_eval.evaluate.bounds import interval_functions as functions
from formula_eval.evaluate.bounds.choice_sets import (
    ABSENT,
    TRUE,
    Fact,
    Flag,
    Value,
    Words,
    flag,
    may_fail,
    may_hold,
    opposite,
)
from formula_eval.evaluate.bounds.interval import EMPTY, Interval
from formula_eval.evaluate.bounds.join import either_of
from formula_eval.evaluate.bounds.refine import narrow, restore
from formula_eval.evaluate.vector import Array, Lanes
from formula_eval.printing.numpy import OPERATIONS

Bound = Any  # an interval, words, or one value that is the same in all boxes
Compute = Callable[[], Bound]


def _divided(
    name: str, operation: Callable[[Interval, Interval, Interval], Interval]
) -> Callable[["Boxes", Bound, Bound], Bound]:
    """Builds the method of a division, given the intervals of both sides, and that of the divisor without 0."""

    def divided(boxes: "Boxes", a: Bound, b: Bound) -> Bound:
        if not _is_bound(a, b):
            return boxes.of_points(name, a, b)
        left, right = Interval.of(a), Interval.of(b)
        return operation(left, right, boxes.guarded(functions.divisor(right)))

    return divided


def _of_library(name: str, bound: Callable[[Interval], tuple[Interval, Value]]) -> Callable[["Boxes", Bound], Bound]:
    """Builds the method that applies a function of the C library to a number or to bounds."""

    def applied(boxes: "Boxes", x: Bound) -> Bound:
        if boxes.folds and not _is_bound(x):
            return boxes.of_points(name, x)
        return boxes.guarded(bound(Interval.of(x)))

    return applied


def _stepped(name: str) -> Callable[["Boxes", Bound], Bound]:
    """Builds the method that rounds to a whole number, as that of `Lanes` does."""

    def stepped(boxes: "Boxes", x: Bound) -> Bound:
        return functions.stepped(x, getattr(Lanes, name)) if _is_bound(x) else boxes.of_points(name, x)

    return stepped


def _extreme(name: str, of: Callable[[Array, Array], Array]) -> Callable[..., Bound]:
    """Builds the method of the least or the greatest."""

    def extreme(boxes: "Boxes", *values: Bound) -> Bound:
        return functions.extreme(of, values) if _is_bound(*values) else boxes.of_points(name, *values)

    return extreme


class Boxes:
    """Holds the givens of some boxes, the boxes active in the current branch, and those where something may fail."""

    def __init__(
        self,
        given: Mapping[str, Bound],
        divisor: Callable[[float, float], float],
        ranges: Mapping[str, tuple[float, float]] = {},
        *,
        folds: bool = False,
    ) -> None:
        """Start with all boxes; `divisor` finds one largest divisor, `ranges` are those of defaults.

        Where a program `folds`, what it computes of plain numbers is a plain number, as it computes it here; else it
        is bounded, since a value that lies within may have been computed by another library of functions.
        """
        self.folds = folds
        self._given = given
        self._ranges = ranges
        self._point = Lanes({}, divisor)
        self._active: Value = True
        self.failing: Value = False

    # -- inputs

    def is_given(self, name: str) -> Flag:
        """Whether an input has a value of its own."""
        value = self._given.get(name, math.nan)
        if not isinstance(value, Interval | Words):
            return value == value  # noqa: PLR0124 - nan alone differs from itself
        there = ~value.is_empty if isinstance(value, Interval) else value.bits & ~ABSENT != 0
        return flag(there, value.absent)

    def supplied(self, name: str, default: Compute) -> Bound:
        """The value given, or the default where there may be none."""

        def fit() -> Bound:
            value = default()
            ends = self._ranges.get(name)
            return functions.between(value, *ends) if ends and isinstance(value, Interval) else value

        return self.where(self.is_given(name), lambda: _present(self._given[name]), fit)

    supplied_flag = supplied

    # -- branches

    def where(self, condition: Flag, then: Compute, otherwise: Compute) -> Bound:
        """Selects box by box, and joins both branches where either may be taken."""
        if not isinstance(condition, Words):
            return then() if condition else otherwise()
        taking, refusing = self._active & may_hold(condition), self._active & may_fail(condition)
        if not np.any(refusing):
            return self._branch(then, taking, condition.if_true)
        if not np.any(taking):
            return self._branch(otherwise, refusing, condition.if_false)
        taken = self._branch(then, taking, (Fact(condition, "in", TRUE), *condition.if_true))
        refused = self._branch(otherwise, refusing, (Fact(condition, "not in", TRUE), *condition.if_false))
        return either_of(taken, refused, taking, refusing)

    def within(self, condition: Flag, then: Compute, otherwise: Compute) -> Bound:
        """The bound of a value that is read only where the condition holds."""
        if not isinstance(condition, Words):
            return then() if condition else otherwise()
        taking = self._active & may_hold(condition)
        return self._branch(then, taking, condition.if_true) if np.any(taking) else otherwise()

    def _branch(self, compute: Compute, boxes: Array, facts: tuple[Fact, ...]) -> Bound:
        """Computes a branch for the boxes that may take it, with values narrowed by these facts."""
        outer, self._active = self._active, boxes
        before = narrow(facts)
        value = compute()
        value = value.copy() if isinstance(value, Interval | Words) else value
        restore(before)
        self._active = outer
        return value

    def both(self, left: Flag, right: Compute) -> Flag:
        """`and`."""
        if not isinstance(left, Words):
            return right() if left else False
        second = self._branch(right, self._active & may_hold(left), left.if_true)
        true = may_hold(left) & may_hold(second)
        found = flag(true, may_fail(left) | (may_hold(left) & may_fail(second)))
        if isinstance(found, Words):
            found.if_true = (*left.if_true, *(second.if_true if isinstance(second, Words) else ()))
        return found

    def either(self, left: Flag, right: Compute) -> Flag:
        """`or`."""
        if not isinstance(left, Words):
            return True if left else right()
        second = self._branch(right, self._active & may_fail(left), left.if_false)
        false = may_fail(left) & may_fail(second)
        found = flag(may_hold(left) | (may_fail(left) & may_hold(second)), false)
        if isinstance(found, Words):
            found.if_false = (*left.if_false, *(second.if_false if isinstance(second, Words) else ()))
        return found

    def pick(self, subject: Bound, *arms: tuple[list[Bound], Compute]) -> Bound:
        """The value of the first arm that the subject fits; absent if it fits none."""
        if not arms:
            return math.nan
        (patterns, value), *others = arms
        fits = subject.among(patterns) if isinstance(subject, Words) else self._is_one(subject, patterns)
        return self.where(fits, value, lambda: self.pick(subject, *others))

    def _is_one(self, subject: Bound, patterns: list[Bound]) -> Flag:
        first, *others = patterns
        return self.either(subject == first, lambda: self._is_one(subject, others)) if others else subject == first

    @staticmethod
    def opposite(value: Flag) -> Flag:
        """`not`."""
        return opposite(value)

    @staticmethod
    def one_if(value: Flag) -> Bound:
        """1 where the flag holds, else 0."""
        if not isinstance(value, Words):
            return float(value)
        low, high = np.where(may_fail(value), 0.0, 1.0), np.where(may_hold(value), 1.0, 0.0)
        return Interval(low, high, whole=True).without(value.bits == 0)

    # -- arithmetic that may fail

    def _fail(self, bad: Value) -> None:
        bad = bad & self._active
        if np.any(bad):
            self.failing = self.failing | bad

    def of_points(self, name: str, *values: float) -> Bound:
        """The operation on plain numbers."""
        self._point.failed = False
        found = getattr(self._point, name)(*values)
        if np.any(self._point.failed):
            self._fail(bad=True)
            return EMPTY
        return float(found)

    def guarded(self, found: tuple[Interval, Value]) -> Interval:
        """Unpacks a bound, and marks the boxes where the function may fail."""
        self._fail(found[1])
        return found[0]

    divide = _divided("divide", functions.related_quotient)
    remainder = _divided("remainder", lambda x, _, y: functions.remainder(x, y))
    floordiv = _divided("floordiv", lambda x, _, y: functions.whole_quotient(x, y))
    ceildiv = _divided("ceildiv", lambda x, _, y: -functions.whole_quotient(-x, y))

    def power(self, base: Bound, exponent: Bound) -> Bound:
        """`base ** exponent`, real."""
        if self.folds and not _is_bound(base, exponent):
            return self.of_points("power", base, exponent)
        if not isinstance(exponent, Interval):
            return self.guarded(functions.raised(Interval.of(base), exponent))
        return self.guarded(functions.power(Interval.of(base), exponent))

    exp = _of_library("exp", lambda x: functions.exponential(x, np.exp, 0.0))
    expm1 = _of_library("expm1", lambda x: functions.exponential(x, np.expm1, -np.inf))
    log = _of_library("log", lambda x: functions.logarithm(x, np.log))
    log2 = _of_library("log2", lambda x: functions.logarithm(x, np.log2))
    log1p = _of_library("log1p", functions.logarithm_of_1_and)

    def sqrt(self, x: Bound) -> Bound:
        """The square root."""
        return self.guarded(functions.root(x)) if _is_bound(x) else self.of_points("sqrt", x)

    def largest_divisor(self, n: Bound, at_most: Bound) -> Bound:
        """The largest divisor of n that is not above the bound."""
        if not _is_bound(n, at_most):
            return self.of_points("largest_divisor", n, at_most)
        return self.guarded(
            functions.largest_divisor(Interval.of(n), Interval.of(at_most), self._point.largest_divisor)
        )

    # -- arithmetic that cannot fail

    def absolute(self, x: Bound) -> Bound:
        """The absolute value."""
        return functions.absolute(x) if _is_bound(x) else abs(x)

    ceil = _stepped("ceil")
    floor = _stepped("floor")
    round = _stepped("round")
    minimum = _extreme("minimum", np.minimum)  # nan wins
    maximum = _extreme("maximum", np.maximum)

    def months_later(self, date: Bound, months: Bound) -> Bound:
        """The date moved by whole months of the calendar."""
        if not _is_bound(date, months):
            return self.of_points("months_later", date, months)
        return functions.months_moved(Interval.of(date), Interval.of(months))

    @staticmethod
    def added(*values: Bound) -> Bound:
        """Terms added from left to right."""
        return reduce(add, values)

    def largest(self, *values: Bound) -> Bound:
        """The place of the largest, the first of equal ones."""
        return functions.largest(values) if _is_bound(*values) else self._point.largest(*values)


_MISSING = [operation for operation in OPERATIONS if not hasattr(Boxes, operation)]
if _MISSING:
    raise TypeError(f"Boxes lacks the operation {', '.join(_MISSING)}, which `printing.numpy` writes")


def _is_bound(*values: Bound) -> bool:
    """Whether one of these is an interval."""
    return any(isinstance(value, Interval) for value in values)


def _present(value: Bound) -> Bound:
    """The bound without the possibility of being absent."""
    if isinstance(value, Interval):
        return Interval(value.low, value.high, whole=value.whole)
    return Words(value.bits & ~ABSENT) if isinstance(value, Words) else value
