"""Saves fits with groups left out, so that held-out errors can be repeated without fitting."""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from formula_eval.analyse.validate.cross_validation import HeldOut, Refit

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
