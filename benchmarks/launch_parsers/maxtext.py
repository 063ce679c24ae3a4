"""MaxText's own reader of its configuration, over its base.yml."""

import os
from pathlib import Path

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4096"  # as many as any configuration asks for

import maxtext
from maxtext.configs import pyconfig

PACKAGES = ("maxtext",)
_BASE = str(Path(maxtext.__file__).parent / "configs" / "base.yml")
_HERE = ["skip_jax_distributed_system=true", "hardware=cpu"]


def accept(words: list[str]) -> None:
    """Read the words behind `train.py configs/base.yml`."""
    pyconfig.initialize_pydantic(["train.py", _BASE, "run_name=r", *_HERE, *words])
