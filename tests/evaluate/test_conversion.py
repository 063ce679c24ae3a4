"""A quantity in the unit that is asked for, and why another one is refused."""

import pytest

from formula_eval import FormulaError
from formula_eval.core.quantity import Quantified
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.display_unit import unit_for
from formula_eval.libraries import find_library

UNITS = find_library().units


@pytest.mark.parametrize(
    ("value", "declared", "asked", "text"),
    [
        (277.2e6, "J", "kWh", "77 kWh"),
        (277.2e6, "kWh", "J", "277,200,000 J"),
        (0.0348, "s", "s", "0.0348 s"),
        (0.0348, "s", "ms", "34.8 ms"),
        (8e10, "byte", "GiB", "74.51 GiB"),
        (2 / 3600, "USD/hour", "USD/year", "17,520 USD/year"),
        (0.125, "percent", "1", "0.125"),
        (0.125, "", "percent", "12.5%"),
    ],
)
def test_converted(value: float, declared: str, asked: str, text: str) -> None:
    quantity = UNITS.parse(declared).quantity() if declared else Quantified("number")
    shown = shown_value(value, unit_for(quantity, asked, UNITS, "`x`").quantity())
    assert shown.removesuffix(" 1") == text


@pytest.mark.parametrize(
    ("quantity", "asked", "says"),
    [
        (UNITS.parse("kWh").quantity(), "km", "`x` is kWh, which is not shown in `km`"),
        (UNITS.parse("kWh").quantity(), "kwh", "unknown unit `kwh`"),
        (Quantified("flag"), "s", "`x` is flag"),
        (Quantified("date"), "day", "`x` is date"),
        (Quantified("number"), "s", "`x` is a plain number"),
    ],
)
def test_refused(quantity: Quantified, asked: str, says: str) -> None:
    with pytest.raises(FormulaError, match=says):
        unit_for(quantity, asked, UNITS, "`x`")
