"""Converts a result to a pandas data frame or an Arrow table."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from formula_eval.core.missing_extra import missing_extra
from formula_eval.evaluate.result import Result
from formula_eval.evaluate.value import Value
from formula_eval.records.schema import Schema

_TEXTS = ("unit", "text", "origin", "meaning")


def rows_of(result: Result, schema: Schema) -> dict[str, list[Any]]:
    """Columns of equal length: a row for each quantity, then for each input behind them."""
    values = sorted({**result.values, **result.inputs}.values(), key=lambda value: value.name in schema.inputs)
    return {
        "name": [value.name for value in values],
        "value": [_number(value) for value in values],
        "unit": [value.unit for value in values],
        "text": [str(value) for value in values],
        "origin": [value.origin for value in values],
        "meaning": [_meaning(value.name, schema) for value in values],
    }


def _number(value: Value) -> float | None:
    plain = value.plain
    return None if plain is None or isinstance(plain, str) else float(plain)


def _meaning(name: str, schema: Schema) -> str:
    return schema.inputs[name].sentence if name in schema.inputs else schema.formulas[name].sentence


def pandas_frame(columns: Mapping[str, list[Any]]) -> Any:  # noqa: ANN401 - pandas is optional
    """A frame with the names as its index; raises FormulaError where pandas is not installed."""
    pandas = package("pandas", "to_pandas")
    frame = pandas.DataFrame(dict(columns)).set_index("name")
    return frame.astype({"value": "float64"})


def arrow_table(columns: Mapping[str, list[Any]]) -> Any:  # noqa: ANN401 - pyarrow is optional
    """A table of the same columns; raises FormulaError where pyarrow is not installed."""
    arrow = package("pyarrow", "to_arrow")
    types = {"name": arrow.string(), "value": arrow.float64(), **dict.fromkeys(_TEXTS, arrow.string())}
    return arrow.table(dict(columns), schema=arrow.schema(list(types.items())))


def package(name: str, wanted_by: str) -> Any:  # noqa: ANN401 - a module
    """An optional package, or a module of it; raises FormulaError where it is not installed."""
    top = name.partition(".")[0]
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != top:
            raise
        raise missing_extra(f"`{wanted_by}`", top, top) from error
