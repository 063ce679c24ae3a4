"""Reads the givens of all configurations of a block at once, as arrays that broadcast."""

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from formula_eval.analyse.sweep.grid import Grid, GridBlock, Places, WordAxis
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.vector import Array
from formula_eval.records.axis import Axis
from formula_eval.records.givens import Givens
from formula_eval.records.values import Number

_KEPT = 4096
# Points are looked up one by one where they are fewer than this share of those between them.
_SPARSE = 4


class Combination(NamedTuple):
    """The givens of one choice of words: values that no axis moves, and inputs that follow an axis of another name."""

    values: Mapping[str, Number]
    follows: Mapping[str, str]


class LaneGivens:
    """Supplies the givens of any block of a grid; reads those of each combination of records once."""

    def __init__(self, evaluator: Evaluator, grid: Grid) -> None:
        """Read givens with this evaluator."""
        self._evaluator = evaluator
        self._grid = grid
        self._axes = [axis for axis in grid.axes if isinstance(axis, Axis)]
        self._word_dimensions = [number for number, dimension in enumerate(grid.dimensions) if dimension.has_words]
        self._word_sizes = tuple(grid.dimensions[number].size for number in self._word_dimensions)
        self._combination = lru_cache(_KEPT)(self._read)

    def first(self) -> Givens:
        """The givens of the first configuration; raises FormulaError where what is relative has no one value."""
        self._combination(0)
        return self._evaluator.givens(self._question(dict.fromkeys(self._word_dimensions, 0), 0))

    def of(self, block: GridBlock) -> dict[str, Any]:
        """A number or an array for each input; nan where nobody gave one."""
        combinations, lanes = self._combinations(block)
        given: dict[str, Any] = {}
        for name in dict.fromkeys(name for combination in combinations for name in combination.values):
            column = [combination.values.get(name, math.nan) for combination in combinations]
            given[name] = column[0] if len(set(column)) == 1 else _collapsed(np.array(column, float)[lanes])
        points = {}
        for along, dimension in zip(block.along, self._grid.dimensions, strict=True):
            points.update({axis.name: _points(axis, along) for axis in dimension.axes if isinstance(axis, Axis)})
        for name, axis in {
            name: axis for combination in combinations for name, axis in combination.follows.items()
        }.items():
            which = np.array([name in combination.follows for combination in combinations])
            given[name] = points[axis] if which.all() else np.where(which[lanes], points[axis], given[name])
        return {**given, **points}

    def _combinations(self, block: GridBlock) -> tuple[list[Combination], Array]:
        """The different combinations of words in a block, and for each lane the index of its own."""
        if not self._word_dimensions:
            return [self._combination(0)], np.zeros(1, int)
        along = np.broadcast_arrays(*(block.along[number] for number in self._word_dimensions))
        codes = np.ravel_multi_index(tuple(along), self._word_sizes)
        different, lanes = np.unique(codes, return_inverse=True)
        return [self._combination(code) for code in different.tolist()], lanes.reshape(codes.shape)

    def _read(self, code: int) -> Combination:
        """The givens of a combination of words: once at the first point of each axis, and once at another one."""
        places = np.unravel_index(code, self._word_sizes) if self._word_sizes else ()
        words = {number: int(place) for number, place in zip(self._word_dimensions, places, strict=True)}
        here = self._evaluator.givens(self._question(words, 0)).values
        there = self._evaluator.givens(self._question(words, 1)).values if self._axes else here
        own = {axis.name for axis in self._axes}
        moved = [name for name in {**here, **there} if name not in own and here.get(name) != there.get(name)]
        follows = {name: self._followed(name, here, there) for name in moved}
        return Combination({name: each for name, each in here.items() if name not in own}, follows)

    def _followed(self, name: str, here: Mapping[str, Number], there: Mapping[str, Number]) -> str:
        """The axis that an input follows, one that bears its last name first; raises FormulaError where none does."""
        for axis in sorted(self._axes, key=lambda each: not name.endswith(f".{each.name}")):
            if (here.get(name), there.get(name)) == (axis[0], axis[_other_place(axis)]):
                return axis.name
        message = f"`{name}` is relative to a value that changes from one configuration to the next"
        raise refuse("bad-value", message, help=f"Give `{name}` as a number.")

    def _question(self, words: Mapping[int, int], point: int) -> Any:  # noqa: ANN401 - a question
        """The question of these words, at the first point of each axis or at another one."""
        chosen: dict[str, int] = {}
        for number, dimension in enumerate(self._grid.dimensions):
            for axis in dimension.axes:
                if isinstance(axis, WordAxis):
                    chosen[axis.name] = words[number]
                else:
                    chosen[axis.name] = _other_place(axis) if point else 0
        return self._grid.question_at(chosen, self._evaluator.schema)


def _other_place(axis: Axis) -> int:
    """An index at which an axis differs from its first value, if there is one; else 0."""
    return next((place for place in range(1, axis.length) if axis[place] != axis[0]), 0)


def _points(axis: Axis, along: Places) -> Any:  # noqa: ANN401 - a number or an array
    """The values of an axis at these indices; a single one is a plain number, so that branches are decided once."""
    low, high = int(along.min()), int(along.max())
    if low == high:
        return axis[low]
    if high - low > _SPARSE * along.size:
        return np.array([axis[place] for place in along.ravel().tolist()], float).reshape(along.shape)
    return np.array(axis.part(low, high + 1), float)[along - low]


def _collapsed(values: Array) -> Array:
    """The values with each axis along which they are constant reduced to length 1."""
    for axis, length in enumerate(values.shape):
        first = values.take([0], axis)
        if length > 1 and values.ndim > 1 and np.array_equal(values, np.broadcast_to(first, values.shape), True):  # noqa: FBT003 - nan is equal to nan
            values = first
    return values
