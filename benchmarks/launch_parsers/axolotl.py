"""Axolotl's own schema of its configuration files."""

import sys
from types import ModuleType
from typing import Any

from axolotl.utils.schemas.config import AxolotlInputConfig

PACKAGES = ("axolotl",)
_NEEDED = {"datasets": [{"path": "d", "type": "alpaca"}], "learning_rate": 1e-4}


def accept(table: dict[str, Any]) -> None:
    """Read a configuration file with a data set; raises ValueError for a key that is none."""
    sys.modules.setdefault(
        "ring_flash_attn", ModuleType("ring_flash_attn")
    )  # which cannot be had without an accelerator
    unknown = set(table) - set(AxolotlInputConfig.model_fields)
    if unknown:
        raise ValueError(f"not known: {', '.join(sorted(unknown))}")
    AxolotlInputConfig(**_NEEDED, **table)
