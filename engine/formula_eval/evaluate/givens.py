"""All that was said about a configuration to one value for each input: who said it last and nearest wins."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from typing import NamedTuple

from formula_eval.core.diagnostic import nearest
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.records import LINKS
from formula_eval.evaluate.records import NOTHING
from formula_eval.evaluate.records import RecordFile
from formula_eval.evaluate.records import SuppliedValues
from formula_eval.evaluate.records import find_record
from formula_eval.evaluate.records import read_record
from formula_eval.evaluate.records import read_rows
from formula_eval.evaluate.schema import Schema
from formula_eval.evaluate.values import Number
from formula_eval.evaluate.values import read_value
from formula_eval.library import Library
from formula_eval.library import read_toml

RECORDS = ("model", "hardware", *LINKS)
DEFAULT_HARDWARE = "h100-sxm"


class Question(NamedTuple):
    """What a user said: records by supplier, input values by name as written, and a scenario file.

    `stated` is what that file says, where it is no TOML and was read already.
    """

    records: Mapping[str, str] = NOTHING
    values: Mapping[str, Any] = NOTHING
    scenario: str = ""
    namespace: str = ""
    origin: str = "option"
    stated: Mapping[str, Any] | None = None


class Givens(NamedTuple):
    """Values in base units by input, the record ids behind them, and who set each of both.

    `files` are these records as they were found: in the library, in a file named by its path, in the scenario itself.
    """

    values: Mapping[str, Number] = NOTHING
    origins: Mapping[str, str] = NOTHING
    records: Mapping[str, str] = NOTHING
    record_origins: Mapping[str, str] = NOTHING
    files: Mapping[str, RecordFile] = NOTHING


def givens_of(question: Question, schema: Schema, library: Library) -> Givens:
    """The givens; raises FormulaError for anything unknown, misspelt or out of range."""
    scenario, own_records = _scenario(question, schema, library)
    own_records = {key: record for key, record in own_records.items() if key not in question.records}

    files: dict[str, RecordFile] = {}

    def found(supplier: str) -> RecordFile:
        files[supplier] = own_records.get(supplier) or find_record(library, supplier, said[supplier])
        return files[supplier]

    said = {**scenario.links, **question.records}
    who = {
        **dict.fromkeys(scenario.links, question.scenario),
        **{name: spoken(name, question.origin) for name in question.records},
    }
    if "hardware" not in said:
        said["hardware"], who["hardware"] = DEFAULT_HARDWARE, "default"
    layers: list[SuppliedValues] = []
    for supplier in ("hardware", "model"):
        if supplier in said:
            record = found(supplier)
            layers.append(read_record(record, schema, library))
            said[supplier] = record.id
            said = {**layers[-1].links, **said}
            who = {**dict.fromkeys(layers[-1].links, layers[-1].origin), **who}
    links = [supplier for supplier in LINKS if supplier in said]
    presets = [read_record(found(each), schema, library) for each in links]
    own = _other_records(schema, library, said, own_records, files)
    asked = _asked(question, schema, library)
    restated = _namespace_preset(question, schema, library, files["hardware"].id)
    order = [*presets, *layers, *restated, *own, scenario, *asked]
    values: dict[str, Number] = {}
    origins: dict[str, str] = {}
    for layer in order:
        values.update(layer.values)
        origins.update(dict.fromkeys(layer.values, layer.origin))
    return Givens(values, origins, said, who, files)


def _asked(question: Question, schema: Schema, library: Library) -> list[SuppliedValues]:
    layers = []
    for name, value in question.values.items():
        found = input_named(name, schema)
        option = spoken(name, question.origin)
        layers.append(SuppliedValues(option, {found: read_value(value, schema.inputs[found], library.units, option)}))
    return layers


def spoken(name: str, origin: str) -> str:
    """How messages name who set a value: an option as it is typed, else the origin itself."""
    if origin != "option":
        return origin
    return "--gpu" if name == "hardware" else f"--{name.replace('_', '-')}"


def input_named(name: str, schema: Schema) -> str:
    """The input of this name; raises FormulaError with the nearest."""
    found = schema.input_name(name)
    if found is not None:
        return found
    help_ = nearest(name, schema.inputs) or "`formula-eval list inputs` shows all."
    if name in schema.formulas:
        help_ = f"It is computed ({schema.formulas[name].place}); set the inputs that it reads."
    raise refuse("unknown-input", f"`{name}` is no input", help=help_)


def _scenario(question: Question, schema: Schema, library: Library) -> tuple[SuppliedValues, dict[str, RecordFile]]:
    """What the scenario sets, and the records that it writes out: `[model]` as a table instead of `model = "id"`."""
    if not question.scenario:
        return SuppliedValues(""), {}
    shown = question.scenario
    data = dict(read_toml(Path(shown), shown) if question.stated is None else question.stated)
    if "gpu" in data:
        data.setdefault("hardware", data.pop("gpu"))
    said = {key: data.pop(key) for key in list(data) if _is_record(key, schema)}
    records = {key: _own_record(key, value, schema, shown) for key, value in said.items() if isinstance(value, dict)}
    links = {key: records[key].id if key in records else str(value) for key, value in said.items()}
    values: dict[str, Number] = {}
    for key, value in _flat(data):
        if isinstance(value, list) and key in schema.tables:
            values.update(read_rows(key, value, schema, library, shown))
        else:
            name = input_named(key, schema)
            values[name] = read_value(value, schema.inputs[name], library.units, shown)
    return SuppliedValues(shown, values, links), records


def _is_record(key: str, schema: Schema) -> bool:
    return key in RECORDS if key not in schema.inputs else schema.inputs[key].quantity.kind == "record"


def _own_record(key: str, data: Mapping[str, Any], schema: Schema, shown: str) -> RecordFile:
    supplier = schema.inputs[key].quantity.unit if key in schema.inputs else key
    return RecordFile(supplier, str(data.get("name", "custom")), shown, data)


def _flat(data: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    flat: list[tuple[str, Any]] = []
    for key, value in data.items():
        name = f"{prefix}{key}"
        flat += _flat(value, f"{name}.") if isinstance(value, dict) else [(name, value)]
    return flat


def _other_records(
    schema: Schema,
    library: Library,
    said: Mapping[str, str],
    own_records: Mapping[str, RecordFile],
    files: dict[str, RecordFile],
) -> list[SuppliedValues]:
    """Records under a name of their own, such as a draft model: `draft_model.heads` for `heads`."""
    layers = []
    for name, each in schema.inputs.items():
        if each.quantity.kind == "record" and name in said:
            files[name] = own_records.get(name) or find_record(library, each.quantity.unit, said[name])
            found = read_record(files[name], schema, library)
            # The record itself is given too, which is all that a formula may ask of it.
            values = {name: True, **{f"{name}.{key}": value for key, value in found.values.items()}}
            layers.append(SuppliedValues(found.origin, values))
    return layers


def _namespace_preset(question: Question, schema: Schema, library: Library, hardware: str) -> list[SuppliedValues]:
    """What a namespace brings along: `preset.toml` in its folder, with values and restated accelerators."""
    layers = []
    folder = "formulas/" + question.namespace.replace(".", "/") if question.namespace else ""
    for base, path in library.files(f"{folder}/preset.toml") if folder else ():
        shown = library.shown(base, path)
        data = read_toml(path, shown)
        for origin, part in (
            (shown, data.get("inputs", {})),
            (f"{shown} [{hardware}]", data.get("hardware", {}).get(hardware, {})),
        ):
            values = {input_named(key, schema): value for key, value in part.items()}
            read = {key: read_value(value, schema.inputs[key], library.units, origin) for key, value in values.items()}
            layers.append(SuppliedValues(origin, read))
    return layers
