"""A config and the table of its family to our inputs and kinds of layers."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.library import Library, read_toml
from formula_eval.records.huggingface.family_config import completed, layer_count
from formula_eval.records.huggingface.layers import rows_by_layer
from formula_eval.records.mapping.reader import ConfigReader
from formula_eval.records.schema import Schema


def families(library: Library) -> Mapping[str, tuple[Path, Path]]:
    """The folder and file of each family table by its `model_type`; the user's before ours."""
    return {path.stem: (folder, path) for folder, path in library.files("models/families/*.toml")}


def translated(library: Library, schema: Schema, config: Mapping[str, Any], shown: str) -> dict[str, Any]:
    """Our inputs for a config, read by the family table of its `model_type`."""
    family = _with_common(library, _family(library, config, shown))
    read = completed(ConfigReader(library, config, shown), family)
    for condition, why in family.get("refuse", {}).items():
        if read.value(condition, "refuse") is True:
            raise refuse("unsupported-model", f"`{shown}` cannot be represented: {why}")
    words = {each.key: each.quantity.words for each in schema.inputs.values() if each.supplier == "model"}
    inputs = {name: read.value(text, name, words.get(name, ())) for name, text in family["inputs"].items()}
    tables = {name: each for name, each in family.items() if schema.table_name(name, "model")}
    layers = layer_count(read, family)
    rows = {name: rows_by_layer(read, schema, name, each, layers) for name, each in tables.items()}
    return {"name": shown, "source": shown, **inputs, **rows}


def _with_common(library: Library, family: Mapping[str, Any]) -> Mapping[str, Any]:
    """The table of a family, with what holds for all as far as it says nothing of its own; the user's before ours."""
    for folder, path in reversed(list(library.files("models/families/common/*.toml"))):
        common = read_toml(path, library.shown(folder, path))
        family = {**family, **{name: {**table, **family.get(name, {})} for name, table in common.items()}}
    return family


def _family(library: Library, config: Mapping[str, Any], shown: str) -> Mapping[str, Any]:
    known, model_type = families(library), config["model_type"]
    if model_type in known:
        folder, path = known[model_type]
        return read_toml(path, library.shown(folder, path))
    for folder, path in known.values():
        family = read_toml(path, library.shown(folder, path))
        if model_type in family.get("also", ()):
            return family
    message = f"`{shown}` is of the family `{model_type}`, which has no table yet"
    if "auto_map" in config or "trust_remote_code" in config:
        message += ", and the code that it brings is never run"
    help_ = nearest(model_type, known) or f"Known are {', '.join(sorted(known))}."
    raise refuse("unknown-family", message, help=f"{help_} A model file of your own can state its shape instead.")
