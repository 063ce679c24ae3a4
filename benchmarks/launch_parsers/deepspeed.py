"""DeepSpeed's own configuration class."""

from typing import Any

from deepspeed import comm
from deepspeed.runtime.config import DeepSpeedConfig

PACKAGES = ("deepspeed",)
comm.get_rank = lambda: 0  # one process reads it for all


class _Replicas:
    """As many replicas as the batches say."""

    def __init__(self, count: int) -> None:
        self._count = count

    def get_data_parallel_world_size(self) -> int:
        """Their number."""
        return self._count


def accept(table: dict[str, Any]) -> None:
    """Read a configuration file as it is nested."""
    micro = table.get("train_micro_batch_size_per_gpu", 1) * table.get("gradient_accumulation_steps", 1)
    DeepSpeedConfig(table, mpu=_Replicas(max(1, table.get("train_batch_size", micro) // micro)))
