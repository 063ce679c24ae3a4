"""Renders a calibration as text: the inputs before and after, the errors, and what the runs do not determine."""

from collections.abc import Iterator

from formula_eval.analyse.calibration.calibration import Calibration, FittedInput
from formula_eval.analyse.validate.statistics import Summary
from formula_eval.export.calibration_files import calibration_data
from formula_eval.export.terminal.blocks import TextTable
from formula_eval.export.terminal.json_csv import json_text
from formula_eval.export.terminal.screen import Screen, screen_text


def calibration_text(found: Calibration, form: str, on: Screen) -> str:
    """Two tables and what is to be said of them, or JSON."""
    if form == "json":
        return json_text(calibration_data(found))
    inputs = tuple((each.name, str(each.before), str(each.after), _error(each)) for each in found.inputs)
    named = (("before", found.before), ("fitted", found.after), ("held out", found.held_out))
    errors = tuple((title, *_row(each)) for title, each in named)
    tables = [
        TextTable("input", ("before", "fitted", "standard error"), inputs),
        TextTable("error of the runs", ("mean", "median", "90 %", "largest"), errors),
    ]
    return f"{screen_text(tables, on)}\n{on.dimmed(_remarks(found))}"


def _error(each: FittedInput) -> str:
    return f"{100 * each.error:.2g}%" if each.determined else "not determined"


def _row(found: Summary) -> tuple[str, ...]:
    return tuple(f"{100 * each:.1f}%" for each in (found.mean, found.median, found.p90, found.largest))


def _remarks(found: Calibration) -> Iterator[str]:
    yield f"{found.runs} measured figures; held out: each of {len(found.groups)} groups by a fit to the others."
    for each in found.inputs:
        if not each.determined and each.together:
            yield f"{each.name}: these runs move with it as with {', '.join(each.together)}; fit one of them."
        elif not each.determined:
            yield f"{each.name}: these runs hardly move with it; measure some in which it matters."
