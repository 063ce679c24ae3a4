"""Allocates arrays from memory that was used before, since fresh memory costs more time than the numbers in it."""

import math
from collections.abc import Sequence
from threading import Lock
from weakref import ref

import numpy as np

from formula_eval.evaluate.vector import Array

_LINE = 64  # bytes; an array begins where a line of the cache does
_KEPT = 8  # buffers for the next calls, of as many threads and of results that wait


class Buffers:
    """Reuses buffers once no array in them is left; threads may share them."""

    def __init__(self) -> None:
        """Start without buffers."""
        self._kept: list[tuple[memoryview, ref[Array]]] = []
        self._lock = Lock()

    def arrays(self, wanted: Sequence[tuple[tuple[int, ...], type]]) -> list[Array]:
        """Uninitialised arrays of these shapes and types, all in one buffer."""
        sizes = [math.prod(shape) * np.dtype(type_).itemsize for shape, type_ in wanted]
        starts = [0]
        for size in sizes:
            starts.append(starts[-1] + math.ceil(size / _LINE) * _LINE)
        with self._lock:
            whole = self._whole(starts[-1])
        return [
            whole[start : start + size].view(type_).reshape(shape)
            for start, size, (shape, type_) in zip(starts, sizes, wanted, strict=False)
        ]

    def _whole(self, size: int) -> Array:
        """An array over a buffer of at least so many bytes; every array in it keeps this one, and so the buffer."""
        unused = (memory for memory, held in self._kept if held() is None and len(memory) >= size)
        memory = next(unused, None)
        if memory is None:
            memory = memoryview(np.empty(max(size, 1), np.uint8))  # type: ignore[arg-type]  # an array is a buffer
        whole = np.frombuffer(memory, np.uint8)
        others = (each for each in self._kept if each[0] is not memory)
        self._kept = [*others, (memory, ref(whole))][-_KEPT:]
        return whole
