"""Implements a device on the CPU with NumPy in 32 bits, for trials on any machine."""

import os
import platform
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from formula_eval.analyse.measurement.measurement import Kernel
from formula_eval.core.diagnostic import refuse

_SHARE = 4  # of the memory, one part of so many is used at most
_WIDTH = 4  # bytes of a number


class NumpyDevice:
    """The processor that this runs on."""

    bits = 32
    count = 1

    def __init__(self) -> None:
        """Look up the memory size. Raises FormulaError where the system does not tell it."""
        self.name = _processor()
        self.memory = float(_memory())

    def wait(self) -> None:
        """Return at once: NumPy's calls finish before they return."""

    def product(self, rows: int, columns: int, inner: int) -> Kernel | None:
        """One call of the library that NumPy was built with."""
        if not self._fits(_WIDTH * (rows * inner + inner * columns + rows * columns)):
            return None
        result = np.empty((rows, columns), np.float32)
        return partial(np.matmul, _random(rows, inner), _random(inner, columns), out=result)

    def copy(self, size: int) -> Kernel | None:
        """A copy from one array to another."""
        if not self._fits(2 * size):
            return None
        source = np.ones(size, np.uint8)
        return partial(np.copyto, np.empty_like(source), source)

    def attention(self, sequences: int, positions: int, heads: int, head_dim: int) -> Kernel | None:
        """Two products and a softmax between them, each by itself."""
        if not self._fits(_WIDTH * sequences * heads * positions * (4 * head_dim + 2 * positions)):
            return None
        queries, keys, values = (_random(sequences, heads, positions, head_dim) for _ in range(3))
        scale = np.float32(head_dim**-0.5)

        def run() -> object:
            scores = queries @ keys.swapaxes(-1, -2) * scale
            weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
            return (weights / weights.sum(axis=-1, keepdims=True)) @ values

        return run

    def empty(self) -> Kernel:
        """The sum of two numbers."""
        one = np.ones(1, np.float32)
        return partial(np.add, one, one, out=np.empty_like(one))

    def all_reduce(self, size: int) -> Kernel | None:
        """None: there is one processor."""
        del size
        return None

    def _fits(self, size: float) -> bool:
        return size <= self.memory / _SHARE


def _random(*shape: int) -> NDArray[np.float32]:
    return np.random.default_rng(0).standard_normal(shape, np.float32)


def _memory() -> int:
    """The memory of the system in bytes."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        help_ = "Measure on Linux or macOS, or an accelerator with PyTorch."
        raise refuse("no-memory-size", "This system does not say how much memory it has", help=help_) from None


def _processor() -> str:
    """The name that the system gives the processor."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine() or "CPU"
