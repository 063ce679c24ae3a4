"""LLaMA-Factory's own arguments: those of its parts, over Transformers' TrainingArguments."""

import os
from typing import Any

os.environ["DISABLE_VERSION_CHECK"] = "1"  # of the packages beside it, which only its trainers need

from llamafactory.hparams.parser import _TRAIN_ARGS, _parse_args
from transformers import HfArgumentParser

PACKAGES = ("llamafactory", "transformers")
_NEEDED = {"output_dir": ".", "use_cpu": True}


def accept(table: dict[str, Any]) -> None:
    """Read a configuration file as `llamafactory-cli train` does."""
    _parse_args(HfArgumentParser(_TRAIN_ARGS), {**_NEEDED, **table})
