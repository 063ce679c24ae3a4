"""Evaluates the residual formulas of a block of configurations with a generated C function."""

import ctypes
import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from formula_eval.cache import Cache
from formula_eval.evaluate.partial_evaluation.array_pool import Buffers
from formula_eval.evaluate.partial_evaluation.c_compiler import key_of, library
from formula_eval.evaluate.partial_evaluation.c_source import CSource, box_source, depth_of, list_source
from formula_eval.evaluate.partial_evaluation.grid_tables import Configurations
from formula_eval.evaluate.partial_evaluation.lane_formulas import LaneFormulas
from formula_eval.evaluate.vector import Array, Value

_POINTER = ctypes.c_void_p


class CLanes:
    """Computes formulas over boxes of a grid or lists of configurations; threads may call it concurrently.

    The configurations of a box follow each other in the grid.
    """

    def __init__(self, lanes: LaneFormulas, tables: Mapping[str, Value], cache: Cache, *, boxes: bool) -> None:
        """Build it, or load what was built; raises FormulaError where no compiler does."""
        self._source = _source(lanes, boxes=boxes)
        self._function = library(self._source.text, cache).lanes
        self._function.argtypes = [_POINTER] * 5
        self._function.restype = ctypes.c_int
        self._lanes = lanes
        self._lengths = lanes.lengths
        self._dimensions = lanes.dimensions
        self._wanted: list[tuple[list[int], type]] = [
            (lanes.axes(name), bool if lanes.is_plain_flag(name) else float) for name in self._source.found
        ]
        self._boxes = boxes
        self._tables = [self._together([tables[name] for name in names], names[0]) for names in self._source.tables]
        self._buffers = Buffers()
        self._table_places = _pointers(self._tables)

    @staticmethod
    def is_built(lanes: LaneFormulas, cache: Cache, *, boxes: bool) -> bool:
        """Whether the cache holds what takes seconds to build."""
        return cache.get(key_of(_source(lanes, boxes=boxes).text)) is not None

    def compute(self, which: Configurations) -> tuple[dict[str, Value], Value]:
        """The values that are kept, and the configurations that failed."""
        source, shape = self._source, self._shape
        wanted = [(shape(axes, which), type_) for axes, type_ in self._wanted]
        wanted.append((shape(self._dimensions, which) if source.may_fail else (0,), bool))
        *values, fails = self._buffers.arrays(wanted)
        along, count = self._places(which)
        places, written = _pointers(along), _pointers(values)
        where = places if not self._boxes else along[0].ctypes.data
        failed = self._function(where, count.ctypes.data, self._table_places, written, fails.ctypes.data)
        return dict(zip(source.found, values, strict=True)), fails if failed else np.False_

    def _places(self, which: Configurations) -> tuple[list[Array], Array]:
        """For a box the first places and how many there are along each loop; else places along dimensions, and one."""
        along = [[which.along[axis].reshape(-1) for axis in loop] for loop in self._source.loops]
        if not self._boxes:
            listed = [np.ascontiguousarray(each, np.int64) for (each,) in along]
            return listed, np.array([which.shape[0]], np.int64)
        first = [self._place([int(each[0]) for each in places], loop) for places, loop in self._looped(along)]
        last = [self._place([int(each[-1]) for each in places], loop) for places, loop in self._looped(along)]
        count = [math.prod(each.size for each in places) for places in along]
        if any(low + many != high + 1 for low, many, high in zip(first, count, last, strict=True)):
            raise ValueError("the configurations of a box follow each other")
        return [np.array(first, np.int64)], np.array(count, np.int64)

    def _looped(self, along: list[list[Array]]) -> Iterable[tuple[list[Array], list[int]]]:
        return zip(along, self._source.loops, strict=True)

    def _place(self, places: list[int], loop: list[int]) -> int:
        """The index along a loop that covers several dimensions."""
        found = 0
        for place, axis in zip(places, loop, strict=True):
            found = found * self._lengths[axis] + place
        return found

    def _together(self, tables: list[Value], name: str) -> Array:
        """Tables over the same dimensions as one; for a box, over all dimensions of the loops of these."""
        axes = set(self._lanes.axes(name))
        if self._boxes:
            axes = {axis for loop in self._source.loops if axes.intersection(loop) for axis in loop}
        rank = max(self._lengths, default=-1) + 1
        shape = [self._lengths[axis] if axis in axes else 1 for axis in range(rank)]
        whole = [np.broadcast_to(each, (*shape, *np.shape(each)[rank:])) for each in tables]
        return np.ascontiguousarray(np.stack(whole, -1), float)

    def _shape(self, axes: Iterable[int], which: Configurations) -> tuple[int, ...]:
        """The shape of the values that the loop over the innermost of these dimensions writes."""
        if not self._boxes:
            return which.shape
        depth = depth_of(axes, self._source.loops)
        own = {axis for loop in self._source.loops[: depth + 1] for axis in loop}
        return tuple(each.size if axis in own else 1 for axis, each in enumerate(which.along))


def _source(lanes: LaneFormulas, *, boxes: bool) -> CSource:
    return box_source(lanes) if boxes else list_source(lanes)


def _pointers(arrays: Iterable[Array]) -> Any:  # noqa: ANN401 - an array of ctypes
    places = [each.ctypes.data for each in arrays]
    return (_POINTER * len(places))(*places)
