"""Holds measured figures to the aims of tests/docs/aims.toml, for docs/accuracy.md."""

import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from formula_eval.analyse.validate.comparisons import MeasuredRow
from formula_eval.analyse.validate.intervals import RegimeInterval
from formula_eval.analyse.validate.other_tools import belongs
from formula_eval.analyse.validate.statistics import summary
from formula_eval.analyse.validate.validation import Validation
from formula_eval.export.accuracy.tables import AccuracyTable, percent
from formula_eval.library import Library
from formula_eval.records.roles import roles_of

LEFT_OUT = ("source", "publisher", "engine", "accelerator")
INSIDE = (0.75, 0.85)  # the share of points that intervals of eight in ten may hold
_COLUMNS = ("what", "aim", *(f"{each} left out" for each in LEFT_OUT), "in no fit", "met")
_FILE = Path(__file__).parent / "docs" / "aims.toml"

RowsOf = Callable[[str], Sequence[MeasuredRow]]  # the compared figures of a folder of tests/measured


def aims_table(
    library: Library, validation: Validation, ends: Sequence[RegimeInterval], rows_of: RowsOf
) -> AccuracyTable:
    """A line for each aim: its statistic with each group left out and on figures of no fit, with how many they are."""
    stated = tomllib.loads(_FILE.read_text(encoding="utf-8"))["aim"]
    fits = {(refit.fit.name, refit.by): refit.rows for refit in validation.refits}
    lines = [_line(aim, library, fits, rows_of) for aim in stated]
    return AccuracyTable("", _COLUMNS, [*lines, _intervals(ends)], 2, prose=True)


def _line(
    aim: Mapping[str, Any],
    library: Library,
    fits: Mapping[tuple[str, str], Sequence[MeasuredRow]],
    rows_of: RowsOf,
) -> list[str]:
    found = [_statistic(aim, library, fits[aim["fit"], by] if by in aim.get("by", ()) else ()) for by in LEFT_OUT]
    fitted = {_figure(row) for rows in fits.values() for row in rows}
    others = [row for place in aim.get("points", ()) for row in rows_of(place) if _figure(row) not in fitted]
    found.append(_statistic(aim, library, others))
    held = [_holds(aim, value) for value, n in found if n]
    assert held, f"no figure stands behind `{aim['what']}`"
    return [aim["what"], _aim(aim), *(_cell(aim, value, n) for value, n in found), _met(held)]


def _figure(row: MeasuredRow) -> tuple[str, str]:
    return row.point.id, row.metric


def _statistic(aim: Mapping[str, Any], library: Library, rows: Sequence[MeasuredRow]) -> tuple[float, int]:
    """The statistic of an aim over the rows that it is about, and how many they are."""
    chosen = [row for row in rows if row.ran and not row.answer and _is_about(aim, library, row)]
    if not chosen:
        return math.nan, 0
    found = summary("", "", chosen)
    return float(getattr(found, aim["statistic"])), found.ranked if aim["statistic"] == "rank" else found.n


def _is_about(aim: Mapping[str, Any], library: Library, row: MeasuredRow) -> bool:
    engine = row.scenario.records.get(roles_of(library).engine, "") if row.scenario else ""
    return (
        row.quantity in aim.get("quantities", [row.quantity])
        and engine in aim.get("engines", [engine])
        and engine not in aim.get("other_engines", ())
        and row.point.kind == aim.get("kind", row.point.kind)
        and belongs(aim, row.point, library)
    )


def _holds(aim: Mapping[str, Any], value: float) -> bool:
    if aim["statistic"] == "rank":
        return round(value, 2) >= aim["least"]
    return round(100 * abs(value), 1) <= aim["most"]


def _aim(aim: Mapping[str, Any]) -> str:
    if aim["statistic"] == "rank":
        return f"{aim['least']} or more"
    return f"within {aim['most']} %" if aim["statistic"] == "signed" else f"{aim['most']} % or less"


def _cell(aim: Mapping[str, Any], value: float, n: int) -> str:
    if not n:
        return ""
    shown = (
        f"{value:.2f}" if aim["statistic"] == "rank" else percent(value, "+" if aim["statistic"] == "signed" else "")
    )
    return f"{shown} ({n})"


def _met(held: Sequence[bool]) -> str:
    return "yes" if all(held) else "in part" if any(held) else "no"


def _intervals(ends: Sequence[RegimeInterval]) -> list[str]:
    """The line of the intervals: of those that were made without the group, how many points they hold."""
    shares = [end.coverage for end in ends]
    low, high = INSIDE
    told = f"{percent(min(shares))} to {percent(max(shares))} ({len(shares)} regimes)"
    met = _met([low <= share <= high for share in shares])
    return ["points inside intervals of eight in ten", f"{low:.0%} to {high:.0%}", told, *[""] * 4, met]
