"""Parses YAML, JSON or TOML into documents, and keeps the marks of what a script leaves open in it."""

import json
from collections.abc import Mapping
from typing import Any

import tomli

from formula_eval.core.diagnostic import refuse
from formula_eval.launch.manifests.yaml_documents import yaml_documents
from formula_eval.records.open_text import OPEN, is_open
from formula_eval.text_files import once

_OPEN_HERE = "\ue000"  # for readers of YAML, which refuse a NUL


def structured(text: str, ending: str, shown: str) -> list[Any]:
    """The documents of YAML, JSON or TOML."""
    if is_open(text):
        return [_reopened(each) for each in structured(text.replace(OPEN, _OPEN_HERE), ending, shown)]
    kind = "TOML" if ending == ".toml" else "JSON"
    try:
        if ending == ".toml":
            return [tomli.loads(text)]
        if ending == ".json" or text.lstrip()[:1] == "{":
            return [json.loads(text, object_pairs_hook=once)]
    except (ValueError, RecursionError) as error:
        raise refuse(f"bad-{kind.lower()}", f"`{shown}` is not valid {kind}: {error}") from error
    return yaml_documents(text, shown)


def _reopened(value: Any) -> Any:  # noqa: ANN401 - whatever is in a document
    """A document with the mark of what is not known in the place of the one that its reader takes."""
    if isinstance(value, str):
        return value.replace(_OPEN_HERE, OPEN)
    if isinstance(value, Mapping):
        return {_reopened(key): _reopened(each) for key, each in value.items()}
    return [_reopened(each) for each in value] if isinstance(value, list) else value
