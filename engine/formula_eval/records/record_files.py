"""Files of records to records, and a record to checked input values, each with where it came from."""

import re
from collections.abc import Iterator
from pathlib import Path

from formula_eval.core.diagnostic import FormulaError, nearest, refuse
from formula_eval.library import Library, read_toml
from formula_eval.records.record import RecordFile, SuppliedValues
from formula_eval.records.rows import read_rows
from formula_eval.records.schema import InputSchema, Schema
from formula_eval.records.values import Number, read_value

DESCRIPTION = ("name", "aliases", "source", "date", "note", "facts")
LINKS = ("family", "engine", "format")


def find_record(library: Library, schema: Schema, supplier: str, wanted: str) -> RecordFile:
    """The record of this id, alias or path; raises FormulaError with the nearest ids."""
    if supplier == "model" and _is_path(wanted):
        return _from_path(library, schema, wanted)
    if supplier == "model":
        for folder in reversed(library.folders):
            path = folder / "models" / f"{wanted}.toml"
            if re.fullmatch(r"[\w.-]+", wanted) and path.is_file():
                return _model(library, folder, path)
    known: dict[str, RecordFile] = {}
    for record in all_records(library, supplier):
        if record.id == wanted:
            return record
        known.setdefault(record.id.lower(), record)
        for alias in record.data.get("aliases", ()):
            known.setdefault(str(alias).lower(), record)
    found = known.get(wanted.lower())
    if found is not None:
        return found
    if supplier == "model" and re.fullmatch(r"[\w.-]+/[\w.-]+", wanted):
        from formula_eval.records.huggingface.config import from_hub  # noqa: PLC0415 - an optional extra

        return from_hub(library, schema, wanted)
    word = "accelerator" if supplier == "hardware" else supplier
    lists = {"model": "models", "hardware": "hardware"}
    shown = (
        f"`formula-eval list {lists[supplier]}` shows all." if supplier in lists else f"Known are {', '.join(known)}."
    )
    help_ = nearest(wanted, known) or shown
    raise refuse("unknown-record", f"Unknown {word} `{wanted}`", help=help_)


def _is_path(wanted: str) -> bool:
    return wanted.endswith((".toml", ".json")) or wanted.startswith((".", "/", "~")) or Path(wanted).is_dir()


def _from_path(library: Library, schema: Schema, wanted: str) -> RecordFile:
    path = Path(wanted).expanduser()
    try:
        inside = path / "config.json" if path.is_dir() else path
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise refuse("unreadable", f"Cannot read `{wanted}`: {reason}") from error
    if inside.suffix == ".json":
        from formula_eval.records.huggingface.config import from_config  # noqa: PLC0415 - needs the parser of expressions

        return from_config(library, schema, inside, str(inside))
    data = read_toml(inside, wanted)
    if not data:
        raise refuse("empty-record", f"`{wanted}` is empty", help="A model file states layers, hidden, heads, vocab.")
    return RecordFile("model", path.stem, wanted, data)


def _model(library: Library, folder: Path, path: Path) -> RecordFile:
    shown = library.shown(folder, path)
    return RecordFile("model", path.stem, shown, read_toml(path, shown))


def all_records(library: Library, supplier: str) -> Iterator[RecordFile]:
    """All records of a supplier, the user's before ours."""
    for folder in reversed(library.folders):
        if supplier == "model":
            for path in sorted((folder / "models").glob("*.toml")):
                yield _model(library, folder, path)
            continue
        path = folder / ("hardware.toml" if supplier == "hardware" else f"presets/{supplier}.toml")
        if path.is_file():
            shown = library.shown(folder, path)
            for name, data in read_toml(path, shown).items():
                if not isinstance(data, dict):
                    raise refuse("bad-record", f"{shown}: `{name}` stands outside a table", help="Begin with `[id]`.")
                yield RecordFile(supplier, name, shown, data)


def record_ids(library: Library, supplier: str) -> list[str]:
    """The ids of all records of a supplier; those of models without opening a file."""
    if supplier == "model":
        return sorted({path.stem for _, path in library.files("models/*.toml")})
    return sorted({record.id for record in all_records(library, supplier)})


def read_record(record: RecordFile, schema: Schema, library: Library) -> SuppliedValues:
    """The checked values of a record: every key an input of its supplier, every required input there."""
    origin = record.shown if record.supplier == "model" else f"{record.shown} [{record.id}]"
    inputs = {each.key: each for each in schema.inputs.values() if each.supplier == record.supplier and not each.record}
    own = {key: value for key, value in record.data.items() if key not in (*DESCRIPTION, *LINKS)}
    values: dict[str, Number] = {}
    tables: dict[str, int] = {}
    for key, value in own.items():
        table = schema.table_name(key, record.supplier)
        if table is not None:
            values.update(read_rows(table, value, schema, library, origin))
            tables[table] = len(value)
        elif key in inputs:
            values[inputs[key].name] = read_value(value, inputs[key], library.units, origin)
        else:
            raise _unknown_key(key, schema, record, origin)
    missing = [key for key, each in inputs.items() if _required(each) and key not in values]
    if missing:
        listed = ", ".join(f"`{key}`" for key in missing)
        help_ = " ".join(f"`{key}`: {inputs[key].sentence}." for key in missing[:3])
        raise refuse("missing-value", f"{origin} lacks {listed}", help=help_)
    return SuppliedValues(origin, values, {k: str(record.data[k]) for k in LINKS if k in record.data}, tables)


def _required(schema: InputSchema) -> bool:
    return not schema.default and not schema.optional


def _unknown_key(key: str, schema: Schema, record: RecordFile, origin: str) -> FormulaError:
    inputs = [each.key for each in schema.inputs.values() if each.supplier == record.supplier and not each.record]
    tables = [each.rpartition(".")[2] for each in schema.tables if schema.table_name(each, record.supplier)]
    known = nearest(key, [*inputs, *tables, *DESCRIPTION])
    help_ = known or f"`formula-eval list inputs` shows what a {record.supplier} may say."
    return refuse("unknown-key", f"{origin}: `{key}` is no input of a {record.supplier}", help=help_)
