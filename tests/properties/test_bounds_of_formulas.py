"""Every formula under golden scenarios, and in boxes around them: its value lies within its bounds."""

import math
from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np
import pytest

from counted import seen
from formula_eval import Formulas
from formula_eval.analyse.perturbation import domain_of, is_whole
from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.bounds.box_operations import Bound
from formula_eval.evaluate.bounds.choice_sets import Words
from formula_eval.evaluate.bounds.interval import Interval
from formula_eval.evaluate.bounds.program_bounds import bounded
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.vector import Kept, array_of
from formula_eval.records.schema import InputSchema
from golden import numbers
from properties.moved_lanes import MovedLanes
from properties.test_bounds import holds

SCENARIOS = ("dense", "quantised", "experts", "windows")
VARIED, POINTS = 6, 4


@pytest.fixture(scope="module")
def program(formulas: Formulas) -> Program:
    names = [name for name, namespace in numbers.formulas_of(formulas.evaluator).items() if not namespace]
    return formulas.evaluator.program(names)


def givens_of(formulas: Formulas, scenario: str) -> dict[str, float]:
    return dict(formulas.evaluator.givens(numbers.question("", numbers.scenarios()[scenario])).values)


def around(each: InputSchema, value: float, draw: Random) -> tuple[Bound, list[float]]:
    """A box around the value of an input, and points of it."""
    if each.quantity.kind in ("choice", "flag"):
        words = sorted({int(value), draw.randrange(len(each.quantity.words) or 2)})
        return Words(np.array([sum(1 << word for word in words)])), [draw.choice(words) for _ in range(POINTS)]
    least, most = domain_of(each)
    low, high = (least, most) if each.allowed else (max(least, value / 2), min(most, value * 2 or 2.0))
    whole = is_whole(each, value)
    if whole:
        low, high = math.ceil(low), math.floor(high)
    points = [low, high, *(low + draw.random() * (high - low) for _ in range(POINTS - 2))]
    ends = Interval(np.array([float(low)]), np.array([float(high)]), whole=whole)
    return ends, [float(math.floor(point)) if whole else point for point in points]


def hold_elsewhere(program: Program, bounds: Mapping[str, Bound], givens: Mapping[str, Any]) -> None:
    """Ask that bounds hold what the same configurations are to a machine with other last bits."""
    held = {name: array_of(kind, givens[name]) for name, kind in program.inputs.items() if name in givens}
    lanes, values = MovedLanes(held, program.largest_divisor, np.random.default_rng(32)), Kept(program.wanted)
    with np.errstate(all="ignore"):
        program.vector(lanes, values)
    failed = np.broadcast_to(lanes.failed, POINTS)
    for name in program.wanted:
        value = np.broadcast_to(values[name], POINTS)
        for place in np.flatnonzero(~failed):
            assert holds(bounds[name], 0, float(value[place])), (name, value[place])


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_box_holds_the_value_of_every_formula(formulas: Formulas, program: Program, scenario: str) -> None:
    draw, schema = Random(scenario), formulas.evaluator.schema
    givens = {name: value for name, value in givens_of(formulas, scenario).items() if name in program.inputs}
    varied = {name: around(schema.inputs[name], givens[name], draw) for name in draw.sample(sorted(givens), VARIED)}
    bounds = bounded(program, givens | {name: box for name, (box, _) in varied.items()})
    hold_elsewhere(program, bounds, givens | {name: np.array(points) for name, (_, points) in varied.items()})
    answered = 0
    for place in range(POINTS):
        try:
            values = program.evaluate(givens | {name: points[place] for name, (_, points) in varied.items()})
        except FormulaError:
            continue
        answered += 1
        wrong = [name for name in program.wanted if not holds(bounds[name], 0, float(values[name]))]
        assert not wrong, (wrong, varied)
    assert answered


@pytest.mark.slow
def test_the_bounds_of_a_point_are_the_value(formulas: Formulas, program: Program) -> None:
    givens = givens_of(formulas, "dense")
    point = {
        name: Interval(np.array([float(value)]), np.array([float(value)]), whole=float(value).is_integer())
        if program.inputs[name] == "number"
        else Words(np.array([1 << int(value)]))
        for name, value in givens.items()
        if name in program.inputs
    }
    bounds, values = bounded(program, point), program.evaluate(givens)
    for name in seen(program.wanted):
        bound, value = bounds[name], float(values[name])
        if isinstance(bound, Interval) and math.isfinite(value):
            assert float(np.ravel(bound.low)[0]) == pytest.approx(value, rel=1e-12), name
            assert float(np.ravel(bound.high)[0]) == pytest.approx(value, rel=1e-12), name
        else:
            assert holds(bound, 0, value), name
