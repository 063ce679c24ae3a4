"""Collects all batches of a sweep: as columns, a pandas data frame, an Arrow table, or an xarray data set."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from formula_eval.analyse.data_frame import package
from formula_eval.analyse.sweep.column import Column
from formula_eval.analyse.sweep.counts import Tally
from formula_eval.analyse.sweep.grid import WordAxis
from formula_eval.analyse.sweep.row_table import arrow_table
from formula_eval.analyse.sweep.sweep import Batch, Sweep
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.vector import Array
from formula_eval.records.axis import Axis
from formula_eval.records.schema import Schema

_MOST_CELLS = 1 << 28


class WholeSweep(NamedTuple):
    """Every row of a sweep, in base units, and the counts."""

    sweep: Sweep
    rows: Batch

    @property
    def columns(self) -> Sequence[Column]:
        """The description of each column."""
        return [each._replace(in_base=True) for each in self.sweep.columns]

    def cells(self) -> dict[str, list[Any]]:
        """The values of each column by name, in order; None where there is none."""
        return {each.name: each.plain(self.rows.values[each.name]) for each in self.columns}

    def pandas(self) -> Any:  # noqa: ANN401 - pandas is optional
        """A frame with a row for each configuration; raises FormulaError where pandas is not installed."""
        return pandas_rows(self.rows, self.columns)

    def arrow(self) -> Any:  # noqa: ANN401 - pyarrow is optional
        """A table of Arrow, with the unit of each column in its metadata; raises FormulaError without pyarrow."""
        return arrow_table(self.rows, self.columns)

    def xarray(self) -> Any:  # noqa: ANN401 - xarray is optional
        """A data set with a dimension for each input that varies; nan where a configuration has no answer."""
        xarray = package("xarray", "to_xarray")
        grid = self.sweep.grid
        if self.sweep.asked.sampled is not None:
            raise refuse("bad-value", "A sample is not a grid", help="`to_pandas()` has a row for each configuration.")
        shape = tuple(each.size for each in grid.dimensions)
        if grid.size > _MOST_CELLS:
            raise refuse("too-many", f"{grid.size:,} configurations are too many for memory", help="Write a file.")
        cells = self.cells()
        names = [each.axes[0].name for each in grid.dimensions]
        coordinates = {
            axis.name: (names[number], _along(axis, self.sweep.schema), {"units": _unit(axis.name, self.columns)})
            for number, each in enumerate(grid.dimensions)
            for axis in each.axes
        }
        data = {
            each.name: (names, _filled(cells[each.name], self.rows, shape, each), {"units": each.unit})
            for each in self.columns
            if not each.is_axis
        }
        return xarray.Dataset(data, coordinates)


def pandas_rows(batch: Batch, columns: Sequence[Column]) -> Any:  # noqa: ANN401 - pandas is optional
    """A frame with these columns of a batch; raises FormulaError where pandas is not installed."""
    frame = package("pandas", "to_pandas")
    return frame.DataFrame({each.name: _series(each, batch.values[each.name], frame) for each in columns})


def _unit(name: str, columns: Sequence[Column]) -> str:
    return next(each.unit for each in columns if each.name == name)


def _series(column: Column, values: Array, pandas: Any) -> Any:  # noqa: ANN401 - pandas is optional
    """Numbers as they are, words as categories, flags as booleans that may be absent."""
    if column.is_number:
        return values
    if column.quantity.kind == "flag":
        return pandas.array(column.plain(values), dtype="boolean")
    if column.quantity.kind == "date":
        return column.plain(values)
    words = column.words or column.quantity.words
    places = np.where(np.isnan(values), -1, values).astype(int)
    return pandas.Categorical.from_codes(places, list(dict.fromkeys(words)))


def _along(axis: WordAxis | Axis, schema: Schema) -> Any:  # noqa: ANN401 - words or numbers
    """The coordinate values of an axis."""
    if isinstance(axis, WordAxis):
        return list(axis.words)
    words = schema.inputs[axis.name].quantity.words
    return [words[int(each)] if words else each for each in axis.part(0, axis.length)]


def _filled(cells: Sequence[Any], rows: Batch, shape: tuple[int, ...], column: Column) -> Array:
    """Places cells at their indices in the grid, with nan or None elsewhere."""
    held: Array = np.full(shape, np.nan if column.is_number else None, float if column.is_number else object)
    places = np.unravel_index(rows.places, shape) if shape else ()
    held[places] = [np.nan if each is None and column.is_number else each for each in cells] if shape else cells[0]
    return held


def whole_sweep(sweep: Sweep) -> WholeSweep:
    """All rows, in memory."""
    return whole_of(sweep, list(sweep.batches()))


def whole_of(sweep: Sweep, batches: Sequence[Batch]) -> WholeSweep:
    """The rows of all batches, in memory."""
    tally = Tally()
    for each in batches:
        tally.add(each.tally)
    values = {
        each.name: np.concatenate([np.empty(0), *(batch.values[each.name] for batch in batches)])
        for each in sweep.columns
    }
    places = np.concatenate([np.empty(0, np.int64), *(batch.places for batch in batches)])
    return WholeSweep(sweep, Batch(places, values, tally))
