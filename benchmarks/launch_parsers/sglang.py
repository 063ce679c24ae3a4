"""SGLang's own argument parser of `sglang.launch_server`."""

from argparse import ArgumentParser

from sglang.srt.server_args import ServerArgs

PACKAGES = ("sglang",)
_PARSER = ArgumentParser()
ServerArgs.add_cli_args(_PARSER)


def accept(words: list[str]) -> None:
    """Parse the words behind `python -m sglang.launch_server`."""
    _PARSER.parse_args(words)
