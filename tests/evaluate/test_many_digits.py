"""A program computed with fifty digits: each operation as doubles have it, and with all its digits."""

import math
from decimal import Decimal
from fractions import Fraction

import pytest

from formula_eval.core import expression as e
from formula_eval.evaluate.many_digits import ManyDigits
from formula_eval.evaluate.program import compile_program
from properties.test_notations_agree import graph_of, number

A, B = e.Reference("a"), e.Reference("b")


def called(function: str, *of: e.Expression) -> e.Expression:
    return e.Call(function, of)


OPERATIONS = {
    "quotient": e.Binary("/", A, B),
    "remainder": e.Binary("%", A, B),
    "power": e.Binary("**", called("abs", A), B),
    "square": e.Binary("**", A, number(2)),
    "rounded": called("round", A),
    **{name: called(name, A) for name in ("ceil", "floor", "exp", "expm1")},
    **{name: called(name, A, B) for name in ("floordiv", "ceildiv", "min", "max")},
    **{name: called(name, called("abs", A)) for name in ("sqrt", "ln", "log1p", "log2")},
}
PAIRS = [(7.0, 2.0), (-7.0, 2.0), (7.5, -2.0), (-6.0, -3.0), (0.3, 0.1), (-1e-12, 3.0), (2.0, 0.5), (40.0, -2.0)]


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_a_double_is_what_its_fifty_digits_are_rounded_to(operation: str, a: float, b: float) -> None:
    program = compile_program(graph_of(OPERATIONS[operation]), ["cost"])
    givens = {"a": a, "b": b}
    exact = ManyDigits(program).evaluate(givens)["cost"]
    assert float(exact) == pytest.approx(program.evaluate(givens)["cost"], rel=1e-15, abs=0)


@pytest.mark.parametrize(
    ("tree", "a", "value"),
    [
        (e.Binary("/", A, number(3)), 1.0, Fraction(1, 3)),
        (e.Binary("-", e.Binary("+", A, number(1)), number(1)), 1e-20, Fraction(1e-20)),
        (e.Binary("-", A, e.Number("0.1", "", Fraction(1, 10))), 0.1, Fraction(0.1) - Fraction(1, 10)),
        (called("expm1", A), 2.0**-200, Fraction(2.0**-200)),
        (called("log1p", A), 2.0**-200, Fraction(2.0**-200)),
    ],
)
def test_no_digit_is_lost_that_doubles_lose(tree: e.Expression, a: float, value: Fraction) -> None:
    exact = ManyDigits(compile_program(graph_of(tree), ["cost"])).evaluate({"a": a})["cost"]
    assert abs(Fraction(exact) / value - 1) < Fraction(1, 10**28)


def test_what_has_no_value_has_none_with_more_digits_either() -> None:
    quotient = ManyDigits(compile_program(graph_of(e.Binary("/", A, B)), ["cost"]))
    with pytest.raises(ZeroDivisionError):
        quotient.evaluate({"a": 1.0, "b": 0.0})
    assert quotient.evaluate({"a": 1.0, "b": math.inf})["cost"] == Decimal(0)
