"""Runs probe kernels on a device, and returns their sizes, times and the best rates seen.

A device makes kernels that can be repeated, and waits until they are done.
"""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, Protocol

_PARTS = 5  # of the time of a kernel, of which the fastest counts
_MOST = 100_000
_AT_LEAST = 3
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


class Probes(NamedTuple):
    """Which kernels to run, and for how many seconds each."""

    seconds: float
    products: Sequence[tuple[int, int, int]]
    copies: Sequence[int]
    attention: Sequence[tuple[int, int, int, int]]
    collectives: Sequence[int]

    @property
    def total(self) -> int:
        """How many kernels there are, with the empty one."""
        return 1 + len(self.products) + len(self.copies) + len(self.attention) + len(self.collectives)


class Timing(NamedTuple):
    """A kernel of a kind (`product`, `copy`, ...), its sizes in the order of its probes, and its time in seconds."""

    kind: str
    sizes: tuple[int, ...]
    seconds: float


class Measurement(NamedTuple):
    """A device and its timings; rates are the best that were seen, in FLOP/s and byte/s."""

    name: str  # of the device, as the system reports it
    bits: int  # of each number that the kernels compute with
    memory: float  # of one device, in bytes
    devices: int  # how many of these the machine has
    timings: Sequence[Timing]
    rate: float  # that of the fastest matrix product
    bandwidth: float  # that of the largest copy, beyond any cache


def measure(device: Device, probes: Probes, tell: Callable[[int], object] = lambda _: None) -> Measurement:
    """Run all kernels that fit the device; `tell` hears of each."""
    timings = []
    rate = bandwidth = 0.0
    for probe in _kernels(device, probes):
        kernel = probe.make()
        if kernel is not None:
            seconds = timed(kernel, device.wait, probes.seconds)
            timings.append(Timing(probe.kind, probe.sizes, seconds))
            rate = max(rate, probe.work / seconds)
            bandwidth = probe.moved / seconds or bandwidth
        tell(1)
    return Measurement(device.name, device.bits, device.memory, device.count, timings, rate, bandwidth)


class _Probe(NamedTuple):
    """A kernel to be made, its work in FLOP, and of a copy the bytes that it moves."""

    kind: str
    sizes: tuple[int, ...]
    make: Callable[[], Kernel | None]
    work: float = 0.0
    moved: float = 0.0


def _kernels(device: Device, probes: Probes) -> Iterator[_Probe]:
    """All kernels; copies grow, so that the last one is no longer within a cache."""
    yield _Probe("empty", (), device.empty)
    for sizes in map(tuple, probes.products):
        yield _Probe("product", sizes, partial(device.product, *sizes), work=2.0 * math.prod(sizes))
    for size in sorted(probes.copies):
        yield _Probe("copy", (size,), partial(device.copy, size), moved=2.0 * size)
    for each in probes.attention:
        yield _Probe("attention", tuple(each), partial(device.attention, *each))
    for size in probes.collectives:
        yield _Probe("all_reduce", (size, device.count), partial(device.all_reduce, size))


def timed(kernel: Kernel, wait: Callable[[], None], seconds: float) -> float:
    """The time of one run in seconds, from the fastest of several series, since other load only adds time."""
    kernel()
    wait()
    first = _series(kernel, wait, 1)
    times = min(max(int(seconds / _PARTS / max(first, 1e-9)), _AT_LEAST), _MOST)
    return min(_series(kernel, wait, times) / times for _ in range(_PARTS))


def _series(kernel: Kernel, wait: Callable[[], None], times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        kernel()
    wait()
    return time.perf_counter() - start
