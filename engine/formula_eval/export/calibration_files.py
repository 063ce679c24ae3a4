"""Serialises a calibration as a scenario file for `--inputs`, and as plain data."""

from typing import Any

from formula_eval.analyse.calibration.calibration import Calibration
from formula_eval.analyse.validate.statistics import Summary
from formula_eval.core.diagnostic import refuse


def scenario_text(found: Calibration, runs: str) -> str:
    """TOML with the inputs that the runs determine; raises FormulaError if they determine none."""
    known = [each for each in found.inputs if each.determined]
    if not known:
        names = ", ".join(each.name for each in found.inputs)
        raise refuse("not-determined", f"The runs do not determine {names}", help="Measure runs in which they matter.")
    after, held_out, before = (f"{each.mean:.1%}" for each in (found.after, found.held_out, found.before))
    lines = [
        f"# Fitted to {found.runs} figures of {runs}, for --inputs.",
        f"# Off by {after} on average, by {held_out} on runs held out, by {before} before.",
    ]
    lines += [f"# {each.name}: the runs do not determine it." for each in found.inputs if not each.determined]
    lines += [f"{each.name} = {toml_number(*each.after.declared)}" for each in known]
    return "".join(f"{line}\n" for line in lines)


def toml_number(value: Any, unit: str) -> str:  # noqa: ANN401 - a number, exact or not
    """A number as a TOML file states it: a text if it has a unit."""
    return f'"{value:.6g} {unit}"' if unit else f"{value:.6g}"


def calibration_data(found: Calibration) -> dict[str, Any]:
    """The inputs and the errors as plain data, in base units; errors are shares."""
    return {
        "inputs": [
            {
                "input": each.name,
                "before": each.before.plain,
                "after": each.after.plain,
                "unit": each.after.unit,
                "standard_error": each.error,
                "determined": each.determined,
                "together_with": [*each.together],
            }
            for each in found.inputs
        ],
        "runs": found.runs,
        "errors": {
            "before": _errors(found.before),
            "fitted": _errors(found.after),
            "held_out": _errors(found.held_out),
        },
        "groups": {group: _errors(each) for group, each in found.groups},
    }


def _errors(found: Summary) -> dict[str, float]:
    return {
        "mean": found.mean,
        "median": found.median,
        "90%": found.p90,
        "largest": found.largest,
        "signed": found.signed,
    }
