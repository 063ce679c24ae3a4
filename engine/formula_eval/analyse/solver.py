"""Solves for an input: finds all its values at which conditions in the formula language hold."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from formula_eval.analyse.interval_exclusion import Conditions, not_excluded
from formula_eval.analyse.perturbation import Neighbourhood, Perturbation, domain_of, is_whole
from formula_eval.analyse.roots import bisected
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.value import Value
from formula_eval.evaluate.vector import Array
from formula_eval.evaluate.views import View
from formula_eval.records.givens import Question
from formula_eval.records.input_names import input_named
from formula_eval.records.schema import InputSchema

_MOST_WHOLE = 20_000  # whole values that are all tried
_PER_OCTAVE, _OCTAVES = 8, 30  # how finely, and how far around its value, any other input is looked at
_HALVINGS = 60
_MET = 1e-9  # how far an equation may be off, as a share of its larger side


class ValueRange(NamedTuple):
    """A range of values at which the conditions hold, from least to greatest; both are equal for a root."""

    low: Value
    high: Value


class Solved(NamedTuple):
    """The solution: all values found; `every` tells whether the `tried` ones were all possible values.

    `nearest` is where the only comparison among the conditions comes nearest to holding if it never does, and `ends`
    the range that was looked at. `here` is the value that the input has otherwise. Of all values that it may have, the
    `domain`, bounds prove that the conditions hold nowhere else but perhaps in the parts left `open`. A quantity may be
    `told` at the ends of each span.
    """

    name: str  # the input solved for, by its qualified name
    conditions: tuple[str, ...]
    spans: tuple[ValueRange, ...]  # where all conditions hold, ascending; empty if nowhere
    ends: ValueRange
    tried: int
    every: bool
    here: Value | None
    nearest: Value | None = None
    domain: ValueRange | None = None
    open: tuple[ValueRange, ...] = ()
    told: tuple[ValueRange, ...] = ()

    @property
    def is_proven(self) -> bool:
        """Whether there is no other value."""
        return self.every or (self.domain is not None and not self.open)


def solve(
    evaluator: Evaluator, question: Question, name: str, texts: Sequence[str], first: Collection[str] = ()
) -> Solved:
    """The values of an input at which conditions hold; `first` are the quantities that bare names mean first.

    Raises:
        FormulaError: for an unknown input, one that is given or not numeric, a text that is not a condition, and
            conditions that do not depend on the input.

    """
    schema = _asked_input(evaluator, question, name)
    if not texts:
        raise refuse("no-condition", "Nothing says what should hold", help='Say it: `--where "memory.fits"`.')
    varied = question._replace(values={name: None, **question.values})
    conditioned = View(evaluator, texts, varied, first)
    nodes = [text for condition in conditioned.conditions for text in (condition.node, condition.gap) if text]
    givens = conditioned.givens(question)
    around = Neighbourhood.around(conditioned, givens, nodes, question.namespace)
    if schema.name not in around.program.inputs:
        read = " and ".join(f"`{condition.text}`" for condition in conditioned.conditions)
        raise refuse("not-read", f"{read} does not depend on `{schema.name}`", help="Solve for an input that it reads.")
    return _Search(conditioned, around, schema).solved()


def _asked_input(evaluator: Evaluator, question: Question, name: str) -> InputSchema:
    found = input_named(name, evaluator.schema, question.namespace)
    schema = evaluator.schema.inputs[found]
    if schema.quantity.kind not in ("number", "whole"):
        message = f"`{found}` is {'a word' if schema.quantity.words else 'no number'}, so it is not solved for"
        raise refuse("no-quantity", message, help="Solve for a number; try words one by one.")
    if any(evaluator.schema.input_name(value, question.namespace) == found for value in question.values):
        raise refuse("given-and-free", f"`{found}` is given a value and solved for", help="Leave out the value.")
    return schema


class _Search(NamedTuple):
    """Evaluates the conditions along one input."""

    evaluator: View
    around: Neighbourhood
    schema: InputSchema

    def solved(self) -> Solved:
        """Finds all spans; also searches the parts between them that bounds leave open."""
        points, every = self._points(self._here())
        if every:
            return self._seen(points, every=True)
        solved = self._proven(self._seen(points))
        inside = np.unique([float(end) for part in solved.open for end in part])
        if not len(inside) or not self._holds(self._outcomes(inside)).any():
            return solved
        return self._proven(self._seen(np.union1d(points, inside)))

    def _seen(self, points: Array, *, every: bool = False) -> Solved:
        """The solution seen from these points: the spans that hold, with exact ends that were evaluated themselves."""
        here, found = self._here(), self._outcomes(points)
        holds = self._holds(found)
        spans = sorted(self._spans(points, holds) + self._roots(points, found, holds), key=lambda each: float(each.low))
        ends = ValueRange(self._value(float(points[0])), self._value(float(points[-1])))
        conditions = tuple(condition.text for condition in self.evaluator.conditions)
        nearest = None if spans else self._nearest(points, found)
        shown = None if math.isnan(here) else self._value(here)
        return Solved(self.schema.name, conditions, tuple(spans), ends, len(points), every, shown, nearest)

    def _proven(self, solved: Solved) -> Solved:
        """Adds the parts of the domain that bounds do not exclude."""
        around, name = self.around, self.schema.name
        given = {each: value for each, value in around.givens.values.items() if each != name}
        flags = [condition.node for condition in self.evaluator.conditions]
        low, high = domain_of(self.schema)
        left = not_excluded(
            Conditions(around.program, given, flags, around.refusing),
            name,
            (low, high),
            [(float(span.low), float(span.high)) for span in solved.spans],
            whole=self._is_whole(),
        )
        parts = tuple(ValueRange(self._value(first), self._value(last)) for first, last in left)
        return solved._replace(domain=ValueRange(self._value(low), self._value(high)), open=parts)

    def _value(self, number: float) -> Value:
        return Value(self.schema.name, number, self.schema.quantity, self.evaluator.schema.units)

    def _here(self) -> float:
        """The value that the input has unless it is solved for; nan if it has none."""
        held = self.around.givens.values.get(self.schema.name)
        if held is not None:
            return float(held)
        default = self.evaluator.program([self.schema.name]).evaluate(self.around.givens.values)
        return float(default[self.schema.name])

    def _is_whole(self) -> bool:
        return is_whole(self.schema, 1.0)

    def _points(self, here: float) -> tuple[Array, bool]:
        """The points at which to evaluate the conditions, in order, and whether these are all possible values."""
        if self.schema.allowed:
            return np.array(sorted(self.schema.allowed)), True
        low, high = domain_of(self.schema)
        if self._is_whole() and high - low < _MOST_WHOLE:
            return np.arange(low, high + 1), True
        middle = here if math.isfinite(here) and here > 0 else max(low, 1.0)
        factors = 2.0 ** (np.arange(-_OCTAVES * _PER_OCTAVE, _OCTAVES * _PER_OCTAVE + 1) / _PER_OCTAVE)
        points = middle * factors
        if self._is_whole():
            points = np.append(np.arange(low, low + _MOST_WHOLE // 10), np.round(points))
        ends = [number for number in (low, high) if math.isfinite(number)]
        points = np.append(points[(points >= low) & (points <= high)], ends)
        return np.unique(points), False

    def _outcomes(self, points: Array) -> Mapping[str, Array]:
        return self.around.outcomes([Perturbation(self.schema.name, float(point)) for point in points])

    def _holds(self, found: Mapping[str, Array]) -> Array:
        """Marks the points where all conditions have a value and hold, and no check refuses the configuration."""
        flags = np.array([found[condition.node] == 1 for condition in self.evaluator.conditions])
        return np.asarray(flags.all(axis=0))

    def _spans(self, points: Array, holds: Array) -> list[ValueRange]:
        """The runs of adjacent points that hold, with ends between points found by bisection."""
        edges = np.flatnonzero(np.diff(np.concatenate(([0], holds.astype(int), [0]))))
        spans = []

        def is_inside(values: Array) -> Array:
            return self._holds(self._outcomes(values))

        for start, end in zip(edges[::2], edges[1::2], strict=True):
            low, high = float(points[start]), float(points[end - 1])
            if start > 0:
                low = self._edge(low, float(points[start - 1]), is_inside)
            if end < len(points):
                high = self._edge(high, float(points[end]), is_inside)
            spans.append(ValueRange(self._value(low), self._value(high)))
        return spans

    def _edge(self, inside: float, outside: float, is_inside: Callable[[Array], Array]) -> float:
        """The last value inside, on the way to one outside."""
        last, _ = bisected(
            np.array([inside]),
            np.array([outside]),
            is_inside,
            lambda low, high: np.floor((low + high) / 2) if self._is_whole() else (low + high) / 2,
            _HALVINGS,
        )
        return float(last[0])

    def _roots(self, points: Array, found: Mapping[str, Array], holds: Array) -> list[ValueRange]:
        """The roots of an equation between two points where the other conditions hold; not for whole numbers."""
        equations = [
            condition for condition in self.evaluator.conditions if condition.operator == "==" and condition.gap
        ]
        if not equations or self.schema.allowed or self._is_whole() or len(equations) > 1:
            return []
        (equation,) = equations
        others = [condition.node for condition in self.evaluator.conditions if condition is not equation]
        gaps = found[equation.gap]
        spans = []
        for place in np.flatnonzero(np.sign(gaps[1:]) * np.sign(gaps[:-1]) < 0):
            low, high = float(points[place]), float(points[place + 1])
            sign = float(np.sign(gaps[place]))
            root = self._edge(low, high, lambda values, sign=sign: self._outcomes(values)[equation.gap] * sign > 0)  # type: ignore[misc]
            at = self._outcomes(np.array([root]))
            scale = max(abs(float(gaps[place])), abs(float(gaps[place + 1])))
            is_met = abs(float(at[equation.gap][0])) <= _MET * scale + _MET * _MET
            if is_met and all(at[other][0] == 1 for other in others) and not holds[place : place + 2].any():
                spans.append(ValueRange(self._value(root), self._value(root)))
        return spans

    def _nearest(self, points: Array, found: Mapping[str, Array]) -> Value | None:
        """The point where the only comparison comes nearest to holding, of those where the other conditions hold."""
        compared = [condition for condition in self.evaluator.conditions if condition.gap]
        if len(compared) != 1:
            return None
        others = [found[each.node] == 1 for each in self.evaluator.conditions if each is not compared[0]]
        gaps = np.where(np.all([*others, np.ones(len(points), bool)], axis=0), np.abs(found[compared[0].gap]), np.nan)
        return None if np.isnan(gaps).all() else self._value(float(points[int(np.nanargmin(gaps))]))
