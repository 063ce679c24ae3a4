"""A Hugging Face config.json to a model record, by the table of its family."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from formula_eval.core.diagnostic import refuse
from formula_eval.library import Library, read_text
from formula_eval.records.huggingface.family import families, translated
from formula_eval.records.record import RecordFile
from formula_eval.records.schema import Schema

# Where the config of a model of text and images keeps that of its text decoder, and what it may say outside of it.
_INNER = ("text_config", "llm_config", "language_config")
_SHARED = ("tie_word_embeddings", "quantization_config")


def from_config(library: Library, schema: Schema, path: Path, shown: str) -> RecordFile:
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
    if not isinstance(config.get("model_type"), str):
        help_ = "A config.json of the Hugging Face hub names its family there, as a text."
        raise refuse("missing-value", f"`{shown}` lacks `model_type`", help=help_)
    config, origin = _decoder(library, config, shown)
    return RecordFile("model", path.parent.name or path.stem, origin, translated(library, schema, config, origin))


def _decoder(library: Library, config: Mapping[str, Any], shown: str) -> tuple[Mapping[str, Any], str]:
    """The config that has a family table: the whole one, or that of the text decoder within it, and how it is named."""
    if config["model_type"] in families(library):
        return config, shown
    for key in _INNER:
        inner = config.get(key)
        if isinstance(inner, dict) and isinstance(inner.get("model_type"), str):
            outer = {key: config[key] for key in _SHARED if key in config}
            return {**outer, **inner}, f"{shown}, its text decoder"
    return config, shown


def from_hub(library: Library, schema: Schema, name: str) -> RecordFile:
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
    record = from_config(library, schema, Path(path), f"{name}/config.json")
    return RecordFile("model", name, record.shown, record.data)
