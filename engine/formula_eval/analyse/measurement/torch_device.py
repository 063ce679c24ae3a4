"""Implements a device on an accelerator with PyTorch in bfloat16."""

from importlib import import_module
from typing import Any

from formula_eval.analyse.measurement.measurement import Kernel

_SHARE = 0.6  # of the memory that is used at most
_WIDTH = 2  # bytes of a number


def torch_device() -> "TorchDevice | None":
    """The first accelerator of this machine; None without PyTorch, or where it finds none."""
    try:
        torch = import_module("torch")
    except (ImportError, OSError):
        return None
    return TorchDevice(torch) if torch.cuda.is_available() else None


class TorchDevice:
    """An accelerator of NVIDIA or AMD, whichever PyTorch was built for."""

    bits = 16

    def __init__(self, torch: Any) -> None:  # noqa: ANN401 - an optional package
        """Use the first one."""
        self._torch = torch
        self._place = torch.device("cuda", 0)
        properties = torch.cuda.get_device_properties(self._place)
        self.name = str(properties.name)
        self.memory = float(properties.total_memory)
        self.count = int(torch.cuda.device_count())

    def wait(self) -> None:
        """Return when all streams of all devices are done."""
        for number in range(self.count):
            self._torch.cuda.synchronize(number)

    def product(self, rows: int, columns: int, inner: int) -> Kernel | None:
        """One product, its result in place."""
        if not self._fits(_WIDTH * (rows * inner + inner * columns + rows * columns)):
            return None
        left, right = self._random(rows, inner), self._random(inner, columns)
        result = self._torch.empty(rows, columns, dtype=left.dtype, device=self._place)
        return lambda: self._torch.mm(left, right, out=result)

    def copy(self, size: int) -> Kernel | None:
        """A copy from one tensor to another."""
        if not self._fits(2 * size):
            return None
        source = self._torch.ones(size, dtype=self._torch.uint8, device=self._place)
        target = self._torch.empty_like(source)
        return lambda: target.copy_(source)

    def attention(self, sequences: int, positions: int, heads: int, head_dim: int) -> Kernel | None:
        """The fused kernel that PyTorch chooses."""
        if not self._fits(4 * _WIDTH * sequences * heads * positions * head_dim):
            return None
        queries, keys, values = (self._random(sequences, heads, positions, head_dim) for _ in range(3))
        fused = self._torch.nn.functional.scaled_dot_product_attention
        return lambda: fused(queries, keys, values)

    def empty(self) -> Kernel:
        """The sum of two numbers."""
        one = self._random(1)
        return lambda: one.add_(1)

    def all_reduce(self, size: int) -> Kernel | None:
        """A sum over all accelerators of the machine, by NCCL or RCCL."""
        if self.count < 2 or not self._fits(2 * size):  # noqa: PLR2004 - one has nothing to sum
            return None
        torch = self._torch
        parts = [
            torch.ones(size // _WIDTH, dtype=torch.bfloat16, device=torch.device("cuda", number))
            for number in range(self.count)
        ]
        return lambda: torch.cuda.nccl.all_reduce(parts)

    def _random(self, *shape: int) -> Any:  # noqa: ANN401 - a tensor
        return self._torch.randn(*shape, dtype=self._torch.bfloat16, device=self._place)

    def _fits(self, size: float) -> bool:
        return size <= _SHARE * self.memory
