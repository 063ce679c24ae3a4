"""Predicts the scenarios of many points with compiled programs over arrays, and picks the best candidate of each."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from formula_eval.analyse.validate.scenarios import Scenario
from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.batch import evaluate_many
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.required_choices import lacking, without
from formula_eval.evaluate.vector import Array


class Wanted(NamedTuple):
    """The request for one point: its candidates, its quantities, and how to pick the best candidate."""

    candidates: Sequence[Scenario]
    quantities: tuple[str, ...]
    least: str = ""
    fits: str = ""

    @property
    def needed(self) -> tuple[str, ...]:
        """All quantities that the program must hold."""
        chosen_by = (text for text in (self.least, self.fits) if text and len(self.candidates) > 1)
        return tuple(sorted({*self.quantities, *chosen_by}))


class Prediction(NamedTuple):
    """The chosen scenario, its values by quantity, why a value is nan, and whether any candidate fitted."""

    scenario: Scenario
    values: Mapping[str, float]
    failures: Mapping[str, str]
    fitting: bool = True


def lanes(program: Program, scenarios: Sequence[Scenario]) -> dict[str, Array]:
    """The inputs that a program reads, one number for each scenario; nan where nobody gave one."""
    names = [name for name in program.inputs if any(name in scenario.values for scenario in scenarios)]
    return {name: np.array([float(scenario.values.get(name, math.nan)) for scenario in scenarios]) for name in names}


def predictions(evaluator: Evaluator, wanted: Sequence[Wanted]) -> list[Prediction]:
    """One prediction for each point; points that want the same share one program."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for number, each in enumerate(wanted):
        groups.setdefault(each.needed, []).append(number)
    found: dict[int, Prediction] = {}
    for needed, numbers in groups.items():
        found.update(zip(numbers, _together(evaluator, needed, [wanted[number] for number in numbers]), strict=True))
    return [found[number] for number in range(len(wanted))]


def _together(evaluator: Evaluator, needed: tuple[str, ...], wanted: Sequence[Wanted]) -> list[Prediction]:
    program = evaluator.program(needed)
    found = evaluate_many(
        program, lanes(program, [lane for each in wanted for lane in each.candidates]), failures="nan"
    )
    results, start = [], 0
    for each in wanted:
        stop = start + len(each.candidates)
        results.append(_best(evaluator, each, {name: found[name][start:stop] for name in needed}))
        start = stop
    return results


def _best(evaluator: Evaluator, wanted: Wanted, found: Mapping[str, Array]) -> Prediction:
    place, fitting = _place(wanted, found)
    scenario = wanted.candidates[place]
    values = {name: float(found[name][place]) for name in wanted.quantities}
    failures: dict[str, str] = {}
    for name, value in values.items():
        if evaluator.schema.unchosen(name, scenario.values):
            (said,) = lacking([name], scenario.values, evaluator.schema).values()
            values[name], failures[name] = math.nan, without(name, said)
        elif math.isnan(value):  # what fails with one quantity may be sound with another
            values[name], failures[name] = _alone(evaluator, name, scenario)
    return Prediction(scenario, values, failures, fitting)


def _place(wanted: Wanted, found: Mapping[str, Array]) -> tuple[int, bool]:
    """The candidate that fits and takes least, and whether one fits; if none does, the one that takes least."""
    if len(wanted.candidates) == 1:
        return 0, True
    cost = found[wanted.least]
    fits = (found[wanted.fits] == 1.0) & np.isfinite(cost) if wanted.fits else np.isfinite(cost)
    usable = np.where(fits, cost, np.inf) if fits.any() else np.where(np.isfinite(cost), cost, np.inf)
    return int(np.argmin(usable)), bool(fits.any())


def _alone(evaluator: Evaluator, name: str, scenario: Scenario) -> tuple[float, str]:
    """One quantity of one scenario, or why it has no value."""
    program = evaluator.program([name])
    given = {key: value for key, value in scenario.values.items() if key in program.kinds}
    try:
        value = float(program.evaluate(given)[name])
    except FormulaError as error:
        return math.nan, error.diagnostics[0].message
    return (value, "") if math.isfinite(value) else (value, f"`{name}` has no value")
