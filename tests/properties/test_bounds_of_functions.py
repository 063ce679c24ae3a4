"""Powers, exponents and logarithms of large and tiny numbers: bounds hold what another machine's library gives too.

NumPy with AVX-512, without it, and the C library differ in the last bits, and a value may be computed by any of them.
"""

from collections.abc import Mapping

import numpy as np
import pytest

from formula_eval.core import expression as e
from formula_eval.evaluate.bounds.box_operations import Boxes
from formula_eval.evaluate.bounds.interval import Interval
from formula_eval.evaluate.program import compile_program
from formula_eval.evaluate.vector import Array, Kept
from properties.moved_lanes import MovedLanes
from properties.test_notations_agree import graph_of, number

A, B = e.Reference("a"), e.Reference("b")
COUNT = 4000
Ends = tuple[float, float]


def power(exponent: e.Expression) -> e.Expression:
    return e.Binary("**", A, exponent)


def called(function: str, of: e.Expression = A) -> e.Expression:
    return e.Call(function, (of,))


HUGE: Ends = (-1020.0, 1020.0)  # powers of two between which numbers are drawn
COMMON: Ends = (-60.0, 60.0)
SMALL: Ends = (-8.0, 8.0)
CASES: Mapping[str, tuple[e.Expression, Ends, Ends]] = {
    "square": (power(number(2)), COMMON, SMALL),
    "square of what is huge or tiny": (power(number(2)), HUGE, SMALL),
    "cube": (power(number(3)), HUGE, SMALL),
    "inverse": (power(number(-1)), HUGE, SMALL),
    "inverse cube": (power(number(-3)), HUGE, SMALL),
    "broken power": (power(e.Binary("/", number(7), number(10))), HUGE, SMALL),
    "any power": (power(B), COMMON, SMALL),
    "any power of what is huge or tiny": (power(B), HUGE, SMALL),
    "power of a known base": (e.Binary("**", number(3), B), SMALL, SMALL),
    "exponent": (called("exp", B), SMALL, SMALL),
    "exponent of a large number": (called("exp", B), SMALL, (-2.0, 9.5)),
    "logarithm": (called("ln"), HUGE, SMALL),
    "logarithm near 1": (called("ln", e.Binary("+", number(1), A)), (-52.0, -1.0), SMALL),
    "logarithm to the base 2": (called("log2"), HUGE, SMALL),
    "exponent less 1": (called("expm1", B), SMALL, (-60.0, 9.5)),
    "logarithm of 1 and more": (called("log1p", e.Binary("-", A, number(1))), HUGE, SMALL),
    "known exponent": (e.Binary("*", called("exp", number(2)), A), COMMON, SMALL),
    "known power": (e.Binary("*", e.Binary("**", number(3), number(5)), A), COMMON, SMALL),
    "rounded up": (called("ceil", power(number(3))), SMALL, SMALL),
    "rounded logarithm": (called("floor", called("log2")), COMMON, SMALL),
    "remainder": (e.Binary("%", power(number(3)), number(3)), SMALL, SMALL),
}


def drawn(draw: np.random.Generator, powers: Ends, *, signed: bool, whole: bool) -> tuple[Array, Array]:
    """The ends of boxes; every third is a point."""
    scale = 2.0 ** draw.uniform(*powers, COUNT)
    low = scale * np.where(draw.random(COUNT) < 0.5 * signed, -1.0, 1.0)
    high = low + np.absolute(low) * np.where(np.arange(COUNT) % 3 == 0, 0.0, draw.exponential(0.3, COUNT))
    return (np.ceil(low), np.maximum(np.ceil(low), np.floor(high))) if whole else (low, high)


@pytest.mark.parametrize("whole", [True, False], ids=["whole", "broken"])
@pytest.mark.parametrize("case", CASES)
def test_bounds_hold_what_another_library_computes(case: str, *, whole: bool) -> None:
    tree, of_a, of_b = CASES[case]
    draw = np.random.default_rng(2026)
    ends = {
        "a": drawn(draw, of_a, signed=False, whole=whole),
        "b": drawn(draw, of_b, signed=True, whole=whole),
    }
    program = compile_program(graph_of(tree), ["cost"])
    boxes = Boxes({name: Interval(*both, whole=whole) for name, both in ends.items()}, program.largest_divisor)
    bounds, held = Kept(["cost"]), 0
    with np.errstate(all="ignore"):
        program.vector(boxes, bounds)
        for share in (0.0, 0.5, 1.0, *draw.random(3)):
            at = {name: np.minimum(low + share * (high - low), high) for name, (low, high) in ends.items()}
            lanes = MovedLanes(
                {name: np.floor(each) if whole else each for name, each in at.items()}, program.largest_divisor, draw
            )
            values = Kept(["cost"])
            program.vector(lanes, values)
            value, failed = (np.broadcast_to(each, COUNT) for each in (values["cost"], lanes.failed))
            bound = Interval.of(bounds["cost"])
            assert not (failed & ~np.broadcast_to(boxes.failing, COUNT)).any()
            outside = ~failed & ~((bound.low <= value) & (value <= bound.high))
            assert not outside.any(), [(each[0][outside][:3], each[1][outside][:3]) for each in ends.values()]
            held += int((~failed).sum())
    assert held > COUNT


@pytest.mark.parametrize("exponent", [0, 1, 2])
def test_what_is_the_same_everywhere_is_not_widened(exponent: int) -> None:
    """Squares of whole numbers stay whole and points, so that what is divided by them is decided."""
    wholes = np.arange(1.0, 2000.0)
    program = compile_program(graph_of(power(number(exponent))), ["cost"])
    bounds = Kept(["cost"])
    program.vector(Boxes({"a": Interval(wholes, wholes, whole=True)}, program.largest_divisor), bounds)
    assert (bounds["cost"].low == wholes**exponent).all()
    assert (bounds["cost"].high == wholes**exponent).all()
    assert np.all(bounds["cost"].whole)
