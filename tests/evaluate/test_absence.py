"""Programs of graphs built by hand: absent inputs and guards, of one configuration and of many."""

import math

import numpy as np
import pytest

from evaluate.graphs import program_of
from formula_eval.evaluate.batch import evaluate_many


def test_absent_stays_absent_and_says_why() -> None:
    program = program_of(
        {"gpus": "", "tp": "1", "mode": ""}, {"a": "gpus / tp", "b": "max(tp, a)", "c": "tp", "d": "mode"}
    )
    values = program.evaluate({})
    assert math.isnan(values["b"])
    assert program.why_absent(values, "b") == "gpus"
    assert program.why_absent(values, "d") == "mode"
    assert program.why_absent(values, "c") is None
    assert program.evaluate({"gpus": math.nan, "mode": 2})["d"] == 2


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 if gated else 2", 2),
        ("1 if not gated else 2", 1),
        ("1 if gated or tied else 2", 1),
        ("one_if(gated)", 0),
        ("1 if gated == true else 2", 2),
        ("1 if (gated if tied else tied) else 2", 2),
        ("1 if x > 0 else 2", 2),
        ("1 if given(x) and 1 / x > 0 else 2", 2),
    ],
)
def test_what_is_absent_does_not_hold(text: str, value: float) -> None:
    program = program_of({"gated": "", "x": "", "tied": "true", "y": "1"}, {"a": text})
    assert program.evaluate({})["a"] == value
    nans = np.array([math.nan, math.nan])
    assert evaluate_many(program, {"y": np.ones(2)})["a"].tolist() == pytest.approx([value, value])
    assert evaluate_many(program, {"gated": nans, "x": nans})["a"].tolist() == [value, value]


def test_a_match_on_an_absent_choice_is_absent() -> None:
    program = program_of({"mode": ""}, {"a": "(match mode: none -> 1, core | full -> 2)"})
    assert math.isnan(program.evaluate({})["a"])
    many = evaluate_many(program, {"mode": np.array([0, 1, 2, math.nan])})["a"]
    assert many[:3].tolist() == [1, 2, 2]
    assert math.isnan(many[3])


def test_a_lane_with_nan_takes_the_default() -> None:
    program = program_of(
        {"x": "3", "y": "x if given(x) else 7", "gated": "true"}, {"a": "x + y", "b": "1 if gated else 2"}
    )
    given = {"x": np.array([1.0, math.nan]), "gated": np.array([0.0, math.nan])}
    many = evaluate_many(program, given)
    assert many["a"].tolist() == [2, 10]
    assert many["b"].tolist() == [2, 1]
    assert [program.evaluate({"x": x})["a"] for x in (1.0, math.nan)] == [2, 10]


def test_a_guard_that_does_not_hold_counts_nothing() -> None:
    program = program_of({"n": "0"}, {"a": "1 / n"}, {"a": "n > 0"})
    assert program.evaluate({})["a"] == 0
    assert evaluate_many(program, {"n": np.array([0.0, 2.0])})["a"].tolist() == [0, 0.5]


def test_a_guarded_flag_decides_in_every_lane() -> None:
    """Lanes whose guard does not hold read no, so that another flag may turn it round."""
    program = program_of(
        {"n": "0"},
        {"gated": "1 / n > 0.25", "a": "1 if not gated else 2", "b": "one_if(gated or n > 7)"},
        {"gated": "n > 0"},
    )
    numbers = [0.0, 2.0, 8.0]
    many = evaluate_many(program, {"n": np.array(numbers)})
    for name in ("a", "b"):
        assert many[name].tolist() == [program.evaluate({"n": n})[name] for n in numbers]
    assert many["a"].tolist() == [1, 2, 1]


@pytest.mark.parametrize("n", [0.5, 12.0])
def test_a_divisor_below_an_absent_bound_is_absent(n: float) -> None:
    program = program_of({"x": "", "n": "1"}, {"a": "largest_divisor(n, x)"})
    assert math.isnan(program.evaluate({"n": n})["a"])
    many = evaluate_many(program, {"n": np.array([n, n]), "x": np.array([math.nan, math.nan])})["a"]
    assert np.isnan(many).all()
