"""Joins the configs of a diffusers pipeline: that of its denoiser, with those of the other components beside it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from formula_eval.core.diagnostic import refuse
from formula_eval.json_yaml import json_in
from formula_eval.records.family_named import CONFIG, denoiser_of
from formula_eval.text_files import read_text


def with_components(config: Mapping[str, Any], folder: Path) -> Mapping[str, Any]:
    """The config of a pipeline's denoiser and, each under its name, of the components in its folder.

    Any other config is given back. Raises FormulaError where the denoiser has none.
    """
    denoiser = denoiser_of(config)
    if denoiser is None:
        return config
    found = {name: _config_in(folder / name) for name in config if (folder / name / CONFIG).is_file()}
    if denoiser[0] not in found:
        help_ = f"Download the folder `{denoiser[0]}` too, or its {CONFIG} alone."
        raise refuse("missing-file", f"`{folder / denoiser[0] / CONFIG}` is not there", help=help_)
    return found.pop(denoiser[0]) | found


def _config_in(folder: Path) -> dict[str, Any]:
    shown = str(folder / CONFIG)
    config = json_in(read_text(folder / CONFIG, shown), shown)
    if not isinstance(config, dict):
        raise refuse("bad-json", f"`{shown}` holds no JSON object")
    return config
