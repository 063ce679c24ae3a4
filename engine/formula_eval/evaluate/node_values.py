"""Holds the values of all nodes of a program for one configuration, by name."""

from collections.abc import Mapping

from formula_eval.core.named_mapping import NamedMapping, T


class NodeValues(NamedMapping[T]):
    """Maps names of nodes to their values, by the places that a program has for both.

    A dict of its own would take longer to fill for each configuration than all of the formulas take.
    """

    __slots__ = ("_places", "numbers")

    def __init__(self, places: Mapping[str, int], values: tuple[T, ...]) -> None:
        """Hold the values, each at the place of its name."""
        super().__init__(places)
        self._places = places
        self.numbers = values

    def __getitem__(self, name: str) -> T:
        """The value of a node; raises KeyError."""
        return self.numbers[self._places[name]]
