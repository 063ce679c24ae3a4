"""torchtitan's own reader of its options; from 0.3 on it has none, since a configuration is Python there."""

from torchtitan.config import ConfigManager

PACKAGES = ("torchtitan",)


def accept(words: list[str]) -> None:
    """Read the words behind `torchtitan.train`."""
    ConfigManager().parse_args(words)
