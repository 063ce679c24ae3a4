"""Determines which values each input may take in boxes of a grid, given by their first and last places."""

from collections.abc import Callable, Iterable, Mapping
from itertools import product

import numpy as np

from formula_eval.analyse.optimum.open_boxes import OpenBoxes, Places
from formula_eval.analyse.sweep.broadcast_inputs import LaneGivens
from formula_eval.analyse.sweep.grid import Grid
from formula_eval.evaluate.bounds.box_operations import Bound
from formula_eval.evaluate.bounds.choice_sets import ABSENT, Words
from formula_eval.evaluate.bounds.interval import Interval
from formula_eval.evaluate.bounds.program_bounds import bounded
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.vector import Array

Join = Callable[[Array, Array], Array]


class BoxGivens:
    """Gives the set of values of each input in any boxes of a grid."""

    def __init__(
        self, grid: Grid, givens: LaneGivens, kinds: Mapping[str, str], ranges: Mapping[str, tuple[float, float]]
    ) -> None:
        """Read the givens of every value along every dimension; `kinds` says of each input what its values are.

        `ranges` are those between which a default has to lie.
        """
        self._ranges = ranges
        given = givens.of(grid.whole)
        self._same = {name: value for name, value in given.items() if name in kinds and not np.ndim(value)}
        self._varied = {
            name: _Varied(value, is_number=kinds[name] == "number")
            for name, value in given.items()
            if name in kinds and np.ndim(value)
        }

    def of(self, first: Places, last: Places) -> dict[str, Bound]:
        """The set of values of each input in boxes, from their first places to before their last ones."""
        found = dict(self._same)
        return found | {name: varied.within(first, last) for name, varied in self._varied.items()}

    def bounds(self, program: Program, boxes: OpenBoxes) -> dict[str, Bound]:
        """Bounds in some boxes of what a program computes, in configurations whose defaults lie in their ranges."""
        return bounded(program, self.of(boxes.first, boxes.last), ranges=self._ranges)

    def dimensions_of(self, names: Iterable[str]) -> set[int]:
        """The dimensions along which some of these inputs change."""
        return {axis for name in names if name in self._varied for axis in self._varied[name].dimensions}

    def always_given(self, name: str) -> bool:
        """Whether an input has a value of its own in all configurations."""
        if name in self._varied:
            return not self._varied[name].may_be_absent
        value = self._same.get(name, np.nan)
        return bool(value == value)  # noqa: PLR0124 - nan alone differs from itself


class _Varied:
    """The values of one input over a grid."""

    def __init__(self, values: Array, *, is_number: bool) -> None:
        absent = np.isnan(np.asarray(values, float))
        self.dimensions = [axis for axis, length in enumerate(values.shape) if length > 1]
        self.may_be_absent = bool(absent.any())
        self._is_number = is_number
        if is_number:
            numbers = np.asarray(values, float)
            self._whole = bool((absent | (numbers % 1 == 0)).all())
            self._low, self._high = _Ranges(numbers, np.fmin), _Ranges(numbers, np.fmax)
            self._absent = _Ranges(absent, np.logical_or) if self.may_be_absent else None
        else:
            words = np.where(absent, 0, values).astype(np.int64)
            self._bits = _Ranges(np.where(absent, ABSENT, np.int64(1) << words), np.bitwise_or)

    def within(self, first: Places, last: Places) -> Bound:
        """The set of values from these places to before those, along each dimension."""
        if not self._is_number:
            return Words(self._bits.of(first, last))
        absent = False if self._absent is None else self._absent.of(first, last)
        return Interval(self._low.of(first, last), self._high.of(first, last), absent, whole=self._whole)


class _Ranges:
    """Answers range queries over an array, from tables that join 1, 2, 4, ... neighbours along each axis."""

    def __init__(self, values: Array, join: Join) -> None:
        self._join = join
        self._axes = [axis for axis, length in enumerate(values.shape) if length > 1]
        table = values.reshape([values.shape[axis] for axis in self._axes])
        for place in range(len(self._axes)):
            table = _doubled(table, 2 * place, join)
        self._table = table

    def of(self, first: Places, last: Places) -> Array:
        """The join of each range."""
        levels = [np.frexp(last[:, axis] - first[:, axis])[1] - 1 for axis in self._axes]
        starts = [
            (first[:, axis], last[:, axis] - (1 << level)) for axis, level in zip(self._axes, levels, strict=True)
        ]
        found = None
        for corner in product(*starts):
            taken = self._table[tuple(each for pair in zip(levels, corner, strict=True) for each in pair)]
            found = taken if found is None else self._join(found, taken)
        return np.broadcast_to(self._table, len(first)) if found is None else found


def _doubled(table: Array, axis: int, join: Join) -> Array:
    """The table with an axis before this one: the join of 1, 2, 4, ... neighbours along it."""
    rows = [table]
    step, length = 1, table.shape[axis]
    while 2 * step <= length:
        row = rows[-1]
        neighbour = np.roll(row, -step, axis)
        rows.append(join(row, neighbour))
        step *= 2
    return np.stack(rows, axis)
