"""Finds the family that a config.json names, without reading it as a record: from it follows which library knows it."""

import json
from functools import lru_cache
from pathlib import Path

from formula_eval.core.diagnostic import FormulaError
from formula_eval.records.family_named import (
    CONFIG,
    GGML,
    GGML_ENDING,
    GGML_FAMILY,
    GGUF_ENDING,
    PIPELINE,
    PROJECTOR,
    family_named,
    projector_beside,
)
from formula_eval.records.record_names import is_hub_name


@lru_cache(maxsize=64)
def family_at(name: str) -> str:
    """The family of the model whose config.json is at a path, in a folder or in the hub's cache; "" where none is."""
    try:
        path = Path(name).expanduser()
        named = (path / text for text in (CONFIG, PIPELINE))
        if path.suffix == GGML_ENDING and path.is_file():
            with path.open("rb") as file:
                return GGML_FAMILY if file.read(len(GGML)) == GGML else ""
        if (encoder := _projector_of(path)) is not None:
            from formula_eval.records.checkpoint.gguf import metadata_of, projector_types  # noqa: PLC0415 - seldom needed

            return next(iter(projector_types(metadata_of(encoder))), "")
        if path.is_file() and path.suffix != ".json":  # weights, whose config.json is beside them or above
            named = (folder / CONFIG for folder in (path.parent, path.absolute().parent.parent))
        path = path if path.suffix == ".json" else next((each for each in named if each.is_file()), path)
        if not path.name.endswith(".json") or not path.is_file():
            path = _cached(name)
        config = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError, RuntimeError, FormulaError):
        return ""
    family = family_named(config) if isinstance(config, dict) else None
    return family if isinstance(family, str) else ""


def _projector_of(path: Path) -> Path | None:
    """The file of the encoder beside a GGUF file, or beside those of a folder that has no config.json."""
    if path.is_dir():
        path = path / CONFIG
    is_text = path.suffix == GGUF_ENDING and PROJECTOR not in path.name
    return projector_beside(path) if is_text or not path.is_file() else None


def _cached(name: str) -> Path:
    """The config.json of a repository in the hub's cache; raises OSError where there is none."""
    if is_hub_name(name):
        from formula_eval.records.hub import cached_config  # noqa: PLC0415 - seldom needed

        if (found := cached_config(name)) is not None:
            return found
    raise FileNotFoundError(name)
