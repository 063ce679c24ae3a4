"""Reads what a scenario file in TOML, JSON or YAML states."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from formula_eval.core.diagnostic import refuse
from formula_eval.core.missing_extra import missing_extra
from formula_eval.text_files import read_text, read_toml


def read_scenario(shown: str) -> Mapping[str, Any]:
    """The contents of a scenario file, in the form that its ending tells; raises FormulaError."""
    path = Path(shown)
    ending = path.suffix.lower()
    if ending == ".json":
        return _mapping(_json(read_text(path, shown), shown), shown)
    if ending in (".yaml", ".yml"):
        return _mapping(_yaml(read_text(path, shown), shown), shown)
    return read_toml(path, shown)


def _json(text: str, shown: str) -> object:
    import json  # noqa: PLC0415 - most questions have no such file

    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise refuse("bad-json", f"`{shown}` is not valid JSON: {error}") from error


def _yaml(text: str, shown: str) -> object:
    try:
        import yaml  # noqa: PLC0415 - an optional extra
    except ImportError:
        raise missing_extra(f"Reading `{shown}`", "yaml", "yaml", "; TOML and JSON need nothing") from None
    try:
        return yaml.load(text, Loader=_loader(yaml))  # noqa: S506 - a safe loader, without aliases
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise refuse("bad-yaml", f"`{shown}` is not valid YAML: {' '.join(str(error).split())}") from error


def _loader(yaml: Any) -> type:  # noqa: ANN401 - a library without types
    """Plain values alone, and nothing by reference: that is how small files grow without bound."""

    class PlainLoader(yaml.SafeLoader):  # type: ignore[misc]
        """A loader that refuses references."""

        def compose_node(self, parent: object, index: object) -> Any:  # noqa: ANN401 - as above
            if self.check_event(yaml.AliasEvent):
                raise yaml.YAMLError("references (`*name`) are not read")
            return super().compose_node(parent, index)

    return PlainLoader


def _mapping(found: object, shown: str) -> Mapping[str, Any]:
    if found is None:
        return {}
    if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
        help_ = "Name inputs and their values, such as `model: llama2-70b` and `tp: 8`."
        raise refuse("bad-scenario", f"`{shown}` does not hold names with values", help=help_)
    return found
