"""Holds the residual formulas that depend on too much for a table, and are computed for each configuration."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from formula_eval.core.expression import Expression, references

Shape = tuple[int, ...]


class LaneFormulas(NamedTuple):
    """Formulas, each behind those that it reads, and what is known of them and of what they read.

    `shapes` are those of all values over the whole grid, `flags` those of these that are flags, `absent` the flags that
    may be nan, `may_fail` the formulas that may, `wanted` what is kept.
    """

    formulas: Mapping[str, Expression]
    shapes: Mapping[str, Shape]
    flags: Collection[str]
    absent: Collection[str]
    may_fail: Collection[str]
    wanted: Sequence[str]

    @property
    def tables(self) -> list[str]:
        """The names that are read or wanted and are no formulas, once each."""
        read = (each for x in self.formulas.values() for each in references(x))
        return [name for name in dict.fromkeys((*read, *self.wanted)) if name not in self.formulas]

    @property
    def lengths(self) -> dict[int, int]:
        """How long each dimension is along which something changes."""
        return {axis: shape[axis] for shape in self.shapes.values() for axis, length in enumerate(shape) if length > 1}

    @property
    def dimensions(self) -> list[int]:
        """The dimensions along which some of them change, or what they read."""
        return sorted({axis for name in (*self.formulas, *self.tables) for axis in self.axes(name)})

    def axes(self, name: str) -> list[int]:
        """The dimensions along which a value changes."""
        return [axis for axis, length in enumerate(self.shapes[name]) if length > 1]

    def is_plain_flag(self, name: str) -> bool:
        """Whether this is true or false in every configuration."""
        return name in self.flags and name not in self.absent
