"""Broadcasts the values of a block to columns with a number for each configuration that is kept."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from formula_eval.core.named_mapping import NamedMapping
from formula_eval.evaluate.vector import Array

_RUN = 256  # numbers that follow each other, of which copies are made at once


class LaneColumns(NamedMapping[Array]):
    """Maps names to columns, each laid out when it is first read, since not all of them are wanted."""

    def __init__(self, values: Mapping[str, Any], shape: tuple[int, ...], kept: NDArray[np.bool_] | None) -> None:
        """Columns of the configurations of this shape that are kept; None keeps all.

        Values are numbers, arrays, or functions that look them up.
        """
        super().__init__(values)
        self._values = values
        self._shape = shape
        self._kept = kept
        self._laid_out: dict[str, Array] = {}

    def __getitem__(self, name: str) -> Array:
        """The numbers of a column, in order."""
        if name not in self._laid_out:
            held = self._values[name]
            value = np.asarray(held() if callable(held) else held, float)
            if self._kept is None:
                self._laid_out[name] = laid_out(value, self._shape)
            else:
                self._laid_out[name] = np.broadcast_to(value, self._shape)[self._kept]
        return self._laid_out[name]

    def __reduce__(self) -> tuple[type, tuple[dict[str, Array]]]:
        """Pickles the finished columns, not what they are computed from."""
        return dict, (dict(self),)


def laid_out(value: Array, shape: tuple[int, ...]) -> Array:
    """The values broadcast to this shape and flattened: inner dimensions first, then copies of whole runs."""
    if value.size == math.prod(shape):
        return value.reshape(-1)
    own = (1,) * (len(shape) - value.ndim) + value.shape
    cut, run = len(shape), 1
    while cut and run < _RUN:
        cut -= 1
        run *= shape[cut]
    runs = np.broadcast_to(value.reshape(own), own[:cut] + shape[cut:]).reshape(*own[:cut], run)
    return np.broadcast_to(runs, (*shape[:cut], run)).reshape(-1)
