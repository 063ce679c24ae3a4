"""Another machine's library of functions: `exp`, `ln`, `log2` and powers that come out a last bit or two elsewhere."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from formula_eval.evaluate.vector import Lanes

_MOST = 2  # of the last bits: as far as NumPy with AVX-512 was seen from the C library
_SQUARED = 2.0**26.5  # whole numbers up to this have exact squares everywhere


class MovedLanes(Lanes):
    """Lanes in which what a library computes is moved by a bit or two at random, unless C says what it is."""

    def __init__(
        self, given: Mapping[str, Any], divisor: Callable[[float, float], float], draw: np.random.Generator
    ) -> None:
        """Move by this draw."""
        super().__init__(given, divisor)
        self._draw = draw

    def power(self, base: Any, exponent: Any) -> Any:
        """A power."""
        is_square = (exponent == 2) & (np.floor(base) == base) & (np.absolute(base) <= _SQUARED)
        told = (exponent == 0) | (exponent == 1) | (base == 0) | (base == 1) | is_square
        return self._finite(self._moved(super().power(base, exponent), told | np.isinf(base)), base, exponent)

    def exp(self, x: Any) -> Any:
        """An exponent."""
        return self._finite(self._moved(super().exp(x), (x == 0) | np.isinf(x)), x)

    def log(self, x: Any) -> Any:
        """A natural logarithm."""
        return self._moved(super().log(x), (x == 1) | np.isinf(x))

    def log2(self, x: Any) -> Any:
        """A logarithm to the base 2."""
        return self._moved(super().log2(x), (x == 1) | np.isinf(x))

    def expm1(self, x: Any) -> Any:
        """An exponent, less 1."""
        return self._finite(self._moved(super().expm1(x), (x == 0) | np.isinf(x)), x)

    def log1p(self, x: Any) -> Any:
        """A natural logarithm of 1 and something."""
        return self._moved(super().log1p(x), (x == 0) | np.isinf(x))

    def _moved(self, value: Any, told: Any) -> Any:
        steps = self._draw.integers(-_MOST, _MOST, size=np.shape(value), endpoint=True)
        moved = value
        for step in range(_MOST):
            moved = np.where(steps > step, np.nextafter(moved, np.inf), moved)
            moved = np.where(-steps > step, np.nextafter(moved, -np.inf), moved)
        passes_0 = np.signbit(moved) != np.signbit(value)  # none gives a power of another sign
        return np.where(told | passes_0, value, moved)
