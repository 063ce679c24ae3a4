"""Expressions that read a number twice: values lie within bounds that are narrower than their parts allow."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from formula_eval.evaluate.bounds.box_operations import Boxes
from formula_eval.evaluate.bounds.interval import Interval
from formula_eval.evaluate.vector import Lanes
from samples import samples

Form = Callable[[Any, Any, Any], Any]  # of the operations, and of two numbers

# Each with bounds that hold whatever the numbers are, of which plain intervals know nothing.
FORMS: dict[str, tuple[Form, float, float]] = {
    "ring": (lambda on, n, _: on.divide(n - 1.0, n), -np.inf, 1.0),
    "twice around the ring": (lambda on, n, _: on.divide(2.0 * (n - 1.0), n), -np.inf, 2.0),
    "same": (lambda on, n, _: on.divide(n, n), 1.0, 1.0),
    "the least taken away": (lambda on, n, m: n - on.minimum(n, m), 0.0, np.inf),
    "taken from the greatest": (lambda on, n, m: on.maximum(n, m) - m, 0.0, np.inf),
    "share of the greatest": (lambda on, n, m: on.divide(n, on.maximum(n, m)), 0.0, 1.0),
    "share that is left": (lambda on, n, m: on.divide(n - on.minimum(n, m), n), -1e-12, 1.0),
    "over the least": (lambda on, n, m: on.divide(n, on.minimum(n, m)), 1.0, np.inf),
    "scaled share": (lambda on, n, m: on.divide(on.divide(m, m) * (n - 1.0), n), -np.inf, 1.0 + 1e-12),
    "after a step": (lambda on, n, m: on.divide((n + 1e9) - 1e9, n) * m, -np.inf, np.inf),
    "nodes": (lambda on, n, m: on.divide(on.floor(n) + 1.0, on.largest_divisor(on.floor(n) + 1.0, m + 1.0)), 0, np.inf),
}
ends = st.tuples(st.floats(0.01, 100), st.floats(0.01, 100)).map(sorted)
shares = st.lists(st.floats(0, 1), min_size=2, max_size=2)


def largest_divisor(n: float, at_most: float) -> float:
    return float(max(each for each in range(1, int(n) + 1) if n % each == 0 and each <= at_most))


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=samples(60))
@given(first=ends, second=ends, points=st.lists(shares, min_size=3, max_size=3), whole=st.booleans())
def test_a_value_lies_within_narrower_bounds(
    form: str, first: list[float], second: list[float], points: list[list[float]], *, whole: bool
) -> None:
    compute, least, most = FORMS[form]
    sides = [[float(np.ceil(each)) if whole else each for each in side] for side in (first, second)]
    boxes = (Interval(np.array([low]), np.array([high]), whole=whole) for low, high in sides)
    with np.errstate(all="ignore"):
        bound = Interval.of(compute(Boxes({}, largest_divisor), *boxes))
    low, high = float(np.ravel(bound.low)[0]), float(np.ravel(bound.high)[0])
    assert least <= low <= high <= most
    for point in points:
        at = [side[0] + share * (side[1] - side[0]) for side, share in zip(sides, point, strict=True)]
        at = [
            min(max(float(np.floor(each)) if whole else each, side[0]), side[1])
            for each, side in zip(at, sides, strict=True)
        ]
        value = float(np.ravel(compute(Lanes({}, largest_divisor), *(np.array([each]) for each in at)))[0])
        assert low <= value <= high, (at, value)


def test_nodes_of_ranks_are_whole_and_one_at_least() -> None:
    n, ranks = Interval(np.array([2.0]), np.array([16.0]), whole=True), Interval(np.array([1.0]), np.array([8.0]))
    on = Boxes({}, largest_divisor)
    nodes = on.divide(n, on.largest_divisor(n, ranks))
    assert (nodes.low.tolist(), nodes.whole) == ([1.0], True)


def test_a_default_lies_where_its_input_may() -> None:
    boxes = Boxes({}, largest_divisor, {"dp": (1.0, 8.0)})
    found = boxes.supplied("dp", lambda: Interval(np.array([0.25, 0.25]), np.array([64.0, 0.5])))
    np.testing.assert_array_equal((found.low, found.high), ([1.0, np.nan], [8.0, np.nan]))
