"""Holds the values of all nodes of a program for one configuration, by name."""

from collections.abc import Iterator, Mapping
from typing import TypeVar

T = TypeVar("T")


class NodeValues(Mapping[str, T]):
    """Maps names of nodes to their values, by the places that a program has for both.

    A dict of its own would take longer to fill for each configuration than all of the formulas take.
    """

    __slots__ = ("_places", "_values")

    def __init__(self, places: Mapping[str, int], values: tuple[T, ...]) -> None:
        """Hold the values, each at the place of its name."""
        self._places = places
        self._values = values

    def __getitem__(self, name: str) -> T:
        """The value of a node; raises KeyError."""
        return self._values[self._places[name]]

    def __contains__(self, name: object) -> bool:
        """Whether the program computes a node."""
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        """The names, in the order of the program."""
        return iter(self._places)

    def __len__(self) -> int:
        """How many nodes the program computes."""
        return len(self._values)
