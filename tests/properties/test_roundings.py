"""A computed number that lies next to a whole one counts as that one, to every notation alike; other numbers do not."""

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

from counted import seen
from formula_eval.core import expression as e
from formula_eval.evaluate.batch import evaluate_many
from formula_eval.evaluate.bounds.box_operations import Boxes
from formula_eval.evaluate.bounds.interval import Interval
from formula_eval.evaluate.program import compile_program
from formula_eval.evaluate.vector import Kept
from oracle import Oracle
from properties.test_notations_agree import graph_of
from samples import samples

A, B = e.Reference("a"), e.Reference("b")
TREES = {
    "ceil": e.Call("ceil", (A,)),
    "floor": e.Call("floor", (A,)),
    "ceildiv": e.Call("ceildiv", (A, B)),
    "floordiv": e.Call("floordiv", (A, B)),
    "%": e.Binary("%", A, B),
}
SUM = 0.1 + 0.7  # a bit below 0.8
ROWS = [
    ("floor", SUM * 10, 1, 8),
    ("ceil", 1.1 * 30, 1, 33),
    ("ceil", 33.0001, 1, 34),
    ("ceil", 1e-12, 1, 1),  # little is not nothing
    ("floor", -1e-12, 1, -1),
    ("ceil", -33.000000000000007, 1, -33),
    ("floor", 1e9 + 0.5, 1, 1e9),  # no whole number is swallowed, however large
    ("ceil", 1e9 + 0.5, 1, 1e9 + 1),
    ("ceil", 2.0**51 + 0.5, 1, 2.0**51 + 1),
    ("floor", 2.0**60, 1, 2.0**60),
    ("ceildiv", 0.3, 0.1, 3),
    ("ceildiv", 0.1 + 0.2, 0.1, 3),
    ("floordiv", 0.3, 0.1, 3),
    ("floordiv", -0.3, 0.1, -3),
    ("floordiv", 0.3, -0.1, -3),
    ("floordiv", SUM, -0.1, -8),
    ("ceildiv", 0.31, 0.1, 4),
    ("%", 0.3, 0.1, 0),
    ("%", 0.1 + 0.2, 0.1, 0),
    ("%", -0.3, 0.1, 0),
    ("%", SUM * 10, 1, 0),
    ("%", 0.35, 0.1, 0.05),
    ("ceildiv", 1e9 + 1, 1e9, 2),  # whole numbers are divided exactly
    ("ceildiv", 1e12 + 1, 1e3, 1e9 + 1),
    ("floordiv", 1e12 - 1, 1e3, 1e9 - 1),
    ("%", 1e12 + 1, 1e3, 1),
    ("%", 1e12 - 1, 1e3, 999),
    ("%", 7e15 + 1, 7e3, 1),
]


@pytest.mark.parametrize(("function", "a", "b", "expected"), ROWS)
def test_what_lies_next_to_a_whole_number(function: str, a: float, b: float, expected: float) -> None:
    graph = graph_of(TREES[function])
    program = compile_program(graph, ["cost"])
    expected = pytest.approx(expected, rel=1e-12, abs=1e-15)
    assert program.evaluate({"a": a, "b": b})["cost"] == expected
    assert evaluate_many(program, {"a": np.array([a, a]), "b": np.array([b, b])})["cost"].tolist() == [expected] * 2
    assert float(Oracle(graph).value("cost", {"a": Fraction(a), "b": Fraction(b)})) == expected


def test_bounds_hold_what_is_rounded() -> None:
    """Boxes from next to a whole number to next to another, and points."""
    draw = np.random.default_rng(7)
    wholes = draw.integers(-300, 300, 3000).astype(float)
    low = wholes * (1 + draw.choice([-2e-9, -1e-13, 0.0, 1e-13, 2e-9], 3000))
    high = low + np.absolute(low) * draw.choice([0.0, 1e-12, 1e-3, 0.4], 3000)
    parts = np.where(draw.random(3000) < 0.5, 1.0, 0.1 * draw.integers(1, 50, 3000))
    ends = {"a": (low, high), "b": (parts, parts * (1 + draw.choice([0.0, 1e-12, 0.3], 3000)))}
    for function, tree in TREES.items():
        program = compile_program(graph_of(tree), ["cost"])
        bounds: Any = Kept(["cost"])
        program.vector(Boxes({name: Interval(*each) for name, each in ends.items()}, program.largest_divisor), bounds)
        for share in (0.0, 0.3, 1.0):
            at = {name: np.minimum(one + share * (other - one), other) for name, (one, other) in ends.items()}
            found = evaluate_many(program, at)["cost"]
            assert ((bounds["cost"].low <= found) & (found <= bounds["cost"].high)).all(), function


def test_whole_numbers_are_divided_exactly() -> None:
    """Drawn far beyond where 1e-9 of a quotient is more than one of its parts."""
    draw = Random(32)
    programs = {name: compile_program(graph_of(tree), ["cost"]) for name, tree in TREES.items()}
    for _ in seen(range(samples(500))):
        b = draw.randint(1, 10 ** draw.randint(1, 9))
        a = draw.randint(0, 10 ** draw.randint(1, 6)) * b + draw.choice([-1, 0, 1, b // 2])
        exact = {"%": a % b, "floordiv": a // b, "ceildiv": -(-a // b)}
        for name, value in seen(exact.items()):
            assert programs[name].evaluate({"a": a, "b": b})["cost"] == value, (name, a, b)
