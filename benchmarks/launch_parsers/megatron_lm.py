"""Megatron-LM's own arguments, which megatron-core holds from 0.19 on."""

from argparse import ArgumentParser

from megatron.training.arguments import add_megatron_arguments

PACKAGES = ("megatron-core",)
_PARSER = add_megatron_arguments(ArgumentParser(allow_abbrev=False))


def accept(words: list[str]) -> None:
    """Parse the words behind `pretrain_gpt.py`."""
    _PARSER.parse_args(words)
