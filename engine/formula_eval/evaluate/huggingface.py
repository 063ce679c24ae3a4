"""A Hugging Face config.json to a model record, by the table of its family."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from formula_eval.core.diagnostic import FormulaError
from formula_eval.core.diagnostic import nearest
from formula_eval.core.diagnostic import refuse
from formula_eval.core.expression import Expression
from formula_eval.evaluate.interpret import interpret
from formula_eval.evaluate.records import RecordFile
from formula_eval.library import Library
from formula_eval.library import read_text
from formula_eval.library import read_toml

_WORDS = frozenset({"none", "per_head", "full_width"})


def from_config(library: Library, path: Path, shown: str) -> RecordFile:
    """The record of a config.json; raises FormulaError for an unknown family or what our inputs cannot say."""
    text = read_text(path, shown)
    if not text.strip():
        raise refuse("empty-record", f"`{shown}` is empty", help="A config.json holds one JSON object.")
    try:
        config = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise refuse("bad-json", f"`{shown}` is no valid JSON: {error}") from error
    if not isinstance(config, dict):
        raise refuse("bad-json", f"`{shown}` holds no JSON object", help="Is it a model's config.json?")
    if "model_type" not in config:
        help_ = "A config.json of the Hugging Face hub names its family there."
        raise refuse("missing-value", f"`{shown}` lacks `model_type`", help=help_)
    return RecordFile("model", path.parent.name or path.stem, shown, translated(library, config, shown))


def translated(library: Library, config: Mapping[str, Any], shown: str) -> dict[str, Any]:
    """Our inputs for a config, read by the family table of its `model_type`."""
    family = _family(library, str(config["model_type"]), shown)
    known = {**family.get("defaults", {}), **config}
    for condition, why in family.get("refuse", {}).items():
        if _value(library, condition, known, shown, "refuse"):
            raise refuse("unsupported-model", f"`{shown}` cannot be represented: {why}")
    values = {"name": shown, "source": shown}
    for name, text in family["inputs"].items():
        values[name] = _value(library, text, known, shown, name)
    return values


def _family(library: Library, model_type: str, shown: str) -> Mapping[str, Any]:
    known = {path.stem: (folder, path) for folder, path in library.files("models/families/*.toml")}
    if model_type not in known:
        help_ = nearest(model_type, known) or f"Known are {', '.join(sorted(known))}."
        raise refuse("unknown-family", f"`{shown}` is of the family `{model_type}`, which has no table yet", help=help_)
    folder, path = known[model_type]
    return read_toml(path, library.shown(folder, path))


def _value(library: Library, text: str, config: Mapping[str, Any], shown: str, what: str) -> Any:  # noqa: ANN401 - what the config holds
    try:
        return interpret(_parsed(library, str(text), what), config, _WORDS)
    except FormulaError as error:
        first = error.diagnostics[0]
        help_ = f"`{what}` is read as `{text}`."
        raise refuse(first.code, f"`{shown}`: {first.message}", help=help_) from error
    except (ZeroDivisionError, OverflowError) as error:
        raise refuse("bad-value", f"`{shown}`: `{what}` cannot be computed", help=f"It is read as `{text}`.") from error


_READERS: dict[int, Any] = {}


def _parsed(library: Library, text: str, what: str) -> Expression:
    from formula_eval.language.reader import Reader  # noqa: PLC0415 - the parser is heavy and seldom needed

    reader = _READERS.setdefault(id(library.units), None) or Reader(library.units)
    _READERS[id(library.units)] = reader
    built, findings = reader.expression(text, what)
    if built is None:
        raise FormulaError(*findings)
    return built


def from_hub(library: Library, name: str) -> RecordFile:
    """The record of a hub repository's config.json, with the optional extra; says what to do without it."""
    try:
        from huggingface_hub import hf_hub_download  # noqa: PLC0415 - an optional extra
    except ImportError:
        help_ = f"Save {name}'s config.json and name its path, or `pip install 'formula-eval[hub]'`."
        raise refuse("no-hub", f"`{name}` is a name of the Hugging Face hub, which is not asked", help=help_) from None
    try:
        path = hf_hub_download(name, "config.json")
    except Exception as error:  # the hub raises many kinds, offline ones among them
        help_ = "Is the name right, and is there a network? A saved config.json can be named by its path."
        message = f"The hub gave no config.json for `{name}`: {type(error).__name__}"
        raise refuse("no-hub", message, help=help_) from error
    record = from_config(library, Path(path), f"{name}/config.json")
    return RecordFile("model", name, record.shown, record.data)
