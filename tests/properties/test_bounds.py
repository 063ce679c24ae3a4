"""Random trees over random boxes: what the engine computes at any point of a box lies within its bounds."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from counted import seen
from formula_eval.core import expression as e
from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.bounds.box_operations import Bound
from formula_eval.evaluate.bounds.choice_sets import ABSENT, Words
from formula_eval.evaluate.bounds.interval import Interval
from formula_eval.evaluate.bounds.program_bounds import bounded
from formula_eval.evaluate.program import Program, compile_program
from properties.test_notations_agree import conditions, graph_of, number, positives, wholes
from samples import samples

RANGES = {"a": (-6, 12), "b": (-2, 4), "c": (0, 64)}
WORDS = {"gated": 2, "mode": 3}
BOXES = 4


def with_places_as_words(tree: e.Expression) -> e.Expression:
    """A tree in which the place of the largest is a word, as in every formula, and no number."""
    found = e.rebuild(tree, with_places_as_words)
    if isinstance(found, e.Call) and found.function == "largest":
        return e.Match(found, tuple(e.Arm((e.ChoiceValue(str(i), i),), number(i)) for i in range(3)))
    return found


trees = st.one_of(wholes(3), positives(3), conditions(wholes(1), 2)).map(with_places_as_words)
shares = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1))
points = st.lists(st.lists(shares, min_size=5, max_size=5), min_size=3, max_size=3)
Box = dict[str, Any]  # the ends of each number, and the indices of each word that it may be


def ends(name: str) -> st.SearchStrategy[tuple[int, int]]:
    low, high = RANGES[name]
    return st.tuples(st.integers(low, high), st.integers(low, high)).map(lambda two: (min(two), max(two)))


box = st.fixed_dictionaries(
    {name: ends(name) for name in RANGES}
    | {name: st.sets(st.integers(0, count - 1), min_size=1) for name, count in WORDS.items()}
)


def bounds_of(boxes: list[Box], *, whole: bool) -> dict[str, Bound]:
    found: dict[str, Bound] = {}
    for name in RANGES:
        low, high = (np.array([each[name][end] for each in boxes], float) for end in (0, 1))
        found[name] = Interval(low, high, whole=whole)
    for name in WORDS:
        found[name] = Words(np.array([sum(1 << word for word in each[name]) for each in boxes]))
    return found


def point(inside: Box, at: list[float], *, whole: bool) -> dict[str, float]:
    """The point of a box at these shares of the way along each axis."""
    found: dict[str, float] = {}
    for name, share in zip((*RANGES, *WORDS), at, strict=True):
        if name in WORDS:
            found[name] = sorted(inside[name])[int(share * (len(inside[name]) - 1))]
        else:
            low, high = inside[name]
            value = low + share * (high - low)
            found[name] = math.floor(value) if whole else value
    return found


def holds(bound: Bound, lane: int, value: float) -> bool:
    if isinstance(bound, Words):
        bits = int(_in_lane(bound.bits, lane))
        return bool(bits & (ABSENT if math.isnan(value) else 1 << int(value)))
    if not isinstance(bound, Interval):
        return bound == value or (math.isnan(bound) and math.isnan(value))
    low, high, absent = (_in_lane(each, lane) for each in (bound.low, bound.high, bound.absent))
    return bool(absent if math.isnan(value) else low <= value <= high)


def _in_lane(value: Any, lane: int) -> Any:
    return value[lane] if np.ndim(value) else value


def outcome(program: Program, givens: dict[str, float]) -> float | None:
    try:
        return program.evaluate(givens)["cost"]
    except FormulaError:
        return None


@pytest.mark.parametrize("whole", [True, False], ids=["whole", "broken"])
@settings(max_examples=samples(100), suppress_health_check=[HealthCheck.too_slow])
@given(tree=trees, boxes=st.lists(box, min_size=BOXES, max_size=BOXES), points=points)
def test_values_lie_within_bounds(
    tree: e.Expression, boxes: list[Box], points: list[list[float]], *, whole: bool
) -> None:
    program = compile_program(graph_of(tree), ["cost"])
    bound = bounded(program, bounds_of(boxes, whole=whole))["cost"]
    for lane, inside in seen(enumerate(boxes)):
        for at in points:
            givens = point(inside, at, whole=whole)
            value = outcome(program, givens)
            assert value is None or holds(bound, lane, float(value)), (givens, value)
