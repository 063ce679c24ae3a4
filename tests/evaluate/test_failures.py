"""Programs of graphs built by hand: what fails is told as a formula at its place, of one configuration and of many."""

import math

import numpy as np
import pytest

from evaluate.graphs import program_of
from formula_eval.core.diagnostic import Diagnostic, FormulaError
from formula_eval.evaluate.batch import evaluate_many


def finding(error: pytest.ExceptionInfo[FormulaError]) -> Diagnostic:
    return error.value.diagnostics[0]


@pytest.mark.parametrize(
    ("text", "given", "code", "message", "help_"),
    [
        ("x / y", 0, "division-by-zero", "`cost` divides by zero: `x / y`", "Here x = 3, y = 0."),
        ("x % y", 0, "division-by-zero", "`cost` divides by zero: `x % y`", "Here x = 3, y = 0."),
        ("ceildiv(x, y)", 0, "division-by-zero", "`cost` divides by zero: `ceildiv(x, y)`", "Here x = 3, y = 0."),
        ("y ** -1", 0, "division-by-zero", "`cost` divides by zero: `y ** -1`", "Here y = 0."),
        ("exp(y)", 1e3, "overflow", "`cost` is too large a number: `exp(y)`", "Here y = 1,000."),
        ("y ** x", 1e200, "overflow", "`cost` is too large a number: `y ** x`", "Here y = 1.000e+200, x = 3."),
        (
            "log2(y)",
            0,
            "not-a-number",
            "`cost` is not a number (a logarithm or root that does not exist): `log2(y)`",
            "Here y = 0.",
        ),
        (
            "y ** 0.5",
            -1,
            "not-a-number",
            "`cost` is not a number (a broken power of a negative number): `y ** 0.5`",
            "Here y = -1.",
        ),
        (
            "largest_divisor(y, x)",
            1.5,
            "not-a-number",
            "`cost` is not a number (largest_divisor takes a whole number from 1 to 2**40): `largest_divisor(y, x)`",
            "Here y = 1.5, x = 3.",
        ),
        ("y - y", math.inf, "not-a-number", "`cost` is not a number: `y - y`", "Here y = infinite."),
    ],
)
def test_an_error_is_that_of_a_formula(text: str, given: float, code: str, message: str, help_: str) -> None:
    program = program_of({"x": "3", "y": "1"}, {"before": "x + 1", "cost": text, "after": "cost + 1"})
    with pytest.raises(FormulaError) as error:
        program.evaluate({"y": given})
    assert (finding(error).code, finding(error).message, finding(error).help) == (code, message, help_)
    assert str(error.value) == f"costs.formula:4:1: {message}\nhelp: {help_}"
    with pytest.raises(FormulaError) as many:
        evaluate_many(program, {"y": np.array([2.0, 4.0, given])})
    assert finding(many).message == f"{message} (configuration 2)"
    marked = evaluate_many(program, {"y": np.array([2.0, given])}, failures="nan")
    assert np.isnan(marked["cost"]).tolist() == np.isnan(marked["before"]).tolist() == [False, True]


def test_the_first_failing_configuration_of_a_grid_is_named() -> None:
    program = program_of({"x": "1", "y": "1"}, {"cost": "1 / (x - y)"})
    x, y = np.arange(5.0)[:, None], np.arange(3.0, 6.0)[None, :]
    with pytest.raises(FormulaError, match=r"\(configuration 3, 0\)"):
        evaluate_many(program, {"x": x, "y": y}, chunk=4)
    assert np.isnan(evaluate_many(program, {"x": x, "y": y}, failures="nan")["cost"]).sum() == 2


def test_absence_in_one_lane_is_no_error_but_a_missing_number_is() -> None:
    program = program_of({"x": "", "y": "1"}, {"cost": "x - y"})
    many = evaluate_many(program, {"x": np.array([math.nan, 3.0]), "y": np.ones(2)})["cost"]
    assert math.isnan(many[0])
    assert many[1] == 2
    with pytest.raises(FormulaError, match=r"`cost` is not a number: `x - y` \(configuration 2\)"):
        evaluate_many(program, {"x": np.array([math.nan, 3.0, math.inf]), "y": np.array([1.0, 1.0, math.inf])})
