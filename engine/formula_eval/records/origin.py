"""Names those who set a value, other than files: an option, an argument of Python, an example, nobody."""

from enum import StrEnum

PRESET = "preset.toml"  # the file of a namespace with what it takes for inputs that nobody sets


class Origin(StrEnum):
    """Who set a value or asks a question; a file is named by its path instead."""

    DEFAULT = "default"
    OPTION = "option"
    ARGUMENT = "argument"
    EXAMPLE = "example"

    def __repr__(self) -> str:
        """As the plain word, which is what Python shows of an answer."""
        return repr(self.value)


def is_option(origin: str) -> bool:
    """Whether an option set a value, as messages spell who did."""
    return origin.startswith("--")


def is_assumed(origin: str) -> bool:
    """Whether nobody chose a value: it is the default of its input, or what the namespace that answers takes for it."""
    return origin == Origin.DEFAULT or origin.endswith(f"/{PRESET}")
