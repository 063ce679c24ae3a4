"""Loads fits with groups left out that were kept, so that held-out errors can be repeated without fitting."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from formula_eval.analyse.validate.cross_validation import HeldOut, Refit
from formula_eval.analyse.validate.parameters import Fit
from formula_eval.analyse.validate.sources import FOLDER
from formula_eval.analyse.validate.statistics import Summary
from formula_eval.core.diagnostic import refuse
from formula_eval.library import Library

NAME = "left_out.json"


def kept_fits(library: Library, fits: Sequence[Fit]) -> list[Refit]:
    """Loads the fits of the last folder of the library that keeps any; empty without one."""
    by_name = {each.name: each for each in fits}
    files = [(folder, path) for folder, path in library.files(f"{FOLDER}/{NAME}")]
    if not files:
        return []
    folder, path = files[-1]
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return [_refit(each, by_name[each["fit"]]) for each in data if each["fit"] in by_name]
    except (OSError, ValueError, KeyError, TypeError) as error:
        message = f"{library.shown(folder, path)} holds no fits: {error}"
        raise refuse("bad-value", message, help="`python -m benchmarks.refit` writes it.") from error


def _refit(data: Mapping[str, Any], fit: Fit) -> Refit:
    metrics = ", ".join(sorted(fit.metrics))
    groups = [
        HeldOut(
            group,
            _summary(group, metrics, each["n"], each["defaults"]),
            _summary(group, metrics, each["n"], each["together"]),
            _summary(group, metrics, each["n"], each["without"]),
            each["values"],
        )
        for group, each in data["groups"].items()
    ]
    return Refit(fit, data["by"], groups, data["values"])


def _summary(group: str, metrics: str, n: int, data: Mapping[str, Any]) -> Summary:
    mean, median, signed, rank = (
        math.nan if data[key] is None else data[key] / 100 for key in ("mean", "median", "signed", "rank")
    )
    return Summary(group, metrics, n, mean=mean, median=median, signed=signed, rank=rank)
