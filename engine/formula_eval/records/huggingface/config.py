"""Converts a Hugging Face config.json to a model record, by the table of its family."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from formula_eval.core.diagnostic import refuse
from formula_eval.core.record_kind import RecordKind
from formula_eval.library import Library
from formula_eval.records.huggingface.family import families, family_of, translated
from formula_eval.records.huggingface.nesting import decoder_within, outside
from formula_eval.records.record import NOTHING, RecordFile
from formula_eval.records.schema import Schema
from formula_eval.text_files import once, read_text

# Where the config of a model of text and images keeps that of its text decoder.
_INNER = ("text_config", "llm_config", "language_config")


def from_config(library: Library, schema: Schema, kind: RecordKind, path: Path, shown: str) -> RecordFile:
    """The record of a config.json; raises FormulaError for an unknown family or what our inputs cannot say."""
    text = read_text(path, shown)
    if not text.strip():
        raise refuse("empty-record", f"`{shown}` is empty", help="A config.json holds one JSON object.")
    try:
        config = json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise refuse("bad-json", f"`{shown}` is not valid JSON: {error}") from error
    if not isinstance(config, dict):
        raise refuse("bad-json", f"`{shown}` holds no JSON object", help="Is it a model's config.json?")
    if "_class_name" in config or "_diffusers_version" in config:
        message = f"`{shown}` is of a diffusion model, which is asked for by name"
        raise refuse("unsupported-model", message, help="`formula-eval list denoisers --library diffusion` shows them.")
    if not isinstance(config.get("model_type"), str):
        help_ = "A config.json of the Hugging Face hub names its family there, as a text."
        raise refuse("missing-value", f"`{shown}` lacks `model_type`", help=help_)
    return record_of(library, schema, kind, config, shown)._replace(id=path.parent.name or path.stem)


def record_of(  # noqa: PLR0913, PLR0917 - the config, and how its file writes it
    library: Library,
    schema: Schema,
    kind: RecordKind,
    config: Mapping[str, Any],
    shown: str,
    keys: Mapping[str, str] = NOTHING,
) -> RecordFile:
    """The record of a config that names its family; its id is what messages call it, `keys` what its file calls it."""
    within = _within(library, kind, config)
    if within is None:
        return translated(library, schema, kind, config, shown, config, keys)
    origin = f"{shown}, its text decoder"
    family = family_of(library, kind, config[within], origin)
    inner = translated(library, schema, kind, decoder_within(config, within, family), origin, config, keys)
    told = " ".join(each for each in (inner.remark, *outside(config, within, family)) if each)
    return inner._replace(id=shown, remark=told)


def _within(library: Library, kind: RecordKind, config: Mapping[str, Any]) -> str | None:
    """The key of the text decoder within a config that has no family table itself."""
    if config["model_type"] in families(library, kind):
        return None
    inner = (key for key in _INNER if isinstance(config.get(key), dict))
    return next((key for key in inner if isinstance(config[key].get("model_type"), str)), None)
