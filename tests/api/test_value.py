"""A value of an answer is a number that knows its unit."""

import math
import operator
import pickle

import numpy as np
import pytest
from hypothesis import given, strategies as st

from formula_eval import FormulaError, Value
from formula_eval.core.quantity import Quantified
from formula_eval.core.unit import UnitTable

SECONDS = Quantified("number", "s", "s")
BYTES = Quantified("number", "byte", "byte")
TOKENS = Quantified("whole", "token")
WORD = Quantified("choice", words=("compute", "memory"))
FLAG = Quantified("flag")
NUMBERS = st.one_of(st.integers(-(2**40), 2**40), st.floats(-1e12, 1e12, allow_nan=False))
BINARY = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod]
COMPARING = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]
UNARY = [operator.neg, operator.pos, abs, round, math.floor, math.ceil, float, int, bool, hash, lambda x: round(x, 2)]


def value(number: object, quantity: Quantified = SECONDS, **more: str) -> Value:
    return Value("a.b", number, quantity, UnitTable(), **more)


def outcome(operation, *operands):
    try:
        return operation(*operands)
    except ZeroDivisionError as error:
        return type(error)


@given(NUMBERS, NUMBERS)
@pytest.mark.parametrize("operation", [*BINARY, *COMPARING, divmod])
def test_an_operation_gives_what_it_gives_of_plain_numbers(operation, one: float, other: float) -> None:
    plain = outcome(operation, one, other)
    assert outcome(operation, value(one), other) == plain
    assert outcome(operation, one, value(other)) == plain
    assert outcome(operation, value(one), value(other)) == plain


@given(NUMBERS)
@pytest.mark.parametrize("operation", UNARY)
def test_so_does_one_of_a_single_number(operation, number: float) -> None:
    assert operation(value(number)) == operation(number)


def test_a_power_has_the_value_on_either_side() -> None:
    assert (value(3) ** 2, 2 ** value(3), value(2, TOKENS) ** value(5)) == (9, 8, 32)


def test_only_a_whole_number_counts() -> None:
    assert list(range(value(3, TOKENS))) == [0, 1, 2]
    assert "abc"[value(1, TOKENS)] == "b"
    with pytest.raises(TypeError, match="not a whole number"):
        range(value(0.5))


@pytest.mark.parametrize("operation", [operator.add, operator.sub, operator.lt, operator.ge, operator.mod])
def test_values_of_two_dimensions_are_not_added_or_compared(operation) -> None:
    with pytest.raises(FormulaError, match=r"in s and .* in byte, which are not added"):
        operation(value(1.0), value(1.0, BYTES))
    assert value(1.0) != value(1.0, BYTES)
    assert value(6.0, BYTES) / value(2.0) == 3
    assert value(1.0) + value(1, TOKENS) == 2


def test_a_word_is_compared_and_takes_no_arithmetic() -> None:
    word = value("memory", WORD)
    assert word == "memory"
    assert word != "compute"
    assert {word: 1}["memory"] == 1
    with pytest.raises(FormulaError, match=r"is the word `memory`, not a number\nhelp: "):
        word * 2


def test_a_flag_is_true_or_false() -> None:
    yes, no = (value(each, FLAG) for each in (True, False))
    assert yes
    assert not no
    assert [yes, no] == [True, False]


def test_what_is_absent_or_infinite_says_so() -> None:
    absent = value(None, why="`a.b` is absent: `gpus` was not given", absence="absent")
    infinite = value(None, why="`a.b` is infinite", absence="infinite")
    with pytest.raises(FormulaError, match="`gpus` was not given"):
        absent + 1
    assert not absent
    assert absent.value is None
    assert infinite > 1e300
    assert float(infinite) == math.inf


@pytest.mark.parametrize(
    ("spec", "text"),
    [("", "12.35 ms"), (".4f", "0.0123"), ("e", "1.234560e-02"), (">10", "  12.35 ms"), ("<10s", "12.35 ms  ")],
)
def test_a_specification_of_numbers_formats_the_number_any_other_the_text(spec: str, text: str) -> None:
    assert format(value(0.0123456), spec) == text


def test_numpy_takes_it_for_a_number() -> None:
    two = value(2)
    assert (np.array([1.0, 2.0]) * two).tolist() == (two * np.array([1.0, 2.0])).tolist() == [2, 4]
    assert np.array([two, two]).dtype.kind in "if"
    assert np.sqrt(value(4.0)) == 2


def test_it_is_kept_by_pickle() -> None:
    again = pickle.loads(pickle.dumps(value(0.5)))
    assert (again, again.unit, str(again), repr(again)) == (0.5, "s", "500 ms", "a.b = 500 ms")


def test_other_units(formulas) -> None:
    answer = formulas.evaluate(only=["inference.ttft", "price"], model="llama2-7b", price=7.2)
    first = answer["inference.ttft"]
    assert first.to("ms") == first.value * 1000
    assert answer["price"].value != answer["price"].declared[0]
    with pytest.raises(FormulaError, match="is s, which is not shown in `byte`"):
        first.to("byte")
    with pytest.raises(FormulaError, match=r"unknown unit `sec`\nhelp: "):
        first.to("sec")
