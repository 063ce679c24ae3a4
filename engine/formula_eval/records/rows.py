"""Checks the cells of table rows that a record fills, and refuses rows that are filled by halves."""

from collections.abc import Collection, Mapping
from typing import Any

from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.core.table import FILLED, Cell
from formula_eval.records.record import NOTHING
from formula_eval.records.schema import InputSchema, Schema
from formula_eval.records.values import Number, read_value


def origin_as_written(origin: str, key: str, written: Mapping[str, str]) -> str:
    """The origin of a value with what was written there, if it is not the key itself."""
    return f"{origin}: {written[key]}" if written.get(key) else origin


def read_rows(
    table: str,
    rows: Any,  # noqa: ANN401 - whatever TOML holds
    schema: Schema,
    origin: str,
    written: Mapping[str, str] = NOTHING,
) -> dict[str, Number]:
    """The cells of a table that a record fills: `[[table]]` once for each row."""
    names = schema.tables[table].rows
    short = table.rpartition(".")[2]
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        message = f"{origin}: a row of `{short}` is a table of its own"
        raise refuse("bad-value", message, help=f"Write `[[{short}]]` once for each row, its cells beneath.")
    if len(rows) > len(names):
        raise refuse("too-many-rows", f"{origin}: `{short}` takes at most {len(names)} rows, not {len(rows)}")
    values: dict[str, Number] = {}
    for name, row in zip(names, rows, strict=False):
        cells = cells_of(table, name, schema)
        for key, value in row.items():
            if key not in cells:
                help_ = nearest(key, cells) or f"Its columns are {', '.join(f'`{cell}`' for cell in cells)}."
                raise refuse("unknown-key", f"{origin}: `{short}` has no column `{key}`", help=help_)
            said = origin_as_written(origin, f"{short}: {key}", written)
            values[cells[key].name] = read_value(value, cells[key], schema.units, said)
        _refuse_missing(cells, row, f"{origin}: row {name} of `{short}`")
        if f"{table}.{name}.{FILLED}" in schema.inputs:
            values[f"{table}.{name}.{FILLED}"] = True
    return values


def cells_of(table: str, row: str, schema: Schema, record: str = "") -> dict[str, InputSchema]:
    """The cells of a row that a record states, by column; those of another record stand under its name."""
    prefix = f"{record}." if record else ""
    named = {column: f"{prefix}{table}.{row}.{column}" for column in schema.tables[table].columns}
    return {column: schema.inputs[name] for column, name in named.items() if name in schema.inputs}


def _refuse_missing(cells: Mapping[str, InputSchema], given: Collection[str], row: str) -> None:
    missing = [column for column, cell in cells.items() if not cell.default and column not in given]
    if missing:
        help_ = " ".join(f"`{name}`: {cells[name].sentence}." for name in missing[:3] if cells[name].sentence)
        raise refuse("missing-value", f"{row} lacks {', '.join(f'`{name}`' for name in missing)}", help=help_)


def is_unfilled(cell: Cell | None, numbers: Mapping[str, float], record: str = "") -> bool:
    """Whether this is a cell of a row that is not there, or the flag that says so."""
    return cell is not None and numbers.get(cell.beside(FILLED, record)) == 0


def refuse_half_rows(values: Mapping[str, Number], origins: Mapping[str, str], schema: Schema) -> None:
    """Refuse a cell of a row that nobody fills, and a filled row without a cell that has no default."""
    inputs = (schema.inputs[name] for name in values if name in schema.inputs)
    said = {(input_schema.cell[:2], input_schema.record) for input_schema in inputs if input_schema.cell is not None}
    for filled in schema.filled:
        assert filled.cell is not None  # noqa: S101 - for the type checker
        table, row, _ = filled.cell
        if ((table, row), filled.record) not in said:
            continue
        cells = cells_of(table, row, schema, filled.record)
        given = {column: cell.name for column, cell in cells.items() if cell.name in values}
        if values.get(filled.name):
            _refuse_missing(cells, given, f"Row {row} of `{table}`")
        elif given and filled.name not in values:
            name = next(iter(given.values()))
            message = f"{origins[name]}: row {row} of `{table}` is not filled, so `{name}` has no meaning"
            raise refuse("empty-row", message, help=f"Set `{filled.name}` too, or let a record give the row.")
