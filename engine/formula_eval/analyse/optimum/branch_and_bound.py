"""Searches a grid by branch and bound: takes the most promising box first, and discards, splits or computes it."""

import math
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from formula_eval.analyse.optimum.box_givens import BoxGivens
from formula_eval.analyse.optimum.demands import Demands
from formula_eval.analyse.optimum.open_boxes import OpenBoxes, Places, how_far
from formula_eval.analyse.sweep.broadcast_inputs import LaneGivens
from formula_eval.analyse.sweep.counts import Tally
from formula_eval.analyse.sweep.grid import Grid, GridDimension, WordAxis
from formula_eval.analyse.sweep.validity import Judge
from formula_eval.evaluate.batch import evaluate_block, held_arrays
from formula_eval.evaluate.bounds.box_operations import Bound
from formula_eval.evaluate.bounds.interval import Interval
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.vector import Array
from formula_eval.records.schema import CheckSchema

_AT_ONCE = 4096  # boxes
_ENOUGH = 1024
_LEAF = 32  # configurations that are computed rather than bounded again
_SAMPLE = 4096
_ROUNDS = 4  # in which the best is varied, each from what the one before found
_ALIKE = 2.0**-40  # as a share of the best, what is no better: a last few bits, in which machines differ
_CHANGES = 4  # dimensions that are varied at once, at most on average
NO_VALUE = "no value"


class Aim(NamedTuple):
    """The objective: the largest or least value of a quantity where checks and conditions (nodes by text) hold.

    A configuration has an answer where the goal and all that is `wanted` have values, and what is `told` does not fail.
    """

    goal: str
    is_largest: bool  # whether the goal is maximised instead of minimised
    conditions: Mapping[str, str] = {}
    checks: Sequence[CheckSchema] = ()
    wanted: Sequence[str] = ()
    told: Sequence[str] = ()


class Optimum(NamedTuple):
    """The best configuration found, by its index in the grid, and why no other is better.

    Of `size` configurations `computed` were computed one by one, `beaten` are in boxes that cannot hold a better one,
    `excluded` in boxes where by each reason none has an answer, `left` were not reached. `bound` is what none of all
    can be better than: the value itself where it is proven.
    """

    value: float | None
    place: int | None  # index in the grid; None if none was found
    bound: float
    size: int
    computed: int
    beaten: int
    excluded: Mapping[str, int]
    left: int
    counts: Tally  # outcomes of the configurations computed one by one

    @property
    def is_proven(self) -> bool:
        """Whether every configuration was computed, or shown to be no better."""
        return not self.left


class BranchAndBound:
    """Searches one grid for an optimum; holds values such that smaller is better."""

    def __init__(self, evaluator: Evaluator, grid: Grid, givens: LaneGivens, aim: Aim, seed: int = 0) -> None:
        """Seek this aim in this grid."""
        self._aim, self._grid, self._givens = aim, grid, givens
        self._shape = tuple(dimension.size for dimension in grid.dimensions)
        nodes = [*aim.conditions.values(), *(check.name for check in aim.checks)]
        wanted = list(dict.fromkeys([aim.goal, *aim.wanted]))
        self._program = evaluator.program([*wanted, *aim.told, *nodes])
        self._judge = Judge(self._program, evaluator.schema, wanted, aim.checks, aim.conditions)
        self._boxes = BoxGivens(grid, givens, self._program.kinds, self._judge.ranges)
        self._demands = Demands(evaluator, self._program, self._boxes, aim.conditions, aim.checks)
        self._bounds = evaluator.program([aim.goal, *self._demands.costly])
        self._far = [how_far(_values(dimension)) for dimension in grid.dimensions]
        self._draw = np.random.default_rng(seed)
        self._best: float = math.inf
        self._place: int | None = None
        self._counts, self._excluded = Tally(), Counter[str]()
        self._computed = self._beaten = 0
        self._opened = OpenBoxes.whole(self._shape)

    def run(self, seconds: float = math.inf, tell: Callable[[int], object] = lambda _: None) -> None:
        """Search until the optimum is proven or the time is up; calls `tell` with the number decided each time."""
        end = time.monotonic() + seconds
        self._probe(self._draw.integers(self._grid.size, size=min(_SAMPLE, self._grid.size)))
        while len(self._opened) and time.monotonic() < end:
            before = self._decided
            self._opened = self._step(self._opened)
            self._drop_beaten()
            tell(self._decided - before)

    def hear_of(self, value: float) -> None:
        """Take over a value reached elsewhere, so that only better ones are sought."""
        ranked = self._sign * value
        if ranked < self._best:
            self._best, self._place = ranked, None

    def found(self) -> Optimum:
        """The optimum found so far."""
        self._drop_beaten()
        opened = self._opened
        bound = min(self._best, float(opened.least.min())) if len(opened) else self._best
        return Optimum(
            value=None if self._place is None else self._sign * self._best,
            place=self._place,
            bound=self._sign * bound,
            size=self._grid.size,
            computed=self._computed,
            beaten=self._beaten,
            excluded=dict(self._excluded),
            left=min(int(opened.sizes.sum()), self._grid.size - self._decided),
            counts=self._counts,
        )

    @property
    def _sign(self) -> float:
        return -1.0 if self._aim.is_largest else 1.0

    @property
    def _decided(self) -> int:
        return self._computed + self._beaten + self._excluded.total()

    def _step(self, opened: OpenBoxes) -> OpenBoxes:
        """Compute, or split and bound again, the most promising boxes."""
        chosen, rest = opened.most_promising(_AT_ONCE)
        is_leaf = chosen.sizes <= _LEAF
        self._compute(chosen.taken(is_leaf))
        others = chosen.taken(~is_leaf)
        if not len(others):
            return rest
        self._probe(self._places(others.points(self._draw)))
        for _ in range(_ROUNDS):
            if self._place is not None:
                self._probe(self._places(self._variations(self._place)))
        return rest.with_others(self._bounded(self._split(others)))

    def _split(self, boxes: OpenBoxes) -> OpenBoxes:
        """Halves that no cheap demand excludes, halved again while few, since bounding costs by the call."""
        while True:
            is_leaf = boxes.sizes <= _LEAF
            if is_leaf.all():
                return boxes
            others = boxes.taken(~is_leaf)
            halves = others.halves(self._demands.weights(others), self._far)
            boxes = boxes.taken(is_leaf).with_others(halves.taken(self._allowed(halves)))
            if len(boxes) >= _ENOUGH:
                return boxes

    def _variations(self, place: int) -> Places:
        """Points that differ from that at a place along a few dimensions."""
        count = len(self._shape)
        point = np.array(np.unravel_index(place, self._shape), np.int64)
        drawn = self._draw.integers(0, self._shape, size=(_SAMPLE, count))
        changes = self._draw.uniform(1, _CHANGES, size=(_SAMPLE, 1))
        return np.where(self._draw.random((_SAMPLE, count)) * count < changes, drawn, point)

    def _drop_beaten(self) -> None:
        """Discard the open boxes that cannot hold anything better."""
        beaten = self._opened.least >= self._best - (abs(self._best) * _ALIKE if self._best < math.inf else 0.0)
        count = int(self._opened.sizes[beaten].sum())
        self._opened = self._opened.taken(~beaten)
        self._beaten += count

    def _allowed(self, boxes: OpenBoxes, found: Mapping[str, Bound] | None = None) -> Array:
        """A mask of the boxes that no cheap demand excludes, or, given bounds, no costly one."""
        allowed = np.ones(len(boxes), bool)
        for text, fails in self._demands.failing(boxes, found):
            self._exclude(text, int(boxes.sizes[fails & allowed].sum()))
            allowed &= ~fails
        return allowed

    def _bounded(self, boxes: OpenBoxes) -> OpenBoxes:
        """The boxes that no costly demand excludes, with a bound of the best value in each."""
        if not len(boxes):
            return boxes
        found = self._boxes.bounds(self._bounds, boxes)
        goal = Interval.of(found[self._aim.goal])
        least = np.broadcast_to(-goal.high if self._aim.is_largest else goal.low, len(boxes))
        allowed, has_value = self._allowed(boxes, found), least < math.inf
        self._exclude(NO_VALUE, int(boxes.sizes[allowed & ~has_value].sum()))
        return replace(boxes, least=np.maximum(boxes.least, least)).taken(allowed & has_value)

    def _exclude(self, why: str, count: int) -> None:
        if count:
            self._excluded[why] += count

    def _compute(self, boxes: OpenBoxes) -> None:
        """Compute all configurations of some boxes."""
        if len(boxes):
            places = self._places(boxes.all_points())
            self._counts.add(self._probe(places))
            self._computed += len(places)

    def _places(self, points: Places) -> Places:
        return np.asarray(np.ravel_multi_index(tuple(points.T), self._shape), np.int64)

    def _probe(self, places: Places) -> Tally:
        """Compute configurations and keep the best; ties go to the first in the order of the grid."""
        block = self._grid.at(places)
        held = held_arrays(self._program, self._givens.of(block))
        values, failed = evaluate_block(self._program, held, self._judge.besides)
        kept, tally = self._judge.judged(values, failed, held, places.shape)
        goal = np.broadcast_to(np.asarray(values[self._aim.goal], float), places.shape)
        ranked = np.where(kept & np.isfinite(goal), -goal if self._aim.is_largest else goal, np.inf)
        best = float(ranked.min())
        place = int(places[ranked == best].min())
        if best < self._best or (best == self._best < math.inf and self._place is not None and place < self._place):
            self._best, self._place = best, place
        return tally


def _values(dimension: GridDimension) -> Array:
    """The numbers along a dimension; for words, their indices."""
    axis = dimension.axes[0]
    return np.arange(axis.length) if isinstance(axis, WordAxis) else np.array(axis.part(0, axis.length), float)
