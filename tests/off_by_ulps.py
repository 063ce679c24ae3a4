"""Functions of a library that are an ulp or two off, as those of another processor are: the same way each time."""

from collections.abc import Callable
from typing import Any

import numpy as np

from formula_eval.evaluate.vector import Lanes

MOST = 2
Value = Any


class OtherProcessor(Lanes):
    """Lanes on a processor whose `exp`, logarithms and powers round another way."""

    seed = 0

    def exp(self, x: Value) -> Value:
        """1 of 0 everywhere."""
        return self._moved(super().exp(x), x == 0)

    def log(self, x: Value) -> Value:
        """0 of 1 everywhere."""
        return self._moved(super().log(x), x == 1)

    def log2(self, x: Value) -> Value:
        """Whole of a power of two everywhere."""
        found = super().log2(x)
        return self._moved(found, found % 1 == 0)

    def power(self, base: Value, exponent: Value) -> Value:
        """Squares and inverses are products, and whole powers of whole numbers whole, everywhere."""
        found = super().power(base, exponent)
        whole = (np.asarray(base) % 1 == 0) & (found % 1 == 0) & (np.abs(found) < 2.0**53)
        return self._moved(found, whole | np.isin(exponent, (-1, 0, 0.5, 1, 2)))

    def _moved(self, x: Value, exact: Value) -> Value:
        return np.where(exact | ~np.isfinite(x), x, moved(x, self.seed))


def moved(x: Value, seed: int) -> Value:
    """Numbers, each up to two ulp off by what its own bits and the seed say."""
    bits = np.ascontiguousarray(x, float).view(np.uint64).reshape(np.shape(x))
    mixed = (bits ^ np.uint64(seed * 0x9E3779B97F4A7C15 % 2**64)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(31))) * np.uint64(0x94D049BB133111EB)
    steps = (mixed >> np.uint64(40)).astype(np.int64) % (2 * MOST + 1) - MOST
    found = np.asarray(x, float)
    for _ in range(MOST):
        found = np.where(
            steps > 0, np.nextafter(found, np.inf), np.where(steps < 0, np.nextafter(found, -np.inf), found)
        )
        steps = steps - np.sign(steps)
    return found


def on_another_processor(seed: int) -> Callable[..., OtherProcessor]:
    """Lanes to compute with instead of our own."""
    return type("OtherProcessor", (OtherProcessor,), {"seed": seed})
