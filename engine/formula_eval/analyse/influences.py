"""Measures what moves a quantity: its elasticity to each input, the effect of 10 % more, and what a goal takes."""

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from formula_eval.analyse.perturbation import (
    Neighbourhood,
    Perturbation,
    domain_of,
    is_whole,
    nearest_allowed,
    numbers_read,
)
from formula_eval.analyse.roots import crossings
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.value import Value
from formula_eval.records.givens import Givens, Question
from formula_eval.records.origin import Origin
from formula_eval.records.roles import roles_of
from formula_eval.records.schema import InputSchema

_STEP = 1e-5  # of a central difference, as a share of the input
_MORE = 1.1  # what a finite step multiplies by
_KINK = 1e-3  # by how much the two one-sided slopes may differ
_ROUNDING = 1e-6  # slopes so small are none
_NAME = re.compile(r"[a-z_][a-z0-9_.]*")


class Influence(NamedTuple):
    """The influence of one input on a quantity.

    `elasticity` is d ln y / d ln x; `smooth` tells whether it is a slope, else it is that of the step to `other`, the
    next value about 10 % up (or down, where it can go no further), which multiplies the quantity by `factor`.
    `needed` is the value at which the quantity reaches the goal, nan where no value of this input alone does.
    `warned` tells whether every step is one that a check refuses or warns of which names the input.
    """

    name: str  # the input by its qualified name
    value: Value
    other: Value
    elasticity: float
    factor: float
    smooth: bool
    origin: str  # who set the input: an option, a file, `default`
    needed: float = math.nan
    warned: bool = False


class Sensitivity(NamedTuple):
    """The value of a quantity, the inputs that move it, strongest first, and how many that it reads do not.

    `left_out` counts those that move it too, but that nobody can turn: they describe the model, merely set another one,
    or have no step that checks allow.
    """

    quantity: Value
    influences: tuple[Influence, ...]
    idle: int
    goal: float = math.nan
    left_out: int = 0


def asked_sensitivity(evaluator: Evaluator, question: Question, name: str, goal: float = math.nan) -> Sensitivity:
    """The sensitivity that a question asks for; `goal` is a factor on the quantity.

    Raises:
        FormulaError: for an unknown or ambiguous name, a quantity that is 0 or not a number, and as an evaluation does.

    """
    quantity = evaluator.select_one(name, question)
    givens = evaluator.givens(question)
    result = evaluator.evaluate(givens, [quantity], question.namespace, named=True)
    here = result.values[quantity] if quantity in result.values else result.inputs[quantity]
    if not isinstance(here.plain, int | float) or isinstance(here.plain, bool) or not math.isfinite(here.plain):
        raise refuse("no-quantity", f"`{quantity}` is {here} here, so nothing grows with it", help="Name a number.")
    if here.plain == 0:
        raise refuse("no-quantity", f"`{quantity}` is 0 here, so no share of it can change", help="Change the inputs.")
    around = Neighbourhood.around(evaluator, givens, [quantity], question.namespace)
    found = _Around(evaluator, around, here).sensitivity()
    found = _with_warned(found, evaluator, givens, question.namespace)
    return _reaching(found, evaluator, around, goal) if math.isfinite(goal) else found


def of_deployment(found: Sensitivity, evaluator: Evaluator) -> Sensitivity:
    """The same without what nobody can turn, unless nothing else moves it."""
    kept = [
        influence
        for influence in found.influences
        if not (
            influence.warned or _describes_model(influence, evaluator) or _sets_another(influence, found, evaluator)
        )
    ]
    if not kept:
        return found
    return found._replace(influences=tuple(kept), left_out=len(found.influences) - len(kept))


def _with_warned(found: Sensitivity, evaluator: Evaluator, givens: Givens, namespace: str) -> Sensitivity:
    """Marks the influences by steps each of which breaks a check that holds here and names the input."""
    warnings = [
        schema.name
        for schema in evaluator.speaking([found.quantity.name], givens, namespace, named=True)
        if schema.level == "warn"
    ]
    parents = evaluator.graph.parents
    influences = []
    for influence in found.influences:
        reading = [name for name in warnings if influence.name in parents[name]]
        warned = bool(reading) and not influence.smooth and _is_warned_of(influence, reading, evaluator, givens)
        influences.append(influence._replace(warned=warned))
    return found._replace(influences=tuple(influences))


def _is_warned_of(influence: Influence, checks: Sequence[str], evaluator: Evaluator, givens: Givens) -> bool:
    """Whether each step of an input breaks one of these checks, of those that hold here, or is refused."""
    here = float(influence.value)
    steps = (here, *(step for step in _steps(evaluator.schema.inputs[influence.name], here) if step != here))
    around = Neighbourhood.around(evaluator, givens, checks)
    told = around.outcomes([Perturbation(influence.name, step) for step in steps])
    kept = [told[name][1:] == 1 for name in checks if told[name][0] == 1]
    return bool(kept) and not any(map(all, zip(*kept, strict=True)))


def _describes_model(influence: Influence, evaluator: Evaluator) -> bool:
    schema = evaluator.schema.inputs[influence.name]
    return not schema.record and schema.supplier == roles_of(evaluator.library).model


def _sets_another(influence: Influence, found: Sensitivity, evaluator: Evaluator) -> bool:
    """Whether it acts by the default of another input alone, which moves the quantity as much."""
    return any(
        other.name != influence.name
        and math.isclose(other.elasticity, influence.elasticity)
        and influence.name in _NAME.findall(evaluator.schema.inputs[other.name].default)
        for other in found.influences
    )


class _Around(NamedTuple):
    """Computes a quantity in the neighbourhood of a configuration."""

    evaluator: Evaluator
    around: Neighbourhood
    here: Value

    def sensitivity(self) -> Sensitivity:
        """All influences, the strongest first."""
        program = self.around.program
        numbers = program.evaluate(self.around.givens.values)
        inputs = [(schema, numbers[schema.name]) for schema in numbers_read(program, self.evaluator, numbers)]
        steps = [_steps(schema, value) for schema, value in inputs]
        changes = [
            Perturbation(schema.name, other)
            for (schema, value), others in zip(inputs, steps, strict=True)
            for other in (value, value * (1 + _STEP), value * (1 - _STEP), *others)
        ]
        found = self.around.outcomes(changes)[self.here.name].reshape(len(inputs), -1) if inputs else ()
        made = (
            self._influence(schema, value, others, row.tolist())
            for (schema, value), others, row in zip(inputs, steps, found, strict=True)
        )
        influences = sorted(
            (influence for influence in made if influence is not None), key=lambda influence: -abs(influence.elasticity)
        )
        return Sensitivity(self.here, tuple(influences), len(inputs) - len(influences))

    def _influence(
        self, schema: InputSchema, value: float, others: Sequence[float], found: Sequence[float]
    ) -> Influence | None:
        """The influence of an input; None if it has none."""
        same, up, down, *after = found
        if not (math.isfinite(same) and same != 0):
            return None
        step, other = next(
            ((x, y) for x, y in zip(others, after, strict=True) if x != value and math.isfinite(y)), (value, math.nan)
        )
        above, below = (up - same) / (same * _STEP), (same - down) / (same * _STEP)
        counted = is_whole(schema, value) or bool(schema.allowed)
        smooth = not counted and abs(above - below) <= _KINK * max(abs(above), abs(below)) + _ROUNDING
        factor = other / same
        between = math.log(factor) / math.log(step / value) if factor > 0 and step > 0 else math.nan
        elasticity = (above + below) / 2 if smooth else between
        if math.isnan(elasticity) or abs(elasticity) < _ROUNDING:
            return None
        units, origin = self.evaluator.schema.units, self.around.givens.origins.get(schema.name, Origin.DEFAULT)
        one, two = (Value(schema.name, number, schema.quantity, units, origin) for number in (value, step))
        return Influence(schema.name, one, two, elasticity, factor, smooth, origin)


def _steps(schema: InputSchema, value: float) -> tuple[float, ...]:
    """The next values to try: about 10 % up, twice as much, and the same steps down for want of others."""
    return tuple(nearest_allowed(schema, value * number, value) for number in (_MORE, 2.0, 1 / _MORE, 0.5))


def _reaching(found: Sensitivity, evaluator: Evaluator, around: Neighbourhood, goal: float) -> Sensitivity:
    """Adds, for each input alone, the value at which the quantity reaches the goal times its present value."""
    schemas = {influence.name: evaluator.schema.inputs[influence.name] for influence in found.influences}
    ranges = {
        influence.name: (float(influence.value), *domain_of(schemas[influence.name])) for influence in found.influences
    }
    reached = crossings(around, found.quantity.name, float(found.quantity) * goal, ranges)
    influences = []
    for influence in found.influences:
        needed = reached.get(influence.name, math.nan)
        here = float(influence.value)
        whole = is_whole(schemas[influence.name], here) or schemas[influence.name].allowed
        if math.isfinite(needed) and whole:
            needed = nearest_allowed(schemas[influence.name], needed, here)
        influences.append(influence._replace(needed=needed))
    return found._replace(influences=tuple(influences), goal=goal)
