"""Accelerate's own reader of its configuration files, and the options of its plugins."""

from tempfile import NamedTemporaryFile
from typing import Any

import yaml
from accelerate.commands.config.config_args import ClusterConfig
from accelerate.commands.launch import launch_command_parser

PACKAGES = ("accelerate",)
_NEEDED = {"compute_environment": "LOCAL_MACHINE", "use_cpu": False, "debug": False}
_PARTS = ("fsdp_config", "deepspeed_config", "megatron_lm_config", "parallelism_config")


def accept(table: dict[str, Any]) -> None:
    """Read a configuration file; raises ValueError for a key of a part that `accelerate launch` has no option for."""
    options = {each for action in launch_command_parser()._actions for each in action.option_strings}  # noqa: SLF001
    for part in _PARTS:
        unknown = [each for each in table.get(part, {}) if f"--{each}" not in options]
        if unknown:
            raise ValueError(f"not known in {part}: {', '.join(unknown)}")
    with NamedTemporaryFile("w", suffix=".yaml") as file:
        yaml.safe_dump({"distributed_type": "NO", "mixed_precision": "no", **_NEEDED, **table}, file)
        file.flush()
        ClusterConfig.from_yaml_file(file.name)
