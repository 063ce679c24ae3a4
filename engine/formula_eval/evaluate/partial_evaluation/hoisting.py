"""Extracts the parts of residual formulas that depend on few dimensions, as formulas of their own.

A part is computed wherever its formula is, though its formula may take another branch there, so parts are taken only
from formulas that never fail.
"""

import math
from collections.abc import Mapping

import numpy as np

from formula_eval.core import expression as e

Shape = tuple[int, ...]
_PLAIN = ("+", "-", "*")  # operators that take no longer than reading a table
_PLAIN_CALLS = ("min", "max", "abs", "sum", "one_if")


class SmallParts:
    """Takes parts out of formulas: `formulas` holds them by name."""

    def __init__(self, shapes: Mapping[str, Shape], most: int) -> None:
        """Extract parts of at most `most` combinations; `shapes` are those of what formulas read."""
        self._shapes = shapes
        self._most = most
        self._names: dict[e.Expression, str] = {}

    @property
    def formulas(self) -> dict[str, e.Expression]:
        """The parts, which read none of each other."""
        return {name: x for x, name in self._names.items()}

    def shape(self, x: e.Expression) -> Shape:
        """The shape of the values of an expression over the whole grid."""
        return np.broadcast_shapes(*(self._shapes[reference] for reference in e.references(x)))

    def without(self, x: e.Expression) -> e.Expression:
        """The formula with its parts replaced by references."""
        match x:
            case e.Match(subject, arms):
                return e.Match(subject, tuple(e.Arm(arm.patterns, self._taken(arm.value)) for arm in arms))
        return e.rebuild(x, self._taken)

    def _taken(self, x: e.Expression) -> e.Expression:
        """Replaces a part by a reference where it is small and costs more than reading a table."""
        if not e.references(x):
            return x
        if not _is_long(x) or math.prod(self.shape(x)) > self._most:
            return self.without(x)
        return e.Reference(self._names.setdefault(x, f"part {len(self._names)}"))


def _is_long(x: e.Expression) -> bool:
    """Whether computing this takes longer than reading a table: one slow operation, or two of any kind."""
    operations = [node for node in e.walk(x) if not isinstance(node, e.Reference | e.Number | e.FlagValue)]
    return len(operations) > 1 or any(map(_is_slow, operations))


def _is_slow(x: e.Expression) -> bool:
    match x:
        case e.Binary(operator):
            return operator not in _PLAIN
        case e.Call(function):
            return function not in _PLAIN_CALLS
    return False
