"""Merges records, a scenario file and options into one value for each input, with where it came from."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from formula_eval.core.diagnostic import refuse
from formula_eval.core.table import FILLED
from formula_eval.library import Library
from formula_eval.records.answer_kind import ANSWER, usual_purpose
from formula_eval.records.input_names import by_side, input_named, place_of, records_among, said_twice, spoken, such_as
from formula_eval.records.origin import PRESET, Origin
from formula_eval.records.record import NOTHING, RecordFile, SuppliedValues
from formula_eval.records.record_links import Held, Said, by_what_brings, held_records
from formula_eval.records.record_values import flat
from formula_eval.records.rows import cells_of, origin_as_written, read_rows, refuse_half_rows
from formula_eval.records.scenario_file import read_scenario
from formula_eval.records.schema import InputSchema, Schema
from formula_eval.records.values import InBaseUnits, Number, changed_value, read_value, relative_change

if TYPE_CHECKING:
    from formula_eval.records.launch_reading import Launch

# Who gives the rows of a table that no record gives.
_SCENARIO = "scenario"


class Question(NamedTuple):
    """What a user said: records by supplier, input values by name as written, and a scenario file.

    `stated` is what that file says, or a `launch` command in its place, where it was read already. `purpose` is
    what it is about, if not what a library has first: it chooses what is shown where no quantities are named.
    """

    records: Mapping[str, str] = NOTHING
    values: Mapping[str, Any] = NOTHING
    scenario: str = ""
    namespace: str = ""  # folder whose names and preset hold, or empty
    origin: Origin = Origin.OPTION  # who states these records and values
    stated: Mapping[str, Any] | None = None
    purpose: str = ""
    launch: "Launch | None" = None

    @property
    def answer(self) -> str:
        """What `--answer` says to ask this: a purpose, a namespace, or both; nothing for the usual answer."""
        return ".".join(text for text in (self.namespace, self.purpose) if text)

    def about(self, library: Library) -> str:
        """The same with the name of the usual answer."""
        return self.answer or usual_purpose(library)

    def at(self, numbers: Mapping[str, float]) -> "Question":
        """The question with these numbers, in base units, in place of what it says of their inputs."""
        return self._replace(values={**self.values, **{name: InBaseUnits(number) for name, number in numbers.items()}})


ANY_QUESTION = Question()


class Givens(NamedTuple):
    """Values in base units by input, the record ids behind them, and who set each of both.

    `files` are these records as they were found: in the library, in a file named by its path, in the scenario itself.
    `changes` are factors on defaults, which only an evaluator knows; `written` is what was said for an input in a file
    that calls it otherwise, as messages quote it.
    """

    values: Mapping[str, Number] = NOTHING  # by the whole name of the input
    origins: Mapping[str, str] = NOTHING  # who set each value, by input
    records: Mapping[str, str] = NOTHING
    record_origins: Mapping[str, str] = NOTHING  # who named each record, by kind or input
    files: Mapping[str, RecordFile] = NOTHING
    changes: Mapping[str, Fraction] = NOTHING
    written: Mapping[str, str] = NOTHING


def givens_of(question: Question, schema: Schema, library: Library) -> Givens:
    """The givens; raises FormulaError for anything unknown, misspelt or out of range."""
    question = _with_records(question, schema)
    question = question._replace(records=by_what_brings(question.records, schema, library))
    scenario, own_records = scenario_of(question, schema)
    own_records = {key: record for key, record in own_records.items() if key not in question.records}
    said = {**scenario.links, **question.records}
    who = {
        **dict.fromkeys(scenario.links, question.scenario),
        **{name: spoken(name, question.origin, schema.kinds) for name in question.records},
    }
    linked = [name for name in scenario.links if name not in question.records]
    places = {name: origin_as_written(question.scenario, name, scenario.written) for name in linked}
    held = held_records(Said(said, who, own_records, places), schema, library)
    restated = namespace_preset(question, schema, library, held.ids)
    kinds = [held.supplied[name] for name in schema.kinds if name in held.supplied]
    others = [_under_its_name(name, held.supplied[name], schema) for name in held.supplied if name not in schema.kinds]
    layers = [*kinds, *restated, *others, scenario, *_asked(question, schema)]
    values, origins, changes = _merged(layers, schema)
    for name, outside in _same_for_others(values, held, schema).items():
        values[name], origins[name] = values[outside], origins[outside]
    return Givens(values, origins, held.ids, held.who, held.files, changes, _as_written(layers))


def _as_written(layers: Iterable[SuppliedValues]) -> dict[str, str]:
    """What was said for each input, where the last who set it calls it otherwise."""
    found: dict[str, str] = {}
    for layer in layers:
        found.update((name, layer.written.get(name, "")) for name in layer.values)
    return {name: said for name, said in found.items() if said}


def _under_its_name(name: str, supplied: SuppliedValues, schema: Schema) -> SuppliedValues:
    """What a record says that stands under a name of its own, such as a draft model: `draft_model.heads` for `heads`.

    The record itself is given too, which is all that a formula may ask of it.
    """
    prefix = schema.inputs[name].record or name
    values = {name: True, **{f"{prefix}.{key}": value for key, value in supplied.values.items()}}
    written = {f"{prefix}.{key}": said for key, said in supplied.written.items()}
    return supplied._replace(values=values, links=NOTHING, tables=NOTHING, written=written)


def _same_for_others(values: Mapping[str, Number], held: Held, schema: Schema) -> dict[str, str]:
    """The inputs of a kind of which another record names none: those without a default are the same for both."""
    found = {}
    for input_schema, outside in schema.shared:
        if (
            outside in values
            and input_schema.name not in values
            and f"{input_schema.record}.{input_schema.supplier}" not in held.ids
        ):
            found[input_schema.name] = outside
    return found


def _merged(
    layers: Iterable[SuppliedValues], schema: Schema
) -> tuple[dict[str, Number], dict[str, str], dict[str, Fraction]]:
    """All values and where each is from, a later layer before an earlier one; refuses half a row, or a second one.

    The changes are those of inputs without a value.
    """
    values: dict[str, Number] = {}
    origins: dict[str, str] = {}
    changes: dict[str, Fraction] = {}
    for layer in layers:
        _refuse_second_rows(layer, values, origins, schema)
        changes = {name: factor for name, factor in changes.items() if name not in layer.values}
        values.update(layer.values)
        for name, factor in layer.changes.items():
            if name in values:
                values[name] = changed_value(values[name], factor, schema.inputs[name], schema.units, layer.origin)
            else:
                changes[name] = changes.get(name, Fraction(1)) * factor
        origins.update(dict.fromkeys((*layer.values, *layer.changes), layer.origin))
    refuse_half_rows(values, origins, schema)
    return values, origins, changes


def _with_records(question: Question, schema: Schema) -> Question:
    """The question with those of its values among the records that are ids of records, such as a draft model's."""
    named, values = records_among(question.values, schema, question.namespace)
    return question._replace(records={**named, **question.records}, values=values) if named else question


def _refuse_second_rows(
    layer: SuppliedValues, values: Mapping[str, Number], origins: Mapping[str, str], schema: Schema
) -> None:
    """Refuse rows of a table that another gave rows: nobody could say which cells of both hold."""
    for table in layer.tables:
        before = next((name for name in values if name.startswith(f"{table}.")), None)
        if before is not None:
            short = table.rpartition(".")[2]
            cells = cells_of(table, schema.tables[table].rows[0], schema).values()
            message = f"{layer.origin}: `{short}` has rows already, those of {origins[before]}"
            raise refuse("second-rows", message, help=f"Write the whole record in the file, or {such_as(cells)}")


def _asked(question: Question, schema: Schema) -> list[SuppliedValues]:
    layers = []
    seen: dict[str, Any] = {}
    for name, value in question.values.items():
        found = input_named(name, schema, question.namespace)
        if str(seen.setdefault(found, value)) != str(value):
            raise said_twice(found, name, seen[found], value)
        option = spoken(name, question.origin)
        change = relative_change(value, schema.inputs[found])
        if change is not None:
            layers.append(SuppliedValues(option, changes={found: change}))
            continue
        read = read_value(value, schema.inputs[found], schema.units, option)
        layers.append(SuppliedValues(option, {**_row_of(schema.inputs[found], schema), found: read}))
    return layers


def _row_of(cell: InputSchema, schema: Schema) -> dict[str, Number]:
    """The flag that the row of a cell is there, if nobody but the one who sets the cell could say so."""
    if cell.supplier != _SCENARIO or cell.cell is None:
        return {}
    return {flag: True} if (flag := cell.cell.beside(FILLED, cell.record)) in schema.inputs else {}


def scenario_data(question: Question) -> Mapping[str, Any]:
    """What the scenario file of a question says, or a launch command in its place; nothing where there is neither."""
    if question.stated is not None:
        return question.stated
    return read_scenario(question.scenario) if question.scenario else {}


def scenario_of(question: Question, schema: Schema) -> tuple[SuppliedValues, dict[str, RecordFile]]:
    """What the scenario sets, and the records that it writes out: `[model]` as a table instead of `model = "id"`."""
    if not question.scenario:
        return SuppliedValues(""), {}
    shown = question.scenario
    sided = by_side(scenario_data(question), schema)
    data = {key: each for key, each in sided if key != ANSWER or key in schema.inputs}
    places = {key: place_of(key, schema, question.namespace) for key in data}
    said = {place: data.pop(key) for key, place in places.items() if place}
    written = {} if question.launch is None else question.launch.written
    tables_of_records = {key: value for key, value in said.items() if isinstance(value, dict)}
    records = {key: _own_record(key, value, schema, shown, written) for key, value in tables_of_records.items()}
    links = {key: records[key].id if key in records else str(value) for key, value in said.items()}
    values: dict[str, Number] = {}
    tables: dict[str, int] = {}
    changes: dict[str, Fraction] = {}
    stated_as: dict[str, str] = {}
    for key, value in flat(data):
        table = _table_named(key, schema)
        if isinstance(value, list) and table is not None:
            values.update(read_rows(table, value, schema, shown))
            tables[table] = len(value)
        else:
            name = input_named(key, schema, question.namespace, shown)
            if name in stated_as:
                raise said_twice(f"{shown}: {name}", key, data.get(stated_as[name]), value)
            stated_as[name] = key
            change = relative_change(value, schema.inputs[name])
            if change is None:
                values[name] = read_value(value, schema.inputs[name], schema.units, shown)
            else:
                changes[name] = change
    return SuppliedValues(shown, values, links, tables, changes, written), records


def _table_named(name: str, schema: Schema) -> str | None:
    """The table of this name that some record, or a scenario itself, may fill."""
    suppliers = dict.fromkeys(table.supplier for table in schema.tables.values())
    found = (schema.table_name(name, supplier) for supplier in suppliers)
    return next((each for each in found if each is not None), None)


def _own_record(
    key: str, data: Mapping[str, Any], schema: Schema, shown: str, written: Mapping[str, str]
) -> RecordFile:
    supplier = schema.inputs[key].quantity.unit if key in schema.inputs else key
    return RecordFile(supplier, str(data.get("name", "custom")), shown, data, written=written)


def presets_around(namespace: str, library: Library) -> list[tuple[Path, Path]]:
    """The files `preset.toml` of a namespace and of the folders around it, outermost first."""
    parts = namespace.split(".") if namespace else []
    folders = ("/".join(("formulas", *parts[:count])) for count in range(1, len(parts) + 1))
    return [found for folder in folders for found in library.files(f"{folder}/{PRESET}")]


def restated_kinds(namespace: str, schema: Schema, library: Library) -> list[str]:
    """The kinds of records of which a namespace states some anew."""
    files = [library.toml(path, library.shown(base, path)) for base, path in presets_around(namespace, library)]
    return [kind for kind in schema.kinds if any(isinstance(data.get(kind), dict) for data in files)]


def namespace_preset(
    question: Question, schema: Schema, library: Library, held: Mapping[str, str]
) -> list[SuppliedValues]:
    """What a namespace brings along: `preset.toml` in its folder, with values and restated accelerators."""
    layers = []
    for base, path in presets_around(question.namespace, library):
        shown = library.shown(base, path)
        data = library.toml(path, shown)
        ids = [(kind, wanted) for kind, wanted in held.items() if kind in schema.kinds]
        anew = [(f"{shown} [{wanted}]", data.get(kind, {}).get(wanted, {})) for kind, wanted in ids]
        for origin, part in [(shown, data.get("inputs", {})), *anew]:
            values = {input_named(key, schema, question.namespace, origin): value for key, value in part.items()}
            read = {key: read_value(value, schema.inputs[key], schema.units, origin) for key, value in values.items()}
            layers.append(SuppliedValues(origin, read))
    return layers
