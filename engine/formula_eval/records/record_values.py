"""Checks the input values of a record: each key is an input of its kind, in full or by its last part."""

from collections.abc import Iterator, Mapping
from typing import Any

from formula_eval.core.diagnostic import FormulaError, nearest, refuse
from formula_eval.core.option_names import option_of
from formula_eval.records.record import RecordFile, SuppliedValues
from formula_eval.records.rows import origin_as_written, read_rows
from formula_eval.records.schema import InputSchema, Schema
from formula_eval.records.values import Number, read_value

DESCRIPTION = ("name", "aliases", "source", "date", "note", "version", "facts", "of")


def read_record(record: RecordFile, schema: Schema, *, whole: bool = True) -> SuppliedValues:
    """The checked values of a record; with `whole`, none that it needs may be missing. Raises FormulaError."""
    key = record.supplier, record.id, record.shown
    read = schema.read_records.get(key)
    if read is None or read[0] is not record.data:
        read = schema.read_records[key] = record.data, _read(record, schema)
    found: SuppliedValues = read[1]
    if whole:
        inputs = schema.inputs_of(record.supplier).items()
        refuse_missing(
            [input_schema for name, input_schema in inputs if input_schema.is_required and name not in found.values],
            found.origin,
        )
    return found


def _read(record: RecordFile, schema: Schema) -> SuppliedValues:
    origin = origin_of(record, schema)
    inputs = schema.inputs_of(record.supplier)
    links = links_of(record, schema)
    aside = (*DESCRIPTION, *links, *schema.kinds[record.supplier].suppliers)
    own = {key: value for key, value in record.data.items() if key not in aside}
    values: dict[str, Number] = {}
    tables: dict[str, int] = {}
    for key, value in flat(own):
        table = schema.table_name(key, record.supplier)
        name = None if table else _input_named(key, inputs, origin)
        if table is not None:
            values.update(read_rows(table, value, schema, origin, record.written))
            tables[table] = len(value)
        elif name is not None:
            values[name] = read_value(value, inputs[name], schema.units, origin_as_written(origin, key, record.written))
        elif outer := schema.table_name(key.rpartition(".")[0], record.supplier):
            read_rows(outer, value, schema, origin)
        else:
            raise _unknown_key(key, schema, record, origin)
    return SuppliedValues(origin, values, links, tables, written=record.written)


def origin_of(record: RecordFile, schema: Schema) -> str:
    """How messages name a record: its file, and its table there if the file holds several."""
    return record.shown if schema.kinds[record.supplier].is_folder else f"{record.shown} [{record.id}]"


def links_of(record: RecordFile, schema: Schema) -> dict[str, str]:
    """The records of other kinds that a record names."""
    named = (kind for kind in schema.kinds.values() if record.supplier in kind.suppliers)
    return {kind.name: str(record.data[kind.name]) for kind in named if kind.name in record.data}


def refuse_missing(missing: list[InputSchema], origin: str) -> None:
    """Refuse a record that lacks these inputs."""
    if missing:
        listed = ", ".join(f"`{input_schema.name}`" for input_schema in missing)
        help_ = " ".join(f"`{input_schema.name}`: {input_schema.sentence}." for input_schema in missing[:3])
        help_ += f" Write it there, or give {option_of(missing[0].name)} beside it."
        raise refuse("missing-value", f"{origin} lacks {listed}", help=help_)


def flat(data: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The values of a table with the dotted names of the tables around them: `[vision] depth` is `vision.depth`."""
    for key, value in data.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict):
            yield from flat(value, f"{name}.")
        else:
            yield name, value


def _input_named(key: str, inputs: Mapping[str, InputSchema], origin: str) -> str | None:
    """The input of this name, or the only one of a folder that ends so."""
    if key in inputs:
        return key
    inner = [name for name in inputs if name.endswith(f".{key}") and inputs[name].cell is None]
    if len(inner) > 1:
        message = f"{origin}: `{key}` may be {' or '.join(f'`{name}`' for name in inner)}"
        raise refuse("unknown-key", message, help=f'Write the whole name: `"{inner[0]}" = ...`.')
    return inner[0] if inner else None


def _unknown_key(key: str, schema: Schema, record: RecordFile, origin: str) -> FormulaError:
    inputs = [name for name, input_schema in schema.inputs_of(record.supplier).items() if input_schema.cell is None]
    tables = [table.rpartition(".")[2] for table in schema.tables if schema.table_name(table, record.supplier)]
    links = [kind.name for kind in schema.kinds.values() if record.supplier in kind.suppliers]
    short = (each.rpartition(".")[2] for each in inputs)
    known = nearest(key, [*inputs, *short, *tables, *links, *DESCRIPTION])
    help_ = known or f"`formula-eval list inputs` shows what a {record.supplier} may say."
    if key in schema.kinds:
        help_ = f"Only records of a kind that stands behind the `from` of `record {key}` name one."
    return refuse("unknown-key", f"{origin}: `{key}` is not an input of a {record.supplier}", help=help_)
