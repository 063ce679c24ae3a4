"""A value that is printed and read again is the same number, as far as its digits say."""

import math

import pytest
from hypothesis import given, strategies as st

from formula_eval.core.date import date_text, seconds_of
from formula_eval.core.quantity import Quantified
from formula_eval.evaluate.display import shown_value
from formula_eval.libraries import find_library
from formula_eval.records.schema import InputSchema
from formula_eval.records.values import read_value

UNITS = find_library().units
DECLARED = [
    *("byte", "byte/s", "FLOP", "FLOP/s", "s", "J", "W", "USD", "m", "kg", "K", "A", "1/s"),
    *("kWh", "km", "ms", "hour", "day", "USD/hour", "USD/kWh", "request/hour", "percent", "kg/m**3", "m**2", "km/hour"),
    *("token", "GPU", "token/s", "byte/token", "1/hour"),
]


def schema(quantity: Quantified) -> InputSchema:
    """An input of a quantity."""
    return InputSchema("x", quantity, "An input", "here:1", low=-math.inf)


@given(st.sampled_from(DECLARED), st.floats(-1e14, 1e14).filter(lambda value: not 0 < abs(value) < 1e-12))
def test_a_number_is_read_as_it_was_shown(unit: str, number: float) -> None:
    quantity = UNITS.parse(unit).quantity()
    value = quantity.in_base_units(number)
    again = read_value(shown_value(value, quantity), schema(quantity), UNITS, "here")
    assert float(again) == pytest.approx(value, rel=6e-4, abs=6e-3 if "USD" in unit else 1e-12)


@given(st.sampled_from(DECLARED), st.integers(-999, 999))
def test_few_digits_are_read_exactly(unit: str, number: int) -> None:
    quantity = UNITS.parse(unit).quantity()
    value = quantity.in_base_units(number)
    if quantity.style == "cents" or quantity.dimension in ("s", ""):
        return
    assert read_value(shown_value(value, quantity), schema(quantity), UNITS, "here") == pytest.approx(value, rel=1e-15)


@given(st.dates())
def test_a_date_is_read_as_it_was_shown(day: object) -> None:
    seconds = seconds_of(str(day))
    assert seconds is not None
    assert date_text(seconds) == str(day)
