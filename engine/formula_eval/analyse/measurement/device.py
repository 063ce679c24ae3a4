"""Defines the interface of a device to probe: makes repeatable kernels, and waits until they are done."""

from collections.abc import Callable
from typing import Protocol

Kernel = Callable[[], object]


class Device(Protocol):
    """An accelerator or a CPU. A kernel that it cannot run, for want of memory too, is None."""

    name: str
    bits: int
    memory: float
    count: int

    def wait(self) -> None:
        """Return when all kernels that were started are done."""

    def product(self, rows: int, columns: int, inner: int) -> Kernel | None:
        """A product of a rows-by-inner and an inner-by-columns matrix."""

    def copy(self, size: int) -> Kernel | None:
        """A copy of so many bytes within the memory."""

    def attention(self, sequences: int, positions: int, heads: int, head_dim: int) -> Kernel | None:
        """Attention of every token to every other, without a mask."""

    def empty(self) -> Kernel:
        """A kernel that does almost nothing, to time a launch."""

    def all_reduce(self, size: int) -> Kernel | None:
        """A sum of so many bytes over all devices of the machine; None where there is one."""
