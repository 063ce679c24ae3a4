"""Maps known names to values that are found when somebody asks for one of them."""

from collections.abc import Collection, Iterator, Mapping
from typing import TypeVar

T = TypeVar("T")


class NamedMapping(Mapping[str, T]):
    """A mapping of these names; a subclass says what each of them is. No value is found to tell which there are."""

    __slots__ = ("_names",)

    def __init__(self, names: Collection[str]) -> None:
        """Hold the names, in order."""
        self._names = names

    def __contains__(self, name: object) -> bool:
        """Whether there is such a name."""
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return iter(self._names)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._names)
