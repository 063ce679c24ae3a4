"""Intervals to presets/interval.toml, each with the points behind it and how many of them it holds when left out."""

import math
from collections.abc import Sequence
from pathlib import Path

from formula_eval.analyse.validate.intervals import RegimeInterval

_HEAD = """\
# How far measured runs lay from predictions that were fitted without them: measured over predicted, for the tenth that
# was fastest or smallest and the tenth that was slowest or largest. `python -m benchmarks.refit` writes this file.
# presets/measured/regimes.toml says which figures make which interval. Where several publishers, engines or
# accelerators stand behind one, its tails are chosen so that eight of ten points of those left out lie inside.

[left-out]
name = "Publishers, engines and accelerators left out"
source = "Residuals of this project's fits, each with a publisher, an engine or an accelerator left out"
"""


def write_intervals(path: Path, found: Sequence[RegimeInterval], date: str) -> None:
    """The whole file."""
    path.write_text(_HEAD + f"date = {date}\n" + "".join(map(_lines, found)), encoding="utf-8")


def _lines(found: RegimeInterval) -> str:
    inside = "one group alone" if math.isnan(found.coverage) else f"{100 * found.coverage:.0f} % inside when left out"
    behind = f"# {found.points} points of {found.groups} groups, {inside}\n"
    return f"{behind}{found.name}_low = {_down(found.low)}\n{found.name}_high = {found.high:.3g}\n"


def _down(value: float) -> str:
    return f"{max(value, 0.01):.2g}"
