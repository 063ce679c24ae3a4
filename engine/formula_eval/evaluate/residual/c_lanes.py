"""What is left of formulas to the values of some configurations at once, by a C function of their own."""

import ctypes
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from formula_eval.cache import Cache
from formula_eval.evaluate.residual.c_compiler import key_of, library
from formula_eval.evaluate.residual.c_source import CSource, box_source, list_source
from formula_eval.evaluate.residual.grid_tables import Array, Configurations
from formula_eval.evaluate.residual.lane_formulas import LaneFormulas
from formula_eval.evaluate.vector import Value

_POINTER = ctypes.c_void_p


class CLanes:
    """Formulas over boxes of a grid, or over lists of configurations; threads may call it at the same time."""

    def __init__(self, lanes: LaneFormulas, tables: Mapping[str, Value], cache: Cache, *, boxes: bool) -> None:
        """Build it, or load what was built; raises FormulaError where no compiler does."""
        self._source = _source(lanes, boxes=boxes)
        self._function = library(self._source.text, cache).lanes
        self._function.argtypes = [_POINTER] * 5
        self._function.restype = None
        self._lanes = lanes
        self._boxes = boxes
        shaped = (np.broadcast_to(tables[name], lanes.shapes[name]) for name in self._source.tables)
        self._tables = [np.ascontiguousarray(each, float) for each in shaped]

    @staticmethod
    def is_built(lanes: LaneFormulas, cache: Cache, *, boxes: bool) -> bool:
        """Whether the cache holds what takes seconds to build."""
        return cache.get(key_of(_source(lanes, boxes=boxes).text)) is not None

    def compute(self, which: Configurations) -> tuple[dict[str, Value], Value]:
        """The values that are kept, and the configurations that failed."""
        source, lanes = self._source, self._lanes
        along = [np.ascontiguousarray(which.along[axis].reshape(-1), np.int64) for axis in source.dimensions]
        found = {
            name: np.empty(self._shape(lanes.axes(name), which), bool if lanes.is_plain_flag(name) else float)
            for name in source.found
        }
        fails = [np.empty(self._shape(axes, which), bool) for axes in source.groups]
        count = np.array([each.size for each in along], np.int64)
        pointers = (_pointers(each) for each in (along, self._tables, found.values(), fails))
        self._function(count.ctypes.data, *pointers)
        failed: Value = np.False_
        for each in fails:
            failed = failed | each if each.any() else failed
        return {name: found[name] for name in lanes.wanted}, failed

    def _shape(self, axes: Iterable[int], which: Configurations) -> tuple[int, ...]:
        """That of values that change along these dimensions."""
        own = set(axes)
        boxed = tuple(each.size if axis in own else 1 for axis, each in enumerate(which.along))
        return boxed if self._boxes else which.shape


def _source(lanes: LaneFormulas, *, boxes: bool) -> CSource:
    return box_source(lanes) if boxes else list_source(lanes)


def _pointers(arrays: Iterable[Array]) -> Any:  # noqa: ANN401 - an array of ctypes
    places = [each.ctypes.data for each in arrays]
    return (_POINTER * len(places))(*places)
