"""Converts the rows of a batch to columns of Python values, and to Arrow tables and Parquet files."""

import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np

from formula_eval.analyse.data_frame import package
from formula_eval.analyse.sweep.column import Column
from formula_eval.analyse.sweep.sweep import Batch

_NEEDED_BY = "a table of Arrow"


def written_columns(batch: Batch, columns: Sequence[Column]) -> list[list[Any]]:
    """The cells of each column as files hold them."""
    return [each.written(batch.values[each.name]) for each in columns]


def batch_rows(batch: Batch, columns: Sequence[Column], most: int | None = None) -> list[dict[str, Any]]:
    """The first rows by the names of the columns, numbers in base units; None where there is no value."""
    cells = [each.plain(batch.values[each.name][:most]) for each in columns]
    return [dict(zip((each.name for each in columns), row, strict=True)) for row in zip(*cells, strict=True)]


def arrow_table(batch: Batch, columns: Sequence[Column]) -> Any:  # noqa: ANN401 - pyarrow is optional
    """A table of Arrow; raises FormulaError where pyarrow is not installed."""
    arrow = package("pyarrow", _NEEDED_BY)
    schema = _schema(columns, arrow)
    arrays = [_array(each, batch.values[each.name], schema.field(n).type, arrow) for n, each in enumerate(columns)]
    return arrow.Table.from_arrays(arrays, schema=schema)


def _schema(columns: Sequence[Column], arrow: Any) -> Any:  # noqa: ANN401 - pyarrow is optional
    kinds = {"flag": arrow.bool_(), "choice": arrow.dictionary(arrow.int32(), arrow.string()), "date": arrow.string()}
    kinds["record"] = kinds["choice"]
    found = []
    for each in columns:
        type_ = arrow.int64() if _is_whole(each) else kinds.get(each.quantity.kind, arrow.float64())
        found.append(arrow.field(each.header, type_, metadata={"quantity": each.name, "unit": each.unit}))
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
