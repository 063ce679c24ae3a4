"""Translates a config to our inputs and kinds of layers, by the table of its family."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from formula_eval.core.diagnostic import FormulaError, nearest, refuse
from formula_eval.core.quantity import Quantified
from formula_eval.core.record_kind import RecordKind
from formula_eval.library import Library
from formula_eval.records.example_value import takes_plain
from formula_eval.records.huggingface.family_config import completed, counts_layers, layer_count
from formula_eval.records.huggingface.unread import left_to_family, parts_beside, sentences, unread
from formula_eval.records.mapping.interpreter import described
from formula_eval.records.mapping.reader import ConfigReader, Written
from formula_eval.records.record import RecordFile
from formula_eval.records.record_values import flat
from formula_eval.records.rows import cells_of
from formula_eval.records.schema import Schema
from formula_eval.records.values import InBaseUnits
from formula_eval.toml_table import check_table, table

_TEXT = re.compile(r'"([^"]*)"')
_COUNT = "count"  # the column that says how many layers are of a kind
_WHEN = "when"  # the condition under which a row that is no kind of layer stands
_TEXTS = table("*:text")
_KEYS = (
    "model_type? source? also?:[text] defaults?:any_table decoder?:any_table inputs?:inputs aliases?:texts "
    "derived?:texts words?:texts per_layer?:lists without_effect?:lists whole?:lists parts?:texts refuse?:texts "
    "told?:texts projectors?:texts gguf?:texts *:rows|[rows]"
)
FAMILY = table(
    _KEYS,
    any_table=table("*:any"),
    inputs=table("*key:text"),
    texts=_TEXTS,
    lists=table("*:[any]"),
    rows=_TEXTS,
)


TOWERS = "towers/"  # tables of what stands beside a text decoder, in the folder of the records


def families(library: Library, kind: RecordKind) -> Mapping[str, tuple[Path, Path]]:
    """The folder and file of each family table by its `model_type`; the user's before ours."""
    return {path.stem: (folder, path) for folder, path in library.files(f"{kind.path}families/*.toml")}


def translated(  # noqa: PLR0913, PLR0917 - the config, and what it stands in
    library: Library,
    schema: Schema,
    kind: RecordKind,
    config: Mapping[str, Any],
    shown: str,
    whole: Mapping[str, Any],
    keys: Mapping[str, str],
    family: Mapping[str, Any],
) -> RecordFile:
    """Our inputs for a config, read by a table of a family, and what its reader should be told.

    `whole` holds the parts that this one stands beside and nothing counts; `keys` are those that a file has in the
    place of a config's.
    """
    read = ConfigReader(library, config, shown, _written(config, keys))
    try:
        data = _inputs(schema, kind, read, family)
    except FormulaError as error:
        raise _with_misspelt(
            error, sentences(unread(config, family, schema.synonyms)._replace(unknown=()), {})
        ) from error

    def matters(key: str) -> bool:
        """Whether anything would be different with another default of a key."""
        other = {**family, "defaults": {**family["defaults"], key: 2 * family["defaults"][key]}}
        try:
            return _inputs(schema, kind, ConfigReader(library, config, shown), other) != data
        except FormulaError:
            return True

    said = completed(read, family)
    told = [text for condition, text in family.get("told", {}).items() if said.value(condition, "told") is True]
    told += left_to_family(config, family, schema.synonyms, matters)
    told += parts_beside(whole, family, alone=counts_layers(said, family))
    data = {"name": shown, "source": shown, **data}
    return RecordFile(kind.name, shown, shown, data, " ".join(told), _written_for(said, family, data))


def _written(config: Mapping[str, Any], keys: Mapping[str, str]) -> dict[str, Written]:
    """What a config says by its keys, those within others as `a.b`."""
    said = (
        (name, keys.get(name, name), value)
        for name, value in {**config, **dict(flat(config))}.items()
        if value is not None
    )
    return {name: Written(key, f"{key} = {described(value)}") for name, key, value in said}


def _written_for(read: ConfigReader, family: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, str]:
    """What the config says, as messages quote it, for each input, and each column of its tables."""
    found = {name: read.said(text) for name, text in family["inputs"].items()}
    layers = range(layer_count(read, family)) if counts_layers(read, family) else range(1)
    for title, parts in ((name, family[name]) for name, rows in data.items() if isinstance(rows, list)):
        for columns in parts if isinstance(parts, list) else [parts]:
            for column, text in _cells(columns):
                said = (read.at_layer(layer).said(text) for layer in layers)
                found[f"{title}: {column}"] = ", ".join(dict.fromkeys(each for each in said if each))
    return found


def _with_misspelt(error: FormulaError, told: Iterator[str]) -> FormulaError:
    """The same refusal, with what the config seems to have misspelt."""
    first, *others = error.diagnostics
    return FormulaError(first._replace(help=" ".join(text for text in (first.help, *told) if text)), *others)


def _inputs(schema: Schema, kind: RecordKind, given: ConfigReader, family: Mapping[str, Any]) -> dict[str, Any]:
    """Our inputs and rows of tables for a config."""
    read, shown = completed(given, family), given.shown
    for condition, why in family.get("refuse", {}).items():
        if read.value(condition, "refuse") is True:
            said = read.said(condition)
            help_ = f"It says {said}." if said else ""
            raise refuse("unsupported-model", f"`{shown}` cannot be represented: {why}", help=help_)
    own = {
        input_schema.key: input_schema.quantity
        for input_schema in schema.inputs.values()
        if input_schema.supplier == kind.name
    }
    types = {input_schema.key: input_schema.quantity for input_schema in schema.inputs.values()} | own
    inputs = {
        name: read.value(text, name, tuple(_TEXT.findall(text)))  # a record, which is looked up later
        if name in schema.kinds
        else _value(read, name, text, types.get(name))
        for name, text in family["inputs"].items()
    }
    tables = {name: each for name, each in family.items() if schema.table_name(name, kind.name)}
    layers = layer_count(read, family) if counts_layers(read, family) else 0
    rows = {
        name: _rows_by_layer(read, _columns(schema, kind, name), name, each, layers) for name, each in tables.items()
    }
    return {**inputs, **rows}


def _value(read: ConfigReader, name: str, text: str, quantity: Quantified | None) -> Any:  # noqa: ANN401 - a config holds anything
    """The value of an input, of one with a unit the number in base units."""
    value = read.value(text, name, quantity.words if quantity else ())
    if isinstance(value, bool | str) or quantity is None or takes_plain(quantity):
        return value
    return InBaseUnits(value)


def family_of(library: Library, kind: RecordKind, config: Mapping[str, Any], shown: str) -> Mapping[str, Any]:
    """The table of the family of a config, with what holds for all; raises FormulaError where there is none."""
    return _with_common(library, kind, _family(library, kind, config, shown))


def _with_common(library: Library, kind: RecordKind, family: Mapping[str, Any]) -> Mapping[str, Any]:
    """The table of a family, with what holds for all as far as it says nothing of its own; the user's before ours."""
    for folder, path in reversed(list(library.files(f"{kind.path}families/common/*.toml"))):
        common = _table(library, folder, path)
        family = {**family, **{name: {**table, **family.get(name, {})} for name, table in common.items()}}
    return family


def reads_family(library: Library, kind: RecordKind, family: str) -> bool:
    """Whether a library has a table of a family, or of what its configs describe beside their text decoder."""
    files = (file for part in ("families/", TOWERS) for file in library.files(f"{kind.path}{part}*.toml"))
    found = ((path.stem, _table(library, folder, path)) for folder, path in files)
    return any(family in (name, *data.get("also", ()), *data.get("projectors", ())) for name, data in found)


def tower_tables(library: Library, kind: RecordKind) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The tables of what stands beside a text decoder, by their `model_type`; the user's before ours."""
    for folder, path in library.files(f"{kind.path}{TOWERS}*.toml"):
        yield path.stem, _table(library, folder, path)


def towers_of(library: Library, kind: RecordKind, config: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The table of what such a config describes beside its text decoder, if there is one; the user's before ours."""
    for name, tower in tower_tables(library, kind):
        if config["model_type"] in (name, *tower.get("also", ())):
            common = _with_common(library, kind, {})
            without_effect = {**common.get("without_effect", {}), **tower.get("without_effect", {})}
            return {**tower, "without_effect": without_effect, "parts": common.get("parts", {})}
    return None


def _table(library: Library, folder: Path, path: Path) -> Mapping[str, Any]:
    shown = library.shown(folder, path)
    data = library.toml(path, shown)
    check_table(FAMILY, data, shown, {})
    return data


def table_of(library: Library, kind: RecordKind, model_type: str) -> Mapping[str, Any] | None:
    """The table of a family, or of one that is written the same; None without one."""
    known = families(library, kind)
    if model_type in known:
        return _table(library, *known[model_type])
    tables = (_table(library, folder, path) for folder, path in known.values())
    return next((each for each in tables if model_type in each.get("also", ())), None)


def _family(library: Library, kind: RecordKind, config: Mapping[str, Any], shown: str) -> Mapping[str, Any]:
    known, model_type = families(library, kind), config["model_type"]
    if (table := table_of(library, kind, model_type)) is not None:
        return table
    message = f"`{shown}` is of the family `{model_type}`, which has no table yet"
    if "auto_map" in config or "trust_remote_code" in config:
        message += ", and the code that it brings is never run"
    help_ = nearest(model_type, known) or f"{len(known)} families have one, in {kind.path}families/."
    raise refuse("unknown-family", message, help=f"{help_} A model file of your own can state its shape instead.")


def _rows_by_layer(
    read: ConfigReader,
    types: Mapping[str, Quantified],
    name: str,
    described: Any,  # noqa: ANN401 - as TOML holds it
    layers: int,
) -> list[dict[str, Any]]:
    """The rows of the table `name`, in the order in which their kinds come; a list describes parts of each layer.

    Of a table whose rows are no kinds of layers, each part is one row, or none where its `when` does not hold.
    """
    parts = described if isinstance(described, list) else [described]
    if _COUNT not in types:
        shown = (part for part in parts if read.value(part.get(_WHEN, "true"), name) is True)
        return [
            {column: _value(read, f"{name}: {column}", text, types.get(column)) for column, text in _cells(part)}
            for part in shown
        ]
    return [row for columns in parts for row in _rows(read, name, columns, types, layers)]


def _cells(part: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    return ((column, text) for column, text in part.items() if column != _WHEN)


def _rows(
    read: ConfigReader, name: str, columns: Mapping[str, str], types: Mapping[str, Quantified], layers: int
) -> list[dict[str, Any]]:
    counts: dict[tuple[Any, ...], int] = {}
    for layer in range(layers):
        here = read.at_layer(layer)
        kind = tuple(_value(here, f"{name}: {column}", text, types.get(column)) for column, text in columns.items())
        counts[kind] = counts.get(kind, 0) + 1
    return [{_COUNT: count, **dict(zip(columns, kind, strict=True))} for kind, count in counts.items()]


def _columns(schema: Schema, kind: RecordKind, name: str) -> Mapping[str, Quantified]:
    """What each column of a table is, by its name."""
    table = schema.table_name(name, kind.name)
    cells = cells_of(table, schema.tables[table].rows[0], schema) if table else {}
    return {column: cell.quantity for column, cell in cells.items()}
