"""Gives computed values Python's arithmetic and comparison, which yield plain numbers in base units."""

import math
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.core.quantity import Quantified

_Plain = float | int | bool | str | None
_Operation = Callable[[Any, Any], Any]


def _forward(operation: _Operation, *, alike: bool = False) -> Callable[["ArithmeticValue", Any], Any]:
    """Builds the operator method with the value as left operand; `alike` requires operands of one dimension."""

    def apply(self: "ArithmeticValue", other: Any) -> Any:  # noqa: ANN401 - any number, an array too
        return operation(self.as_number(), self.operand(other, alike=alike))

    return apply


def _backward(operation: _Operation) -> Callable[["ArithmeticValue", Any], Any]:
    """Builds the reflected method, with the value as right operand and a plain number as left one."""

    def apply(self: "ArithmeticValue", other: Any) -> Any:  # noqa: ANN401 - any number, an array too
        return operation(other, self.as_number())

    return apply


def _alone(operation: Callable[..., Any]) -> Callable[..., Any]:
    """Builds the method of an operation on the number by itself; `round` may be told how many digits."""

    def apply(self: "ArithmeticValue", *more: int | None) -> Any:  # noqa: ANN401 - a number, whole or not
        return operation(self.as_number(), *more)

    return apply


class ArithmeticValue(ABC):
    """A value that takes part in arithmetic in its base unit (byte, FLOP, s, USD, J).

    What comes out is a plain number. Values of two dimensions, seconds and bytes, are neither added nor compared;
    a plain number is taken to be in the base unit. A word or an absent value takes no arithmetic.
    """

    __slots__ = ()

    name: str
    value: _Plain
    quantity: Quantified
    why: str

    @property
    @abstractmethod
    def plain(self) -> _Plain:
        """The value, `inf` where it is infinite, None where it is absent."""

    def as_number(self) -> float:
        """The value in base units; raises FormulaError for a word and for what is absent."""
        plain = self.plain
        if plain is None:
            raise refuse("absent-value", self.why or f"`{self.name}` is absent", help="`.value` is None then.")
        if isinstance(plain, str):
            message = f"`{self.name}` is the word `{plain}`, not a number"
            raise refuse("not-a-number", message, help=f"Compare it with a word: == {plain!r}.")
        return plain

    def operand(self, other: Any, *, alike: bool) -> Any:  # noqa: ANN401 - any number, an array too
        """The other side of an operation as a plain number; raises FormulaError where dimensions differ."""
        if not isinstance(other, ArithmeticValue):
            return other
        if alike and not self._is_like(other):
            raise self._unlike(other)
        return other.as_number()

    def _is_like(self, other: "ArithmeticValue") -> bool:
        mine, theirs = self.quantity.dimension, other.quantity.dimension
        return not mine or not theirs or mine == theirs

    def _unlike(self, other: "ArithmeticValue") -> FormulaError:
        mine, theirs = (
            arithmetic_value.quantity.unit or arithmetic_value.quantity.dimension for arithmetic_value in (self, other)
        )
        message = f"`{self.name}` is in {mine} and `{other.name}` in {theirs}, which are not added or compared"
        return refuse("unit-mismatch", message, help="`.value` is the plain number.")

    __add__ = _forward(operator.add, alike=True)
    __sub__ = _forward(operator.sub, alike=True)
    __mod__ = _forward(operator.mod, alike=True)
    __mul__ = _forward(operator.mul)
    __truediv__ = _forward(operator.truediv)
    __floordiv__ = _forward(operator.floordiv)
    __pow__ = _forward(operator.pow)
    __divmod__ = _forward(divmod, alike=True)
    __lt__ = _forward(operator.lt, alike=True)
    __le__ = _forward(operator.le, alike=True)
    __gt__ = _forward(operator.gt, alike=True)
    __ge__ = _forward(operator.ge, alike=True)
    __radd__ = _backward(operator.add)
    __rsub__ = _backward(operator.sub)
    __rmod__ = _backward(operator.mod)
    __rmul__ = _backward(operator.mul)
    __rtruediv__ = _backward(operator.truediv)
    __rfloordiv__ = _backward(operator.floordiv)
    __rpow__ = _backward(operator.pow)
    __rdivmod__ = _backward(divmod)

    __neg__ = _alone(operator.neg)
    __pos__ = _alone(operator.pos)
    __abs__ = _alone(abs)
    __round__ = _alone(round)
    __floor__ = _alone(math.floor)
    __ceil__ = _alone(math.ceil)
    __float__ = _alone(float)
    __int__ = _alone(int)

    def __index__(self) -> int:
        """A whole number, for `range` and the like; raises TypeError for any other."""
        number = self.as_number()
        if not isinstance(number, int):
            raise TypeError(f"`{self.name}` = {number!r} is not a whole number")
        return number

    def __bool__(self) -> bool:
        """False for a false flag, for 0 and for an absent value; True for anything else."""
        return bool(self.plain)

    def __eq__(self, other: object) -> bool:
        """Whether it is this number, word or flag; values of two dimensions are never equal."""
        if isinstance(other, ArithmeticValue):
            return self._is_like(other) and self.plain == other.plain
        return bool(self.plain == other)

    def __hash__(self) -> int:
        """The hash of the plain value, to which this one compares equal."""
        return hash(self.plain)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:  # noqa: ANN401, FBT001 - what NumPy asks for
        """A zero-dimensional array, so that NumPy treats the value as a number."""
        from numpy import array  # noqa: PLC0415 - only where NumPy is already there

        return array(self.plain, dtype=dtype, copy=copy if copy is not None else True)
