"""Records, a scenario file and options to one value for each input, with where it came from."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.library import Library, read_toml
from formula_eval.records import record_files
from formula_eval.records.record import NOTHING, RecordFile, SuppliedValues
from formula_eval.records.rows import cells_of, read_rows, refuse_half_rows
from formula_eval.records.schema import InputSchema, Schema
from formula_eval.records.values import Number, read_value

RECORDS = ("model", "hardware", *record_files.LINKS)
DEFAULT_HARDWARE = "h100-sxm"


class Question(NamedTuple):
    """What a user said: records by supplier, input values by name as written, and a scenario file.

    `stated` is what that file says, where it is no TOML and was read already. `training` asks about a training run
    instead of serving: it chooses what is shown where no quantities are named.
    """

    records: Mapping[str, str] = NOTHING
    values: Mapping[str, Any] = NOTHING
    scenario: str = ""
    namespace: str = ""
    origin: str = "option"
    stated: Mapping[str, Any] | None = None
    training: bool = False

    @property
    def purpose(self) -> str:
        """What the question is about: `serving`, `training`, or either of them in the namespace that it asks."""
        if not self.namespace:
            return "training" if self.training else "serving"
        return f"{self.namespace}.training" if self.training else self.namespace


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
    question = _with_records(question, schema)
    scenario, own_records = _scenario(question, schema, library)
    own_records = {key: record for key, record in own_records.items() if key not in question.records}

    files: dict[str, RecordFile] = {}

    def found(supplier: str) -> RecordFile:
        files[supplier] = own_records.get(supplier) or record_files.find_record(
            library, schema, supplier, said[supplier]
        )
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
            layers.append(record_files.read_record(record, schema, library))
            said[supplier] = record.id
            said = {**layers[-1].links, **said}
            who = {**dict.fromkeys(layers[-1].links, layers[-1].origin), **who}
    links = [supplier for supplier in record_files.LINKS if supplier in said]
    presets = [record_files.read_record(found(each), schema, library) for each in links]
    own = _other_records(schema, library, said, own_records, files)
    asked = _asked(question, schema, library)
    restated = _namespace_preset(question, schema, library, files["hardware"].id)
    values, origins = _merged([*presets, *layers, *restated, *own, scenario, *asked], schema)
    return Givens(values, origins, said, who, files)


def _merged(layers: Iterable[SuppliedValues], schema: Schema) -> tuple[dict[str, Number], dict[str, str]]:
    """All values and where each is from, a later layer before an earlier one; refuses half a row, or a second one."""
    values: dict[str, Number] = {}
    origins: dict[str, str] = {}
    for layer in layers:
        _refuse_second_rows(layer, values, origins, schema)
        values.update(layer.values)
        origins.update(dict.fromkeys(layer.values, layer.origin))
    refuse_half_rows(values, origins, schema)
    return values, origins


def _with_records(question: Question, schema: Schema) -> Question:
    """The question with those of its values among the records that are ids of records, such as a draft model's."""
    inputs, said = schema.inputs, question.values
    named = {name: str(said[name]) for name in said if name in inputs and inputs[name].quantity.kind == "record"}
    values = {name: value for name, value in said.items() if name not in named}
    return question._replace(records={**question.records, **named}, values=values) if named else question


def _refuse_second_rows(
    layer: SuppliedValues, values: Mapping[str, Number], origins: Mapping[str, str], schema: Schema
) -> None:
    """Refuse rows of a table that another gave rows: nobody could say which cells of both hold."""
    for table in layer.tables:
        before = next((name for name in values if name.startswith(f"{table}.")), None)
        if before is not None:
            short = table.rpartition(".")[2]
            cells = cells_of(table, schema.tables[table].rows[0], schema).values()
            help_ = f"Write the whole record in the file, or {_such_as(cells)}"
            message = f"{layer.origin}: `{short}` has rows already, those of {origins[before]}"
            raise refuse("second-rows", message, help=help_)


def _such_as(cells: Iterable[InputSchema]) -> str:
    return f"set a cell of it, such as `{next(iter(cells)).name}`."


def _asked(question: Question, schema: Schema, library: Library) -> list[SuppliedValues]:
    layers = []
    for name, value in question.values.items():
        found = input_named(name, schema, question.namespace)
        option = spoken(name, question.origin)
        layers.append(SuppliedValues(option, {found: read_value(value, schema.inputs[found], library.units, option)}))
    return layers


def spoken(name: str, origin: str) -> str:
    """How messages name who set a value: an option as it is typed, else the origin itself."""
    if origin != "option":
        return origin
    return "--gpu" if name == "hardware" else f"--{name.replace('_', '-')}"


def input_named(name: str, schema: Schema, namespace: str = "") -> str:
    """The input of this name as a namespace sees it; raises FormulaError with the nearest."""
    found = schema.input_name(name, namespace)
    if found is not None:
        return found
    help_ = nearest(name, schema.inputs) or "`formula-eval list inputs` shows all."
    if name in schema.tables:
        cells = cells_of(name, schema.tables[name].rows[0], schema).values()
        help_ = f"It is a table; {_such_as(cells)}" if cells else "It is a table of formulas."
    elif name in schema.formulas:
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
    tables: dict[str, int] = {}
    for key, value in _flat(data):
        table = _table_named(key, schema)
        if isinstance(value, list) and table is not None:
            values.update(read_rows(table, value, schema, library, shown))
            tables[table] = len(value)
        else:
            name = input_named(key, schema, question.namespace)
            values[name] = read_value(value, schema.inputs[name], library.units, shown)
    return SuppliedValues(shown, values, links, tables), records


def _table_named(name: str, schema: Schema) -> str | None:
    """The table of this name that some record, or a scenario itself, may fill."""
    suppliers = dict.fromkeys(table.supplier for table in schema.tables.values())
    found = (schema.table_name(name, supplier) for supplier in suppliers)
    return next((each for each in found if each is not None), None)


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
            files[name] = own_records.get(name) or record_files.find_record(
                library, schema, each.quantity.unit, said[name]
            )
            found = record_files.read_record(files[name], schema, library)
            # The record itself is given too, which is all that a formula may ask of it.
            values = {name: True, **{f"{name}.{key}": value for key, value in found.values.items()}}
            layers.append(SuppliedValues(found.origin, values))
    return layers


def presets_around(namespace: str, library: Library) -> list[tuple[Path, Path]]:
    """The files `preset.toml` of a namespace and of the folders around it, outermost first."""
    parts = namespace.split(".") if namespace else []
    folders = ("/".join(("formulas", *parts[:count])) for count in range(1, len(parts) + 1))
    return [found for folder in folders for found in library.files(f"{folder}/preset.toml")]


def _namespace_preset(question: Question, schema: Schema, library: Library, hardware: str) -> list[SuppliedValues]:
    """What a namespace brings along: `preset.toml` in its folder, with values and restated accelerators."""
    layers = []
    for base, path in presets_around(question.namespace, library):
        shown = library.shown(base, path)
        data = read_toml(path, shown)
        for origin, part in (
            (shown, data.get("inputs", {})),
            (f"{shown} [{hardware}]", data.get("hardware", {}).get(hardware, {})),
        ):
            values = {input_named(key, schema, question.namespace): value for key, value in part.items()}
            read = {key: read_value(value, schema.inputs[key], library.units, origin) for key, value in values.items()}
            layers.append(SuppliedValues(origin, read))
    return layers
