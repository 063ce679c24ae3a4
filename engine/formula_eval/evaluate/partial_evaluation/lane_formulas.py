"""Holds the residual formulas that depend on too much for a table, and are computed for each configuration."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from formula_eval.core.expression import Expression, references


class LaneFormulas(NamedTuple):
    """Formulas, each behind those that it reads.

    `absent` are the flags among all values that may be nan, `wanted` what is kept.
    """

    formulas: Mapping[str, Expression]
    absent: Collection[str]
    wanted: Sequence[str]

    @property
    def tables(self) -> list[str]:
        """The names that are read and are no formulas, once each."""
        read = (each for x in self.formulas.values() for each in references(x))
        return [name for name in dict.fromkeys(read) if name not in self.formulas]
