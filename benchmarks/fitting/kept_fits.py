"""Saves and loads fits with groups left out, so that held-out errors can be repeated without fitting."""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from formula_eval.analyse.validate.cross_validation import HeldOut, Refit, repeated
from formula_eval.analyse.validate.parameters import Fit, read_fits
from formula_eval.analyse.validate.sources import FOLDER
from formula_eval.analyse.validate.statistics import Summary
from formula_eval.analyse.validate.validation import Validation
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.kept_results import kept_result
from formula_eval.library import Library

NAME = "left_out.json"
_DIGITS = 5


def keep_fits(path: Path, refits: Sequence[Refit]) -> None:
    """Write the fits, rounded such that a repetition shows the same figures."""
    path.write_text(json.dumps([_data(each) for each in refits], indent=1) + "\n", encoding="utf-8")


def _data(refit: Refit) -> dict[str, Any]:
    groups = {each.group: {**_errors(each), "values": _rounded(each.values)} for each in refit.groups}
    return {"fit": refit.fit.name, "by": refit.by, "values": _rounded(refit.values), "groups": groups}


def _errors(found: HeldOut) -> dict[str, Any]:
    parts = {"defaults": found.defaults, "together": found.together, "without": found.without}
    keys = ("mean", "median", "signed", "rank")
    return {
        "n": found.without.n,
        **{part: {key: _percent(getattr(each, key)) for key in keys} for part, each in parts.items()},
    }


def _percent(share: float) -> float | None:
    return round(100 * share, 2) if math.isfinite(share) else None


def _rounded(values: Mapping[str, float]) -> dict[str, float]:
    return {name: float(f"{value:.{_DIGITS}g}") for name, value in values.items()}


def repeated_fits(evaluator: Evaluator, validation: Validation) -> list[Refit]:
    """Refits repeated with the values that the library keeps of earlier fits."""
    fits = read_fits(evaluator.library, evaluator.schema)

    def repeat() -> list[Refit]:
        return repeated(evaluator, fits, validation.rows, kept_fits(evaluator.library, fits))

    asked = "fits", [each.point for each in validation.rows]
    return kept_result(evaluator.library, evaluator.cache, list, asked, repeat)


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
