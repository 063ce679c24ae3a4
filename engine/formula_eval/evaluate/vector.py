"""Implements the operations of generated `vector` functions on arrays of configurations.

A lane is one configuration. An operation that fails in a lane (a division by zero, a logarithm of 0) marks the lane
as failed, unless the lane is in a branch that it did not take; nothing here raises for what a lane holds.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from operator import add, or_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from formula_eval.evaluate.lane_rounding import months_later, nearest, rest_of, whole_above, whole_below, whole_parts
from formula_eval.printing.numpy import OPERATIONS

Array = NDArray[Any]
Value = Any  # a plain number or flag, or an array of them


def _valid_above(
    function: Callable[[Value], Value], fails: Callable[[Value], Value]
) -> Callable[["Lanes", Value], Value]:
    """Builds the method of a function that fails where its argument is too small."""
    return lambda lanes, x: function(lanes.valid(x, fails(x)))


class Lanes:
    """The givens of one block, the lanes that a branch has taken, and the lanes that failed."""

    def __init__(self, given: Mapping[str, Value], divisor: Callable[[float, float], float]) -> None:
        """Start with all lanes; `divisor` finds one largest divisor."""
        self.given = given
        self._divisor = divisor
        self._mask: Value = True
        self.failed: Value = False

    # -- inputs

    def is_given(self, name: str) -> Value:
        """Whether an input has a value of its own; a lane with nan has none."""
        value = self.given.get(name, math.nan)
        return value == value  # noqa: PLR0124 - nan alone differs from itself

    def supplied(self, name: str, default: Callable[[], Value]) -> Value:
        """The value given, else the default."""
        return self.where(self.is_given(name), lambda: self.given[name], default)

    def supplied_flag(self, name: str, default: Callable[[], Value]) -> Value:
        """The same for a flag, as an array of bool where no lane lacks it."""
        value = self.supplied(name, default)
        if isinstance(value, np.ndarray) and value.dtype != bool and not np.isnan(value).any():
            return value.astype(bool)
        return value

    # -- branches

    def where(self, condition: Value, then: Callable[[], Value], otherwise: Callable[[], Value]) -> Value:
        """Selects lane by lane; computes only one branch if no active lane takes the other."""
        if not isinstance(condition, np.ndarray):
            return then() if condition else otherwise()
        outer = self._mask
        refusing = outer & ~condition
        if not refusing.any():
            return then()
        taking = outer & condition
        if not taking.any():
            return otherwise()
        self._mask = taking
        taken = then()
        self._mask = refusing
        refused = otherwise()
        self._mask = outer
        return self.joined(condition, taken, refused)

    joined = staticmethod(np.where)
    within = where  # of what is read only where the condition holds

    def both(self, left: Value, right: Callable[[], Value]) -> Value:
        """`and`."""
        return self.where(left, right, lambda: False)

    def either(self, left: Value, right: Callable[[], Value]) -> Value:
        """`or`."""
        return self.where(left, lambda: True, right)

    def pick(self, subject: Value, *arms: tuple[list[Value], Callable[[], Value]]) -> Value:
        """The value of the first arm whose patterns the subject fits; absent if it fits none."""
        if not arms:
            return math.nan
        (patterns, value), *others = arms
        fits = reduce(or_, (subject == pattern for pattern in patterns))
        return self.where(fits, value, lambda: self.pick(subject, *others))

    @staticmethod
    def opposite(flag: Value) -> Value:
        """`not`."""
        return ~flag if isinstance(flag, np.ndarray) else not flag

    @staticmethod
    def one_if(flag: Value) -> Value:
        """1 where the flag holds, else 0."""
        return flag.astype(float) if isinstance(flag, np.ndarray) else float(flag)

    # -- arithmetic that may fail

    def _fail(self, bad: Value) -> None:
        bad = bad & self._mask
        if np.any(bad):
            self.failed = self.failed | bad

    def valid(self, x: Value, bad: Value) -> Value:
        """The numbers, with nan in place of bad ones, whose lanes are marked as failed."""
        if not (bad.any() if isinstance(bad, np.ndarray) else bad):
            return x
        self._fail(bad)
        return np.where(bad, np.nan, x)

    def divide(self, a: Value, b: Value) -> Value:
        """`a / b`."""
        return a / self.valid(b, b == 0.0)

    def remainder(self, a: Value, b: Value) -> Value:
        """`a % b`, with the sign of b."""
        return rest_of(a, self.valid(b, b == 0.0))

    def floordiv(self, a: Value, b: Value) -> Value:
        """`a / b`, rounded down, exactly."""
        return whole_parts(a, self.valid(b, b == 0.0))

    def ceildiv(self, a: Value, b: Value) -> Value:
        """`a / b`, rounded up, exactly."""
        return -whole_parts(-a, self.valid(b, b == 0.0))

    def power(self, base: Value, exponent: Value) -> Value:
        """`base ** exponent`, real."""
        if not (isinstance(exponent, float) and exponent >= 0.0 and exponent.is_integer()):
            broken = (base < 0.0) & (exponent % 1.0 != 0.0)
            base = self.valid(base, broken | ((base == 0.0) & (exponent < 0.0)))
        return self._finite(np.asarray(base, float) ** exponent, base, exponent)

    def exp(self, x: Value) -> Value:
        """Euler's number to the power of x."""
        return self._finite(np.exp(x), x)

    def expm1(self, x: Value) -> Value:
        """Euler's number to the power of x, less 1."""
        return self._finite(np.expm1(x), x)

    def _finite(self, result: Value, *arguments: Value) -> Value:
        """The results, with lanes marked as failed where they are infinite and no argument was."""
        over = np.isinf(result)
        if over.any():
            self._fail(reduce(np.logical_and, (np.isfinite(argument) for argument in arguments), over))
        return result

    sqrt = _valid_above(np.sqrt, lambda x: x < 0.0)
    log = _valid_above(np.log, lambda x: x <= 0.0)
    log2 = _valid_above(np.log2, lambda x: x <= 0.0)
    log1p = _valid_above(np.log1p, lambda x: x <= -1.0)

    # -- arithmetic that cannot fail

    absolute = staticmethod(np.absolute)

    ceil = staticmethod(whole_above)
    floor = staticmethod(whole_below)
    round = staticmethod(nearest)
    months_later = staticmethod(months_later)

    @staticmethod
    def minimum(*values: Value) -> Value:
        """The least; nan wins."""
        return reduce(np.minimum, values)

    @staticmethod
    def maximum(*values: Value) -> Value:
        """The greatest; nan wins."""
        return reduce(np.maximum, values)

    @staticmethod
    def added(*values: Value) -> Value:
        """Terms added from left to right."""
        return reduce(add, values)

    @staticmethod
    def largest(*values: Value) -> Value:
        """The place of the largest, the first of equal ones."""
        places = np.stack(np.broadcast_arrays(*values))
        absent = np.isnan(places).any(axis=0)
        most = places.argmax(axis=0)
        return np.where(absent, np.nan, most) if absent.any() else most

    def largest_divisor(self, n: Value, at_most: Value) -> Value:
        """The largest divisor of n that is not above the bound, found once for each pair of values."""
        broken = (n < 1.0) | (n % 1.0 > 0.0) | (n > 2.0**40)
        n = self.valid(n, broken & (at_most == at_most))  # noqa: PLR0124 - an absent bound gives nothing, not a failure
        numbers, rows = _numbered(n)
        bounds, columns = _numbered(at_most)
        pairs, places = _numbered(rows * len(bounds) + columns)
        found = [self._divisor(numbers[int(p) // len(bounds)], bounds[int(p) % len(bounds)]) for p in pairs]
        return np.array(found, float)[places]


_MISSING = [operation for operation in OPERATIONS if not hasattr(Lanes, operation)]
if _MISSING:
    raise TypeError(f"Lanes lacks the operation {', '.join(_MISSING)}, which `printing.numpy` writes")


def _numbered(x: Value) -> tuple[list[float], Array]:
    """The distinct values, and for each lane the index of its value."""
    different, places = np.unique(np.asarray(x, float), return_inverse=True)
    return different.tolist(), places.reshape(np.shape(x))


class Kept(dict[str, Value]):
    """Keeps only the named results of a generated function, so that all others are freed early."""

    def __init__(self, names: Iterable[str]) -> None:
        """Keep these."""
        super().__init__()
        self._names = frozenset(names)

    def __setitem__(self, name: str, value: Value) -> None:
        """Keep a value if it is wanted."""
        if name in self._names:
            super().__setitem__(name, value)


def array_of(kind: str, value: Value) -> Value:
    """Converts a given to the form in which programs compute: a float, flag or index, or an array of them."""
    held = np.asarray(value)
    if kind == "flag" and held.dtype != bool and not np.isnan(held).any():
        held = held.astype(bool)
    elif kind == "number":
        held = held.astype(float, copy=False)
    return held if held.ndim else held.item()
