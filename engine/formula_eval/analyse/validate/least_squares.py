"""Fits parameter values to rows by robust least squares of logarithms, with priors."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from formula_eval.analyse.validate.comparisons import MeasuredRow
from formula_eval.analyse.validate.parameters import Fit, Parameter
from formula_eval.analyse.validate.predictions import lanes
from formula_eval.core.missing_extra import missing_extra
from formula_eval.evaluate.batch import evaluate_many
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.vector import Array

Curve = Callable[[Array], Array]
_STEP = 1e-3
_SMALLEST = 1e-300
_STRAIGHTENED = 3
_FURTHEST = 1.0


class Problem:
    """Holds the rows of one fit as arrays, and predicts them from parameters."""

    def __init__(self, evaluator: Evaluator, fit: Fit, rows: Sequence[MeasuredRow]) -> None:
        """Compile what the rows are compared with; every row must have a scenario."""
        self.fit = fit
        self.rows = rows
        self.parameters = [parameter for parameter in fit.parameters if any(parameter.holds(row) for row in rows)]
        self._names = sorted({row.quantity for row in rows})
        self._program = evaluator.program(self._names)
        self._given = lanes(self._program, [row.scenario for row in rows if row.scenario is not None])
        self._which = np.array([self._names.index(row.quantity) for row in rows])
        self._measured = np.array([math.log(row.measured * row.scale) for row in rows])
        self._scopes = [np.array([parameter.holds(row) for row in rows]) for parameter in self.parameters]
        self._together = _apart(self._scopes)

    def logarithms(self, values: Mapping[str, float]) -> Array:
        """Logarithms of the ratios of these values to the priors; 0 for a parameter without a value."""
        return np.array(
            [math.log(values.get(parameter.name, parameter.prior) / parameter.prior) for parameter in self.parameters]
        )

    def errors(self, x: Array) -> Array:
        """Logarithms of predicted over measured, a row for each row of parameter logarithms; nan where none."""
        found = self._errors(np.atleast_2d(x)[:, :, np.newaxis])
        return found if np.ndim(x) > 1 else found[0]

    def errors_apart(self, x: Array) -> Array:
        """The errors of rows that each have their own parameters, given as one row of logarithms for each."""
        found: Array = self._errors(x.T[np.newaxis])[0]
        return found

    def _errors(self, points: Array) -> Array:
        """The errors for an array over points, parameters and rows; the last axis has length 1 if rows share them."""
        values = evaluate_many(self._program, self._with(points), failures="nan")
        stacked = np.stack([np.broadcast_to(values[name], (len(points), len(self.rows))) for name in self._names])
        predicted = stacked[self._which, :, np.arange(len(self.rows))].T
        with np.errstate(all="ignore"):
            found: Array = np.log(np.maximum(predicted, _SMALLEST)) - self._measured
        return found

    def _with(self, points: Array) -> Mapping[str, Array]:
        given: dict[str, Array] = dict(self._given)
        count = len(self.rows)
        for parameter, scope, logarithms in zip(self.parameters, self._scopes, np.moveaxis(points, 1, 0), strict=True):
            before = given.get(parameter.input, np.full(count, np.nan))
            fitted = parameter.prior * np.exp(logarithms)
            given[parameter.input] = np.where(scope, fitted, np.broadcast_to(before, (len(points), count)))
        return given

    def predicted(self, errors: Array) -> list[MeasuredRow]:
        """The rows as predicted with these errors; as they were where one has none."""
        return [
            row._replace(predicted=row.measured * math.exp(error)) if math.isfinite(error) else row
            for row, error in zip(self.rows, errors.tolist(), strict=True)
        ]

    def slopes(self, x: Array) -> Array:
        """The Jacobian: how errors change with the logarithm of each parameter, one column each.

        Parameters of which no row has two, such as those of different engines, are moved in one go.
        """
        moves = np.zeros((1 + len(self._together), len(x)))
        for number, members in enumerate(self._together, 1):
            moves[number, members] = _STEP
        errors = sound(self.errors(x + moves))
        columns = np.zeros((len(self.rows), len(x)))
        for number, members in enumerate(self._together, 1):
            for member in members:
                columns[:, member] = np.where(self._scopes[member], (errors[number] - errors[0]) / _STEP, 0)
        return columns

    def touched(self, chosen: Array) -> Array:
        """Marks the parameters that some of the chosen rows depend on."""
        return np.array([bool((scope & chosen).any()) for scope in self._scopes])

    def weights(self, chosen: Array) -> Array:
        """The square root of each row's weight: many rows of one source weigh little more than a few."""
        sizes = Counter(row.group for row, used in zip(self.rows, chosen, strict=True) if used)
        return np.array([sizes[row.group] ** (self.fit.weight / 2) if sizes[row.group] else 0.0 for row in self.rows])


class Fitted(NamedTuple):
    """Values of parameters, and the logarithms of their ratios to the priors."""

    values: Mapping[str, float]
    logarithms: Array


def fitted(problem: Problem, chosen: Array, start: Array | None = None) -> Fitted:
    """The parameters that fit the chosen rows best; raises FormulaError without SciPy.

    From a start near the end, such as a fit to all rows, a few straight lines lead there. What none of the chosen rows
    is computed with is at its prior.
    """
    if start is None:
        x = _minimum(problem, chosen, problem.errors, problem.slopes, np.zeros(len(problem.parameters)))
    else:
        x = np.where(problem.touched(chosen), start, 0)
        for _ in range(_STRAIGHTENED):
            x = _along_straight_lines(problem, chosen, x)
    values = {
        parameter.name: parameter.prior * math.exp(found)
        for parameter, found in zip(problem.parameters, x.tolist(), strict=True)
    }
    return Fitted(values, x)


def _along_straight_lines(problem: Problem, chosen: Array, start: Array) -> Array:
    """A Gauss-Newton step: the best parameters with errors linearised at the start, limited to a distance."""
    errors, slopes = sound(problem.errors(start)), problem.slopes(start)

    def straight(x: Array) -> Array:
        found: Array = errors + slopes @ (x - start)
        return found

    found = _minimum(problem, chosen, straight, lambda _: slopes, start)
    step: Array = np.clip(found - start, -_FURTHEST, _FURTHEST)
    return start + step


def _minimum(problem: Problem, chosen: Array, errors: Curve, slopes: Curve, start: Array) -> Array:
    """Minimises robust least squares of these errors and of the distance from the priors."""
    weights = problem.weights(chosen)[chosen] / problem.fit.noise
    spreads = np.array([parameter.spread for parameter in problem.parameters])
    low, high = _bounds(problem.parameters)

    def residuals(x: Array) -> Array:
        found: Array = np.concatenate([sound(errors(x)[chosen]) * weights, x / spreads])
        return found

    def jacobian(x: Array) -> Array:
        found: Array = np.vstack([slopes(x)[chosen] * weights[:, np.newaxis], np.diag(1 / spreads)])
        return found

    first = np.clip(start, low + _STEP, high - _STEP)
    least_squares = _least_squares()
    found = least_squares(residuals, first, jac=jacobian, bounds=(low, high), loss="soft_l1", max_nfev=40, xtol=1e-4)
    best: Array = found.x
    return best


def sound(errors: Array) -> Array:
    """The errors, with 0 for rows that cannot be computed, so that they have no influence."""
    return np.nan_to_num(errors, nan=0.0)


def _apart(scopes: Sequence[Array]) -> list[list[int]]:
    """Groups scopes greedily, by their numbers, so that no two of a group share a row."""
    groups: list[tuple[Array, list[int]]] = []
    for number, scope in enumerate(scopes):
        for place, (taken, members) in enumerate(groups):
            if not (taken & scope).any():
                members.append(number)
                groups[place] = (taken | scope, members)
                break
        else:
            groups.append((scope, [number]))
    return [members for _, members in groups]


def _bounds(parameters: Sequence[Parameter]) -> tuple[Array, Array]:
    low = [math.log(max(parameter.low, parameter.prior / 20) / parameter.prior) for parameter in parameters]
    high = [math.log(min(parameter.high, parameter.prior * 20) / parameter.prior) for parameter in parameters]
    return np.array(low) - 2 * _STEP, np.array(high) + 2 * _STEP


def _least_squares() -> Any:  # noqa: ANN401 - SciPy has no types
    try:
        from scipy.optimize import least_squares  # noqa: PLC0415 - an optional extra
    except ImportError:
        raise missing_extra("Fitting", "scipy", "fit") from None
    return least_squares
