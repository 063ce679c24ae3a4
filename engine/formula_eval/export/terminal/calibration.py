"""Renders a calibration as text, as plain data, and as a scenario file for `--inputs`."""

from collections.abc import Iterator
from typing import Any

from formula_eval.analyse.calibration.calibration import Calibration, FittedInput
from formula_eval.analyse.validate.statistics import Summary
from formula_eval.core.diagnostic import refuse
from formula_eval.export.terminal.blocks import TextTable
from formula_eval.export.terminal.json_csv import json_text
from formula_eval.export.terminal.screen import Screen, screen_text


def calibration_text(found: Calibration, form: str, on: Screen) -> str:
    """Two tables and what is to be said of them, or JSON."""
    if form == "json":
        return json_text(calibration_data(found))
    inputs = tuple(
        (fitted_input.name, str(fitted_input.before), str(fitted_input.after), _error(fitted_input))
        for fitted_input in found.inputs
    )
    named = (("before", found.before), ("fitted", found.after), ("held out", found.held_out))
    errors = tuple((title, *_row(summary)) for title, summary in named)
    tables = [
        TextTable("input", ("before", "fitted", "standard error"), inputs),
        TextTable("error of the runs", ("mean", "median", "90 %", "largest"), errors),
    ]
    return f"{screen_text(tables, on)}\n{on.dimmed(_remarks(found))}"


def _error(fitted_input: FittedInput) -> str:
    return f"{100 * fitted_input.error:.2g}%" if fitted_input.determined else "not determined"


def _row(found: Summary) -> tuple[str, ...]:
    return tuple(f"{100 * number:.1f}%" for number in (found.mean, found.median, found.p90, found.largest))


def _remarks(found: Calibration) -> Iterator[str]:
    yield f"{found.runs} measured figures; held out: each of {len(found.groups)} groups by a fit to the others."
    for fitted_input in found.inputs:
        if not fitted_input.determined and fitted_input.together:
            together = ", ".join(fitted_input.together)
            yield f"{fitted_input.name}: these runs move with it as with {together}; fit one of them."
        elif not fitted_input.determined:
            yield f"{fitted_input.name}: these runs hardly move with it; measure some in which it matters."


def scenario_text(found: Calibration, runs: str) -> str:
    """TOML with the inputs that the runs determine; raises FormulaError if they determine none."""
    known = [fitted_input for fitted_input in found.inputs if fitted_input.determined]
    if not known:
        names = ", ".join(fitted_input.name for fitted_input in found.inputs)
        raise refuse("not-determined", f"The runs do not determine {names}", help="Measure runs in which they matter.")
    after, held_out, before = (f"{summary.mean:.1%}" for summary in (found.after, found.held_out, found.before))
    lines = [
        f"# Fitted to {found.runs} figures of {runs}, for --inputs.",
        f"# Off by {after} on average, by {held_out} on runs held out, by {before} before.",
    ]
    lines += [
        f"# {fitted_input.name}: the runs do not determine it."
        for fitted_input in found.inputs
        if not fitted_input.determined
    ]
    lines += [f"{fitted_input.name} = {toml_number(*fitted_input.after.declared)}" for fitted_input in known]
    return "".join(f"{line}\n" for line in lines)


def toml_number(value: Any, unit: str) -> str:  # noqa: ANN401 - a number, exact or not
    """A number as a TOML file states it: a text if it has a unit."""
    return f'"{value:.6g} {unit}"' if unit else f"{value:.6g}"


def calibration_data(found: Calibration) -> dict[str, Any]:
    """The inputs and the errors as plain data, in base units; errors are shares."""
    return {
        "inputs": [
            {
                "input": fitted_input.name,
                "before": fitted_input.before.plain,
                "after": fitted_input.after.plain,
                "unit": fitted_input.after.unit,
                "standard_error": fitted_input.error,
                "determined": fitted_input.determined,
                "together_with": [*fitted_input.together],
            }
            for fitted_input in found.inputs
        ],
        "runs": found.runs,
        "errors": {
            "before": _errors(found.before),
            "fitted": _errors(found.after),
            "held_out": _errors(found.held_out),
        },
        "groups": {group: _errors(summary) for group, summary in found.groups},
    }


def _errors(found: Summary) -> dict[str, float]:
    return {
        "mean": found.mean,
        "median": found.median,
        "90%": found.p90,
        "largest": found.largest,
        "signed": found.signed,
    }
