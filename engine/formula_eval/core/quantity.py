"""What a value is, as plain data that a cache can hold: the everyday command reads it without loading any types."""

from typing import NamedTuple


class Quantified(NamedTuple):
    """What a value is: its unit, its dimension (`byte/s`, empty for a plain number), its words if it is a choice."""

    kind: str
    unit: str = ""
    dimension: str = ""
    words: tuple[str, ...] = ()
