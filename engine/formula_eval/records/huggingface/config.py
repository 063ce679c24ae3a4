"""Converts a Hugging Face config.json to a model record, by the table of its family."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from formula_eval.core.diagnostic import refuse
from formula_eval.core.record_kind import RecordKind
from formula_eval.json_yaml import json_in
from formula_eval.library import Library
from formula_eval.records.family_named import family_named
from formula_eval.records.huggingface.family import family_of, table_of, towers_of, translated
from formula_eval.records.huggingface.pipeline import with_components
from formula_eval.records.huggingface.unread import ALIKE, known_keys, without_effect
from formula_eval.records.mapping.interpreter import described
from formula_eval.records.record import NOTHING, RecordFile
from formula_eval.records.schema import Schema
from formula_eval.text_files import read_text

# Where the config of a model of text and images keeps that of its text decoder.
_INNER = ("text_config", "llm_config", "language_config")
# Where that of a model that speaks keeps the config of what reads and writes text.
_SPEAKERS = ("thinker_config",)


def from_config(library: Library, schema: Schema, kind: RecordKind, path: Path, shown: str) -> RecordFile:
    """The record of a config.json; raises FormulaError for an unknown family or what our inputs cannot say."""
    text = read_text(path, shown)
    if not text.strip():
        raise refuse("empty-record", f"`{shown}` is empty", help="A config.json holds one JSON object.")
    config = json_in(text, shown)
    if not isinstance(config, dict):
        raise refuse("bad-json", f"`{shown}` holds no JSON object", help="Is it a model's config.json?")
    config = {"model_type": family_named(config), **with_components(config, path.parent)}
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
    speaker = next((key for key in _SPEAKERS if isinstance(config.get(key), dict)), None)
    if speaker is not None:
        heard = {key: value for key, value in {**config, **config[speaker]}.items() if key != speaker}
        return record_of(library, schema, kind, heard, shown, keys)
    towers = towers_of(library, kind, config)
    if towers is None:
        return _decoder(library, schema, kind, config, config, shown, keys)
    known = known_keys(towers) - without_effect(towers) - towers["parts"].keys()
    read = {key.partition(".")[0] for key in known}
    parts = {key: value for key, value in config.items() if key in read}
    rest = {key: value for key, value in config.items() if key not in read}
    beside = translated(library, schema, kind, parts, shown, rest, keys, towers)
    inner = {key: {**towers.get("decoder", {}), **config[key]} for key in _INNER if isinstance(config.get(key), dict)}
    decoder = _decoder(library, schema, kind, {**config, **inner}, {}, shown, keys)
    told = " ".join(text for text in (decoder.remark, beside.remark) if text)
    return beside._replace(
        data={**decoder.data, **beside.data}, remark=told, written={**decoder.written, **beside.written}
    )


def _decoder(  # noqa: PLR0913, PLR0917 - the config, what of it nothing counts, and how its file writes it
    library: Library,
    schema: Schema,
    kind: RecordKind,
    config: Mapping[str, Any],
    beside: Mapping[str, Any],
    shown: str,
    keys: Mapping[str, str],
) -> RecordFile:
    """The record of a config's text decoder: that within it, or the config itself."""
    within = _within(library, kind, config)
    if within is None:
        family = family_of(library, kind, config, shown)
        return translated(library, schema, kind, config, shown, beside, keys, family)
    origin = f"{shown}, its text decoder"
    family = family_of(library, kind, config[within], origin)
    inner = translated(library, schema, kind, decoder_within(config, within, family), origin, beside, keys, family)
    told = " ".join(text for text in (inner.remark, *outside(config, within, family)) if text)
    return inner._replace(id=shown, remark=told)


def _within(library: Library, kind: RecordKind, config: Mapping[str, Any]) -> str | None:
    """The key of the text decoder within a config that has no family table itself."""
    if table_of(library, kind, config["model_type"]) is not None:
        return None
    inner = (key for key in _INNER if isinstance(config.get(key), dict))
    return next((key for key in inner if isinstance(config[key].get("model_type"), str)), None)


def decoder_within(config: Mapping[str, Any], within: str, family: Mapping[str, Any]) -> Mapping[str, Any]:
    """The decoder's config, with what the whole config says of all its parts."""
    return {**config[within], **dict(_of_the_whole(config, within, family))}


def _of_the_whole(config: Mapping[str, Any], within: str, family: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The keys that the whole config states for its decoder; of two flags either one, in the classes that say so."""
    for key, either in family.get("whole", {}).items():
        value, inner = config.get(key), config[within].get(key)
        if value is not None:
            yield key, inner if config["model_type"] in either and inner is True else value


def outside(config: Mapping[str, Any], within: str, family: Mapping[str, Any]) -> Iterator[str]:
    """What is told of keys outside the decoder: what counts of two statements, and keys that mean something within."""
    inner, whole = config[within], family.get("whole", {})
    counted = dict(_of_the_whole(config, within, family))
    expected = sorted({*whole, *family.get("parts", {})} - config.keys())
    read = known_keys(family) - without_effect(family) - family.get("parts", {}).keys()
    for key, value in config.items():
        if key in whole or key not in read:
            near = [] if key in whole or key in inner else get_close_matches(key, expected, n=1, cutoff=ALIKE)
            if near:
                yield f"The config's `{key}` is not a key that is read outside `{within}`: did you mean `{near[0]}`?"
        if key in whole and key in inner and value is not None and value != inner[key]:
            twice = f"`{key}` is {described(value)} for the whole model and {described(inner[key])} in `{within}`"
            yield f"{twice}: {described(counted[key])} counts."
        elif key in read and key not in whole and value is not None and inner.get(key) != value:
            said = f"{described(inner[key])} there counts" if inner.get(key) is not None else "nothing of it is counted"
            yield f"`{key}` is {described(value)} outside `{within}`: {said}."
