"""Joins the file of an encoder of images or audio, which llama.cpp keeps apart, to the config of its language model."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from formula_eval.core.record_kind import RecordKind
from formula_eval.library import Library
from formula_eval.records.checkpoint.gguf import Gguf, converted, projector_types, read_gguf, reader_of
from formula_eval.records.family_named import PROJECTOR, projector_beside
from formula_eval.records.huggingface.family import tower_tables

_PREFIX = "clip."


class Joined(NamedTuple):
    """The config of the whole model with the file's own keys, and what is told; without a `file` of the text alone."""

    config: Mapping[str, Any]
    keys: Mapping[str, str]
    told: str = ""
    file: Gguf | None = None


def with_projector(  # noqa: PLR0913, PLR0917 - where the encoder is, how it is read, and the config that it joins
    library: Library,
    kind: RecordKind,
    path: Path,
    table: Mapping[str, Any],
    config: Mapping[str, Any],
    keys: Mapping[str, str],
) -> Joined:
    """The config of a language model with that of the encoder beside its file, if a table of towers reads it."""
    beside = None if PROJECTOR in path.name else projector_beside(path)
    if beside is None:
        return Joined(config, keys)
    file = read_gguf(beside, table["types"])
    read = reader_of(
        library, file.metadata, _PREFIX, {"tensors": [tensor.name for tensor in file.tensors]}, str(beside)
    )
    kinds = projector_types(file.metadata)
    for model_type, tower in tower_tables(library, kind):
        conditions = (tower.get("projectors", {}).get(name) for name in kinds)
        if any(text is not None and read.value(text, "projectors") is True for text in conditions):
            own, own_keys = converted(read, {**table["projector"], **tower.get("gguf", {})})
            told = f"`{beside.name}`, the encoder beside it, is counted too."
            whole = {**config, "model_type": model_type, "text_config": config, **_nested(own)}
            return Joined(whole, {**keys, **own_keys}, told, file)
    named = f" ({', '.join(kinds)})" if kinds else ""
    told = f"`{beside.name}`, the encoder beside it{named}, is not counted: name the config.json of both."
    return Joined(config, keys, told)


def _nested(config: Mapping[str, Any]) -> dict[str, Any]:
    """A config whose keys say by a dot what stands within what."""
    found: dict[str, Any] = {}
    for key, value in config.items():
        outer, _, inner = key.rpartition(".")
        (found.setdefault(outer, {}) if outer else found)[inner] = value
    return found
