"""Reads what a scenario file in TOML, JSON or YAML states."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from formula_eval.core.diagnostic import refuse
from formula_eval.text_files import read_text, read_toml


def read_scenario(shown: str) -> Mapping[str, Any]:
    """The contents of a scenario file, in the form that its ending tells; raises FormulaError."""
    path = Path(shown)
    ending = path.suffix.lower()
    if ending not in (".json", ".yaml", ".yml"):
        return read_toml(path, shown)
    from formula_eval.json_yaml import json_in, yaml_documents  # noqa: PLC0415 - most questions have no such file

    text = read_text(path, shown)
    if ending == ".json":
        return _mapping(json_in(text, shown), shown)
    documents = yaml_documents(text, shown, "; TOML and JSON need nothing")
    return _mapping(documents if len(documents) > 1 else next(iter(documents), None), shown)


def _mapping(found: object, shown: str) -> Mapping[str, Any]:
    if found is None:
        return {}
    if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
        help_ = "Name inputs and their values, such as `model: llama2-70b` and `tp: 8`."
        raise refuse("bad-scenario", f"`{shown}` does not hold names with values", help=help_)
    return found
