"""The argument parser of TRL's scripts: Transformers' TrainingArguments, with those of the model and of PEFT."""

from transformers import HfArgumentParser
from trl import ModelConfig, ScriptArguments, SFTConfig

PACKAGES = ("trl", "transformers")
_PARSER = HfArgumentParser((SFTConfig, ModelConfig, ScriptArguments))


def accept(words: list[str]) -> None:
    """Parse the words behind `trl sft`."""
    _PARSER.parse_args_into_dataclasses([*words, "--dataset_name", "d", "--output_dir", ".", "--use_cpu"])
