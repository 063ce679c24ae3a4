"""Makes a key of an object that nobody changes: two keys are equal where they are of the same object."""

from typing import Generic, TypeVar

_Held = TypeVar("_Held")


class SameObject(Generic[_Held]):
    """Holds an object, such as what a file was read to, so that what is made of it can be kept under it."""

    __slots__ = ("held",)

    def __init__(self, held: _Held) -> None:
        """Hold this object."""
        self.held = held

    def __eq__(self, other: object) -> bool:
        """Whether the other holds the same one, and not only an equal one."""
        return isinstance(other, SameObject) and other.held is self.held

    def __hash__(self) -> int:
        """By which object it is; it lives as long as this one holds it."""
        return id(self.held)
