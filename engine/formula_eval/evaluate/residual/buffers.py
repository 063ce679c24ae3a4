"""Sizes of arrays to arrays in memory that was used before: fresh memory takes longer than the numbers in it."""

import math
import sys
from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
_LINE = 64  # bytes; an array begins where a line of the cache does
_KEPT = 8  # buffers for the next calls, of as many threads and of results that wait
_UNUSED = 3  # references to a buffer that only the list, the loop over it and the question hold


class Buffers:
    """Buffers that are used again when no array in them is left; threads may share them."""

    def __init__(self) -> None:
        """Without any."""
        self._kept: list[Array] = []
        self._lock = Lock()

    def arrays(self, wanted: Sequence[tuple[tuple[int, ...], type]]) -> list[Array]:
        """Arrays of these shapes and types whose numbers are still to be written, in one buffer."""
        sizes = [math.prod(shape) * np.dtype(type_).itemsize for shape, type_ in wanted]
        starts = [0]
        for size in sizes:
            starts.append(starts[-1] + math.ceil(size / _LINE) * _LINE)
        with self._lock:
            buffer = self._unused(starts[-1])
            return [
                buffer[start : start + size].view(type_).reshape(shape)
                for start, size, (shape, type_) in zip(starts, sizes, wanted, strict=False)
            ]

    def _unused(self, size: int) -> Array:
        for buffer in self._kept:
            if buffer.size >= size and sys.getrefcount(buffer) <= _UNUSED:
                return buffer
        found = np.empty(size, np.uint8)
        self._kept = [*self._kept, found][-_KEPT:]
        return found
