"""Converts rows of a batch, or all of a sweep: columns, data frames of pandas, Arrow, Parquet, data sets of xarray.

It collects the first rows of a sweep too, with the least and the largest value of each column.
"""

import io
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from formula_eval.analyse.data_frame import package
from formula_eval.analyse.sweep.column import Column
from formula_eval.analyse.sweep.counts import Tally
from formula_eval.analyse.sweep.grid import WordAxis
from formula_eval.analyse.sweep.sweep_batches import Batch, Sweep
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.vector import Array
from formula_eval.records.axis import Axis
from formula_eval.records.schema import Schema

_MOST_CELLS = 1 << 28


def written_columns(batch: Batch, columns: Sequence[Column]) -> list[list[Any]]:
    """The cells of each column as files hold them."""
    return [column.written(batch.values[column.name]) for column in columns]


def batch_rows(batch: Batch, columns: Sequence[Column], most: int | None = None) -> list[dict[str, Any]]:
    """The first rows by the names of the columns, numbers in base units; None where there is no value."""
    cells = [column.plain(batch.values[column.name][:most]) for column in columns]
    return [dict(zip((column.name for column in columns), row, strict=True)) for row in zip(*cells, strict=True)]


def arrow_table(batch: Batch, columns: Sequence[Column]) -> Any:  # noqa: ANN401 - pyarrow is optional
    """A table of Arrow; raises FormulaError where pyarrow is not installed."""
    arrow = package("pyarrow", "a table of Arrow")
    schema = _schema(columns, arrow)
    arrays = [
        _array(column, batch.values[column.name], schema.field(n).type, arrow) for n, column in enumerate(columns)
    ]
    return arrow.Table.from_arrays(arrays, schema=schema)


def _schema(columns: Sequence[Column], arrow: Any) -> Any:  # noqa: ANN401 - pyarrow is optional
    kinds = {"flag": arrow.bool_(), "choice": arrow.dictionary(arrow.int32(), arrow.string()), "date": arrow.string()}
    kinds["record"] = kinds["choice"]
    found = []
    for column in columns:
        type_ = arrow.int64() if _is_whole(column) else kinds.get(column.quantity.kind, arrow.float64())
        found.append(arrow.field(column.header, type_, metadata={"quantity": column.name, "unit": column.unit}))
    return arrow.schema(found)


def _is_whole(column: Column) -> bool:
    """Whether a column is written as whole numbers, which is never so for quantities, since they may be infinite."""
    return column.is_axis and column.quantity.kind == "whole"


def _array(column: Column, values: Any, type_: Any, arrow: Any) -> Any:  # noqa: ANN401 - pyarrow is optional
    absent = np.isnan(values)
    if column.quantity.kind in ("choice", "record"):
        words = column.words or column.quantity.words
        places = arrow.array(np.where(absent, 0, values).astype(np.int32), mask=absent)
        return arrow.DictionaryArray.from_arrays(places, arrow.array(words, arrow.string()))
    if column.quantity.kind == "date":
        return arrow.array(column.written(values), arrow.string())
    held = np.where(absent, 0, column.in_unit(values))
    if column.quantity.kind == "flag":
        return arrow.array(held != 0, type_, mask=absent)
    if _is_whole(column):
        return arrow.array(held.astype(np.int64), type_, mask=absent)
    return arrow.array(held, type_, mask=absent)


def arrow_bytes(batch: Batch, columns: Sequence[Column]) -> bytes:
    """The rows as a Parquet file."""
    parquet = package("pyarrow.parquet", "Parquet")
    held = io.BytesIO()
    parquet.write_table(arrow_table(batch, columns), held)
    return held.getvalue()


def join_arrow(parts: Iterable[Path], columns: Sequence[Column], target: IO[bytes]) -> None:
    """The rows of several Parquet files in one, a group for each."""
    arrow, parquet = package("pyarrow", "Parquet"), package("pyarrow.parquet", "Parquet")
    with parquet.ParquetWriter(target, _schema(columns, arrow)) as writer:
        for part in parts:
            writer.write_table(parquet.read_table(part))


class WholeSweep(NamedTuple):
    """Every row of a sweep, in base units, and the counts."""

    sweep: Sweep
    rows: Batch

    @property
    def columns(self) -> Sequence[Column]:
        """The description of each column."""
        return [column._replace(in_base=True) for column in self.sweep.columns]

    def cells(self) -> dict[str, list[Any]]:
        """The values of each column by name, in order; None where there is none."""
        return {column.name: column.plain(self.rows.values[column.name]) for column in self.columns}

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
        shape = tuple(dimension.size for dimension in grid.dimensions)
        if grid.size > _MOST_CELLS:
            raise refuse("too-many", f"{grid.size:,} configurations are too many for memory", help="Write a file.")
        cells, units = self.cells(), {column.name: column.unit for column in self.columns}
        names = [dimension.axes[0].name for dimension in grid.dimensions]
        coordinates = {
            axis.name: (names[number], _along(axis, self.sweep.schema), {"units": units[axis.name]})
            for number, dimension in enumerate(grid.dimensions)
            for axis in dimension.axes
        }
        data = {
            column.name: (names, _filled(cells[column.name], self.rows, shape, column), {"units": column.unit})
            for column in self.columns
            if not column.is_axis
        }
        return xarray.Dataset(data, coordinates)


def pandas_rows(batch: Batch, columns: Sequence[Column]) -> Any:  # noqa: ANN401 - pandas is optional
    """A frame with these columns of a batch; raises FormulaError where pandas is not installed."""
    frame = package("pandas", "to_pandas")
    return frame.DataFrame({column.name: _series(column, batch.values[column.name], frame) for column in columns})


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
    held[places] = [np.nan if cell is None and column.is_number else cell for cell in cells] if shape else cells[0]
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
        column.name: np.concatenate([np.empty(0), *(batch.values[column.name] for batch in batches)])
        for column in sweep.columns
    }
    places = np.concatenate([np.empty(0, np.int64), *(batch.places for batch in batches)])
    return WholeSweep(sweep, Batch(places, values, tally))


class Extents:
    """Keeps the first rows, in base units, and the extent of each numeric column."""

    def __init__(self, columns: Sequence[Column], rows: int) -> None:
        """Keep so many rows of these columns."""
        self._columns = columns
        self._most = rows
        self._low = dict.fromkeys((column.name for column in columns), math.inf)
        self._high = dict.fromkeys((column.name for column in columns), -math.inf)
        self.rows: list[list[Any]] = []

    def add(self, batch: Batch) -> None:
        """Add a batch."""
        count = len(batch.places)
        taken = slice(0, min(self._most - len(self.rows), count))
        cells = [column.plain(batch.values[column.name][taken]) for column in self._columns]
        self.rows += [list(row) for row in zip(*cells, strict=True)]
        for column in self._columns if count else ():
            values = batch.values[column.name]
            if not np.isnan(values).all():
                self._low[column.name] = min(self._low[column.name], float(np.nanmin(values)))
                self._high[column.name] = max(self._high[column.name], float(np.nanmax(values)))

    def ends(self) -> list[tuple[str, list[Any]]]:
        """The least and the largest value of each quantity that is a number, None without one."""
        held = [column for column in self._columns if column.is_number and not column.is_axis]
        told = {column.name for column in held if self._low[column.name] <= self._high[column.name]}
        ends = [("least", self._low), ("most", self._high)]
        return [
            (title, [of[column.name] if column.name in told else None for column in self._columns])
            for title, of in ends
        ]
