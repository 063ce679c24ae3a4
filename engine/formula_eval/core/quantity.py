"""Describes what a value is as plain data that a cache can hold, so that the everyday command loads no types."""

from typing import NamedTuple

# Names whose plural has one letter more.
_HISSING = ("s", "x", "z", "ch", "sh")


class Quantified(NamedTuple):
    """What a value is: its unit, its dimension (`byte/s`, empty for a plain number), its words if it is a choice.

    `scale` is how many base units its unit is, a fraction; `style` says how a number of that unit is written.
    """

    kind: str  # `number`, `whole`, `flag`, `choice`, `date` or `record`
    unit: str = ""
    dimension: str = ""
    words: tuple[str, ...] = ()
    scale: tuple[int, int] = (1, 1)
    style: str = ""

    @property
    def is_multiple(self) -> bool:
        """Whether its unit is a multiple of what the value is held in, as an hour is."""
        above, below = self.scale
        return above != below

    def in_unit(self, value: float) -> float:
        """A value in base units in the unit of the quantity."""
        above, below = self.scale
        return value * below / above

    def in_base_units(self, value: float) -> float:
        """A value in the unit of the quantity in base units."""
        above, below = self.scale
        return value * above / below

    def plain(self) -> "Quantified":
        """The same without its unit."""
        return Quantified(self.kind, words=self.words)


def plural(word: str) -> str:
    """More than one of what a unit names: `GPUs`, `patches`."""
    return f"{word}es" if word.endswith(_HISSING) else f"{word}s"
