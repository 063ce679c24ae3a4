"""How far rounding may take each value of a program: its condition, computed beside it to the first order.

Every operation may be off by half an ulp and every function of a library by two, as those of processors with wide
vectors are. What that makes of the values behind it follows from the derivative of each operation at its place.
"""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from formula_eval.evaluate.batch import held_arrays
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.vector import Kept, Lanes

HALF_ULP = 2.0**-53
OF_FUNCTIONS = 4 * HALF_ULP  # two ulp
WHOLE_BELOW = 2.0**53
NEAR = 1e-9  # what is as near to a whole number is rounded as that one
Value = Any


class Rounded(NamedTuple):
    """A number of each lane, and by how much it may be off."""

    value: Value
    error: Value

    __array_ufunc__ = None  # an array on the left leaves the operation to what follows
    __hash__ = tuple.__hash__

    @classmethod
    def of(cls, x: Value) -> "Rounded":
        """What it is already, or a number that stands in a formula: a broken one is itself rounded."""
        if isinstance(x, Rounded):
            return x
        held = np.asarray(x, float)
        return cls(held, np.where((held % 1 == 0) | np.isinf(held), 0.0, HALF_ULP * np.abs(held)))

    def __neg__(self) -> "Rounded":
        return Rounded(-self.value, self.error)

    def __add__(self, other: Value) -> "Rounded":
        b = Rounded.of(other)
        return _rounded(self, b, self.value + b.value, self.error + b.error)

    __radd__ = __add__

    def __sub__(self, other: Value) -> "Rounded":
        return self + -Rounded.of(other)

    def __rsub__(self, other: Value) -> "Rounded":
        return Rounded.of(other) + -self

    def __mul__(self, other: Value) -> "Rounded":
        b = Rounded.of(other)
        error = np.abs(self.value) * b.error + np.abs(b.value) * self.error + self.error * b.error
        return _rounded(self, b, self.value * b.value, error)

    __rmul__ = __mul__

    def __truediv__(self, other: Value) -> "Rounded":
        b = Rounded.of(other)
        value = self.value / b.value
        least = np.maximum(np.abs(b.value) - b.error, 0.0)
        return _rounded(self, b, value, (self.error + np.abs(value) * b.error) / least)

    def __rtruediv__(self, other: Value) -> "Rounded":
        return Rounded.of(other) / self

    def __lt__(self, other: Value) -> Value:
        return self.value < _value(other)

    def __le__(self, other: Value) -> Value:
        return self.value <= _value(other)

    def __gt__(self, other: Value) -> Value:
        return self.value > _value(other)

    def __ge__(self, other: Value) -> Value:
        return self.value >= _value(other)

    def __eq__(self, other: object) -> Value:  # type: ignore[override]
        return self.value == _value(other)

    def __ne__(self, other: object) -> Value:  # type: ignore[override]
        return self.value != _value(other)


def _value(x: Value) -> Value:
    return x.value if isinstance(x, Rounded) else x


def _rounded(a: Rounded, b: Rounded, value: Value, error: Value) -> Rounded:
    """The result of an operation, rounded once unless whole numbers made a whole one."""
    exact = (error == 0) & (a.value % 1 == 0) & (b.value % 1 == 0) & (value % 1 == 0)
    exact = exact & (np.abs(a.value) < WHOLE_BELOW) & (np.abs(value) < WHOLE_BELOW)
    return Rounded(value, np.where(exact | ~np.isfinite(value), 0.0, error + HALF_ULP * np.abs(value)))


class RoundedLanes(Lanes):
    """Lanes whose numbers say how far they may be off."""

    def supplied(self, name: str, default: Callable[[], Value]) -> Value:
        """A given is exact."""
        found = super().supplied(name, default)
        plain = isinstance(found, Rounded) or np.asarray(found).dtype == bool
        return found if plain else Rounded(np.asarray(found, float), np.zeros(np.shape(found)))

    def supplied_flag(self, name: str, default: Callable[[], Value]) -> Value:
        """A flag has no rounding."""
        found = Lanes.supplied(self, name, default)
        held = np.asarray(_value(found))
        return held.astype(bool) if held.dtype != bool and not np.isnan(held).any() else held

    @staticmethod
    def joined(condition: Value, taken: Value, refused: Value) -> Value:
        """Lane by lane one of two."""
        if not isinstance(taken, Rounded) and not isinstance(refused, Rounded):
            return np.where(condition, taken, refused)
        a, b = Rounded.of(taken), Rounded.of(refused)
        return Rounded(np.where(condition, a.value, b.value), np.where(condition, a.error, b.error))

    def divide(self, a: Value, b: Value) -> Rounded:
        """`a / b`."""
        dividend, divisor = Rounded.of(a), Rounded.of(b)
        super().divide(dividend.value, divisor.value)
        return dividend / divisor

    def remainder(self, a: Value, b: Value) -> Rounded:
        """`a % b`; by as much as its divisor, where the quotient may be another."""
        x, y = Rounded.of(a), Rounded.of(b)
        rest, quotient = super().remainder(x.value, y.value), Rounded(x.value, x.error) / y
        return Rounded(rest, x.error + np.abs(y.value * _steps(np.floor, quotient)) + np.abs(quotient.value) * y.error)

    def floordiv(self, a: Value, b: Value) -> Rounded:
        """`a / b`, rounded down."""
        return self._parts(super().floordiv, a, b)

    def ceildiv(self, a: Value, b: Value) -> Rounded:
        """`a / b`, rounded up."""
        return self._parts(super().ceildiv, a, b)

    def _parts(self, step: Callable[[Value, Value], Value], a: Value, b: Value) -> Rounded:
        x, y = Rounded.of(a), Rounded.of(b)
        return Rounded(step(x.value, y.value), _steps(np.floor, x / y))

    def power(self, base: Value, exponent: Value) -> Rounded:
        """`base ** exponent`."""
        x, y = Rounded.of(base), Rounded.of(exponent)
        value = super().power(x.value, _value(exponent))
        spread = np.where((y.error > 0) & (value != 0), np.abs(np.log(np.abs(x.value))) * y.error, 0.0)
        slope = np.where(x.value == 0, np.abs(x.error) ** (y.value - 1), np.abs(value * y.value / x.value))
        error = np.where(x.error > 0, slope * x.error, 0.0) + np.abs(value) * spread
        square = (y.value == 2) & (x.value % 1 == 0) & (np.abs(value) < WHOLE_BELOW)
        told = (y.value == 0) | (y.value == 1) | (x.value == 0) | (x.value == 1) | square
        return self._of_function(value, error, told & (y.error == 0))

    def exp(self, x: Value) -> Rounded:
        """Grows by its own size."""
        of = Rounded.of(x)
        value = super().exp(of.value)
        return self._of_function(value, np.where(of.error > 0, value * np.expm1(of.error), 0.0), of.value == 0)

    def expm1(self, x: Value) -> Rounded:
        """As fast as the exponent, and near 0 as its argument."""
        of = Rounded.of(x)
        value = super().expm1(of.value)
        error = np.where(of.error > 0, (value + 1.0) * np.expm1(of.error), 0.0)
        return self._of_function(value, error, of.value == 0)

    def log1p(self, x: Value) -> Rounded:
        """The natural logarithm of 1 and something."""
        of = Rounded.of(x)
        return self._of_function(super().log1p(of.value), of.error / (1.0 + of.value), of.value == 0)

    def sqrt(self, x: Value) -> Rounded:
        """Near 0 a root is off by the root of what its argument is off by."""
        of = Rounded.of(x)
        value = super().sqrt(of.value)
        less = of.value - of.error
        error = np.where(less > 0, value - np.sqrt(np.maximum(less, 0.0)), np.sqrt(of.value + of.error))
        return _rounded(of, of, value, np.where(of.error > 0, error, 0.0))

    def log(self, x: Value) -> Rounded:
        """The natural logarithm."""
        of = Rounded.of(x)
        return self._of_function(super().log(of.value), of.error / of.value, of.value == 1)

    def log2(self, x: Value) -> Rounded:
        """The logarithm to the base 2."""
        of = Rounded.of(x)
        return self._of_function(super().log2(of.value), of.error / of.value / np.log(2.0), of.value == 1)

    @staticmethod
    def _of_function(value: Value, error: Value, exact: Value) -> Rounded:
        """What a library computes: the same in every one where C says what it is (`exact`)."""
        sure = (exact & (error == 0)) | ~np.isfinite(value)
        return Rounded(value, np.where(sure, 0.0, error + OF_FUNCTIONS * np.abs(value)))

    @staticmethod
    def absolute(x: Value) -> Rounded:
        """Without the sign."""
        of = Rounded.of(x)
        return Rounded(np.abs(of.value), of.error)

    def ceil(self, x: Value) -> Rounded:
        """Upwards."""
        return self._stepped(Lanes.ceil, x)

    def floor(self, x: Value) -> Rounded:
        """Downwards."""
        return self._stepped(Lanes.floor, x)

    def round(self, x: Value) -> Rounded:
        """To the nearest."""
        return self._stepped(Lanes.round, x)

    @staticmethod
    def _stepped(step: Callable[[Value], Value], x: Value) -> Rounded:
        """By as much as the steps that may lie within the error."""
        of = Rounded.of(x)
        return Rounded(step(of.value), _steps(step, of))

    @staticmethod
    def minimum(*values: Value) -> Rounded:
        """The least; of two that cannot be told apart, the worse."""
        return -reduce(_greater, (-Rounded.of(each) for each in values))

    @staticmethod
    def maximum(*values: Value) -> Rounded:
        """The greatest."""
        return reduce(_greater, map(Rounded.of, values))

    def largest(self, *values: Value) -> Value:
        """The place of the largest."""
        return super().largest(*map(_value, values))

    def largest_divisor(self, n: Value, at_most: Value) -> Value:
        """The divisor of what is whole."""
        return super().largest_divisor(_value(n), _value(at_most))


def _greater(a: Rounded, b: Rounded) -> Rounded:
    value = np.maximum(a.value, b.value)
    near = np.abs(a.value - b.value) <= a.error + b.error
    error = np.where(a.value >= b.value, a.error, b.error)
    return Rounded(value, np.where(near, np.maximum(a.error, b.error), error))


def _steps(step: Callable[[Value], Value], x: Rounded) -> Value:
    """How many steps lie within the error of a number: none, where it is taken for a whole one."""
    whole = np.abs(x.value - np.rint(x.value)) <= NEAR * np.maximum(np.abs(x.value), 1.0)
    return np.where(whole, 0.0, np.nan_to_num(step(x.value + x.error) - step(x.value - x.error)))


def errors_of(program: Program, givens: Mapping[str, Value], shape: tuple[int, ...]) -> dict[str, Value]:
    """By how much each wanted value of a program may be off, for all lanes."""
    kept = Kept(program.wanted)
    with np.errstate(all="ignore"):
        program.vector(RoundedLanes(held_arrays(program, givens), program.largest_divisor), kept)
        found = {name: Rounded.of(kept[name]) for name in program.wanted}
        assert all(np.isfinite(each.error[np.isfinite(each.value)]).all() for each in found.values())
    return {name: np.broadcast_to(each.error, shape) for name, each in found.items()}
