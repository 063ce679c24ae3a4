"""The argument parser of TRL's `trl grpo`."""

from transformers import HfArgumentParser
from trl import GRPOConfig, ModelConfig
from trl.scripts.grpo import GRPOScriptArguments

PACKAGES = ("trl", "transformers")
_PARSER = HfArgumentParser((GRPOConfig, ModelConfig, GRPOScriptArguments))
_NEEDED = ["--dataset_name", "d", "--output_dir", ".", "--use_cpu", "--steps_per_generation", "8"]


def accept(words: list[str]) -> None:
    """Parse the words behind `trl grpo`."""
    _PARSER.parse_args_into_dataclasses([*words, *_NEEDED])
