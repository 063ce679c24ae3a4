"""Calibrates inputs against measured runs, and reports held-out errors and what the runs leave undetermined."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from formula_eval.analyse.calibration.run_table import Run
from formula_eval.analyse.perturbation import range_of
from formula_eval.analyse.validate.comparisons import MeasuredRow
from formula_eval.analyse.validate.cross_validation import ALL, cross_validated
from formula_eval.analyse.validate.least_squares import Problem, fitted, sound
from formula_eval.analyse.validate.parameters import Fit, Parameter
from formula_eval.analyse.validate.points import Point
from formula_eval.analyse.validate.scenarios import Scenario
from formula_eval.analyse.validate.statistics import FEWEST, Summary, summary
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.value import Value
from formula_eval.evaluate.vector import Array
from formula_eval.records.input_names import input_named

_KIND = "run"
_NOISE = 0.05  # as a share, below which an error pulls with its square and above which with itself
_SPREAD = 1.0  # of the logarithm of an input around where it begins: what the runs do not tell stays there
_FOLDS = 5
_UNKNOWN = 0.5  # of the logarithm, from which on a direction is not determined
_TAKES_PART = 0.3  # of a direction of length 1
_LEAST_NOISE = 1e-3
_ALTERNATIVES = 3  # how many other inputs a refusal names
_FARTHEST = 100  # as a logarithm: what is measured so far from what is computed is a slip


class FittedInput(NamedTuple):
    """A fitted input: its starting value, the value that fits best, and its relative standard error.

    It is determined unless the runs do not tell; `together` names the inputs that move the same runs the same way.
    """

    name: str  # the input by its qualified name
    before: Value  # where the fit starts, its value in the runs
    after: Value  # the value of the fit to all runs
    error: float
    determined: bool
    together: tuple[str, ...] = ()


class Calibration(NamedTuple):
    """The fitted inputs, and the errors: before, with a fit to all runs, and of each group with a fit to the others."""

    inputs: Sequence[FittedInput]
    before: Summary
    after: Summary  # errors of all runs with the fit to them
    held_out: Summary  # each group predicted by a fit to the others
    groups: Sequence[tuple[str, Summary]]  # held-out errors of each group, by its name
    runs: int


def calibration(evaluator: Evaluator, runs: Sequence[Run], names: Sequence[str], namespace: str = "") -> Calibration:
    """The values of these inputs that fit the runs best, the same for all runs.

    Raises:
        FormulaError: for an input that is not numeric or not marked `fitted`, that a run gives, or that no measured
            quantity reads, runs that begin at different values, too few runs, a run that cannot be computed, and
            without SciPy.

    """
    chosen = list(dict.fromkeys(input_named(name, evaluator.schema, namespace) for name in names))
    parameters = [_parameter(evaluator, name, runs) for name in chosen]
    if len(runs) < max(FEWEST, len(parameters)):
        message = f"{len(runs)} measured figures do not tell {len(parameters)} inputs"
        raise refuse("too-few", message, help=f"Measure at least {max(FEWEST, len(parameters))}, or fit fewer.")
    rows = _rows(runs)
    fit = Fit(_KIND, _KIND, frozenset(run.quantity for run in runs), _NOISE, 0.0, parameters)
    problem = Problem(evaluator, fit, rows)
    start = problem.errors(np.zeros(len(parameters)))
    _refuse_uncomputed(start, runs)
    best = fitted(problem, np.full(len(rows), fill_value=True))
    (refit,) = cross_validated(evaluator, [fit], problem.predicted(start))
    whole = next(group for group in refit.groups if group.group == ALL)
    after = problem.predicted(problem.errors(best.logarithms))
    inputs = _certain(evaluator, problem, best.logarithms, best.values)
    groups = [(group.group, group.without) for group in refit.groups if group.group != ALL]
    return Calibration(inputs, whole.defaults, summary(ALL, "", after), whole.without, groups, len(runs))


def _parameter(evaluator: Evaluator, name: str, runs: Sequence[Run]) -> Parameter:
    """The input as a parameter to fit, starting at its value in the runs."""
    schema = evaluator.schema.inputs[name]
    if schema.quantity.kind != "number":
        raise refuse("bad-value", f"`{name}` is not a number that can be fitted", help="Fit an efficiency, or a time.")
    program = evaluator.program(list(dict.fromkeys(run.quantity for run in runs)))
    if not _is_fitted(evaluator, name):
        help_ = (
            f'{_alternatives(evaluator, name, program.inputs)} If it is yours to fit, write `fitted "..."` beneath it.'
        )
        message = f"`{name}` is not marked `fitted` ({schema.place}), and a calibration moves nothing else"
        raise refuse("not-fitted", message, help=help_.strip())
    if name not in program.inputs:
        help_ = _alternatives(evaluator, name, program.inputs)
        raise refuse("not-read", f"Nothing that was measured depends on `{name}`", help=help_)
    default = evaluator.program([name])
    values = {default.evaluate(run.givens.values)[name] for run in runs}
    prior = min(values)
    if not (math.isfinite(prior) and prior > 0):
        raise refuse(
            "bad-value", f"`{name}` is {prior:g}: what is fitted begins above 0", help=f"Give --{name} a value."
        )
    if len(values) > 1:
        message = f"`{name}` is {prior:g} in some runs and {max(values):g} in others"
        raise refuse("inconsistent", message, help="Calibrate one accelerator, engine and format at a time.")
    return Parameter(name, "", (), prior, _SPREAD, *range_of(schema))


def _is_fitted(evaluator: Evaluator, name: str) -> bool:
    """Whether the declaration of an input says to which runs its number was fitted."""
    return bool(evaluator.graph.nodes[name].declaration.notes.fitted)


def _alternatives(evaluator: Evaluator, name: str, read: Iterable[str]) -> str:
    """The fitted inputs among those that measured quantities read, the most words in common with a name first."""
    words = set(name.split("_"))
    near = sorted(
        (each for each in read if _is_fitted(evaluator, each)), key=lambda each: -len(words & {*each.split("_")})
    )
    return f"Fit {', '.join(f'`{each}`' for each in near[:_ALTERNATIVES])}." if near else ""


def _rows(runs: Sequence[Run]) -> list[MeasuredRow]:
    """The runs as rows to compare; without groups, every fifth run shares one."""
    grouped = len({each.group for each in runs}) > 1
    found = []
    for number, run in enumerate(runs):
        group = run.group if grouped else f"part {number % min(_FOLDS, len(runs)) + 1}"
        point = Point(run.place, group, _KIND, {}, {run.quantity: run.measured})
        scenario = Scenario(run.givens.values, {}, run.givens.records)
        found.append(MeasuredRow(point, group, run.quantity, run.quantity, run.measured, scenario=scenario))
    return found


def _refuse_uncomputed(errors: Array, runs: Sequence[Run]) -> None:
    place = next((number for number, each in enumerate(errors.tolist()) if not abs(each) < _FARTHEST), None)
    if place is not None:
        run = runs[place]
        if abs(errors[place]) < math.inf:
            message = f"{run.place}: `{run.quantity}` was measured as {run.measured:g}, which nothing predicts"
            raise refuse("too-far", message, help="Is its unit right?")
        raise refuse("no-value", f"{run.place}: `{run.quantity}` has no value in this configuration")


def _certain(evaluator: Evaluator, problem: Problem, best: Array, values: Mapping[str, float]) -> list[FittedInput]:
    """How well each input is determined, from the singular values of the runs' sensitivities to all of them.

    A direction in which the runs hardly move is not determined by them.
    """
    errors, slopes = sound(problem.errors(best)), problem.slopes(best)
    noise = max(1.4826 * float(np.median(np.abs(errors))), _LEAST_NOISE)
    moving = np.linalg.norm(slopes, axis=0) > noise / _UNKNOWN
    names = [each.input for each, moves in zip(problem.parameters, moving.tolist(), strict=True) if moves]
    together: dict[str, tuple[str, ...]] = {
        each.input: () for each, moves in zip(problem.parameters, moving.tolist(), strict=True) if not moves
    }
    spreads = np.full(len(problem.parameters), math.inf)
    if names:
        _, sizes, directions = np.linalg.svd(slopes[:, moving], full_matrices=False)
        unsure = noise / np.maximum(sizes, 1e-12)
        spreads[moving] = np.sqrt(((directions * unsure[:, np.newaxis]) ** 2).sum(axis=0))
        for direction, spread in zip(np.abs(directions).tolist(), unsure.tolist(), strict=True):
            if spread > _UNKNOWN:
                part = [name for name, share in zip(names, direction, strict=True) if share > _TAKES_PART]
                together.update({name: tuple(other for other in part if other != name) for name in part})
    found = []
    for parameter, spread in zip(problem.parameters, spreads.tolist(), strict=True):
        name = parameter.input
        quantity, units = evaluator.schema.quantity(name), evaluator.schema.units
        before = Value(name, parameter.prior, quantity, units)
        after = before.with_number(values[parameter.name])
        found.append(
            FittedInput(
                name, before, after, math.expm1(min(spread, 50.0)), name not in together, together.get(name, ())
            )
        )
    return found
