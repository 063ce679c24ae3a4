"""Collects the first rows of a sweep, and the least and largest value of each column."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from formula_eval.analyse.sweep.column import Column
from formula_eval.analyse.sweep.sweep import Batch


class Extents:
    """Keeps the first rows, in base units, and the extent of each numeric column."""

    def __init__(self, columns: Sequence[Column], rows: int) -> None:
        """Keep so many rows of these columns."""
        self._columns = columns
        self._most = rows
        self._low = dict.fromkeys((each.name for each in columns), math.inf)
        self._high = dict.fromkeys((each.name for each in columns), -math.inf)
        self.rows: list[list[Any]] = []

    def add(self, batch: Batch) -> None:
        """Add a batch."""
        count = len(batch.places)
        taken = slice(0, min(self._most - len(self.rows), count))
        cells = [each.plain(batch.values[each.name][taken]) for each in self._columns]
        self.rows += [list(row) for row in zip(*cells, strict=True)]
        for each in self._columns if count else ():
            values = batch.values[each.name]
            if not np.isnan(values).all():
                self._low[each.name] = min(self._low[each.name], float(np.nanmin(values)))
                self._high[each.name] = max(self._high[each.name], float(np.nanmax(values)))

    def ends(self) -> list[tuple[str, list[Any]]]:
        """The least and the largest value of each quantity that is a number, None for any other column."""
        return [("least", self._row(self._low)), ("most", self._row(self._high))]

    def _row(self, ends: dict[str, float]) -> list[Any]:
        return [ends[each.name] if each.is_number and not each.is_axis else None for each in self._columns]
