"""Reads the name of a checkpoint: the model of the library that it means, and its number format."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from formula_eval.core.record_kind import RecordKind
from formula_eval.library import Library
from formula_eval.records.record import RecordFile
from formula_eval.records.record_names import named, resembling
from formula_eval.records.roles import roles_of
from formula_eval.records.schema import Schema
from formula_eval.toml_table import table

_FILE = "presets/checkpoint_names.toml"
_PART = re.compile(r"[-_\s]+")
_DOTTED = re.compile(r"\.(?=(?:i?q\d|f16|f32|bf16|mxfp4)[\w-]*$)", re.IGNORECASE)  # llama-2-7b.Q4_0.gguf
_SHARD = re.compile(r"-\d{5}-of-\d{5}$")


class Checkpoint(NamedTuple):
    """The model, the number format if the name tells one, and what to say of both."""

    model: str
    format: str = ""
    remark: str = ""


_FORMATS = table("*:text")
CHECKPOINT_NAMES = table(
    "without_effect?:[text] formats?:formats publishers?:several widths?:widths",
    formats=_FORMATS,
    several=table("*:formats", formats=_FORMATS),
    widths=table("*:width", width=table("usual *:text")),
)


def checkpoint_named(
    written: str, library: Library, schema: Schema, records: Callable[[RecordKind], Iterable[RecordFile]]
) -> Checkpoint:
    """What a name, hub name, path or GGUF file is; the name itself where the library has nothing like it.

    `records` gives all records of a kind.
    """
    kind = roles_of(library).model
    if kind not in schema.kinds or _is_there(written):
        return Checkpoint(written)
    models = list(records(schema.kinds[kind]))
    if (exact := named(written, models)) is not None:
        return Checkpoint(exact.id)
    publisher, _, name = written.rstrip("/").rpartition("/")
    name, _, tag = name.replace("@", ":").partition(":")
    name = _DOTTED.sub("-", _SHARD.sub("", name.removesuffix(".gguf")))
    names, found = _without_formats(f"{name}-{tag}" if tag else name, publisher, library.last(_FILE)[1])
    tunings = schema.synonyms.tunings_of(kind)
    fitting = (named(each, models) or resembling(each, models, tunings) for each in names)
    model = next((file for file in fitting if file is not None), None)
    if model is None:
        local = written.startswith((".", "/", "~"))
        return Checkpoint(name if local else written, found)
    told = f", in {found}" if found else ""
    return Checkpoint(model.id, found, f"`{written}` is read as `{model.id}`{told}, by its name.")


def quantised(
    wanted: str, library: Library, schema: Schema, kind: RecordKind, records: Sequence[RecordFile]
) -> RecordFile | None:
    """The record that a name with a number format in it means, naming that format: `llama3.1-70b-fp8`."""
    roles = roles_of(library)
    if kind.name != roles.model:
        return None
    read = checkpoint_named(wanted, library, schema, lambda _: records)
    found = next((record for record in records if record.id == read.model), None)
    if found is None or not read.format:
        return None
    return found._replace(data={**found.data, roles.format: read.format}, read_as=read.remark)


def widths_of(library: Library) -> Mapping[str, Mapping[str, str]]:
    """What a width alone, `4bit`, means as a number format: by the ids of records named beside it, and usually."""
    found: Mapping[str, Mapping[str, str]] = library.last(_FILE)[1].get("widths", {})
    return found


def _is_there(written: str) -> bool:
    try:
        return Path(written).expanduser().exists()
    except (OSError, RuntimeError):
        return False


def _without_formats(name: str, publisher: str, data: Mapping[str, Any]) -> tuple[list[str], str]:
    """The name without the parts that tell a format, then with ever fewer that change nothing; and the format."""
    formats = {**data.get("formats", {}), **data.get("publishers", {}).get(publisher, {})}
    text = f"-{_PART.sub('-', name.lower())}-"
    found = ""
    for part in sorted(formats, key=len, reverse=True):
        if f"-{part}-" in text:
            found = found or str(formats[part])
            text = text.replace(f"-{part}-", "-")
    names = [text]
    for part in data.get("without_effect", ()):
        while f"-{part}-" in text:
            text = text.replace(f"-{part}-", "-")
        names.append(text)
    return list(dict.fromkeys(each.strip("-") for each in names)), found
