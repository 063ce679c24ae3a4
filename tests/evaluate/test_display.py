"""How a value is shown: in the unit that its author declared, or with the prefix that fits."""

import math

import pytest

from formula_eval.core.quantity import Quantified
from formula_eval.core.unit_meaning import meanings_in, unit_table
from formula_eval.evaluate.display import shown_value
from formula_eval.libraries import find_library

LIBRARY = """
unit EUR base with cents
unit patch count checked
unit dozen = 12 patch
unit mile = 1609.344 m
"""
OURS = (find_library().folders[0] / "formulas" / "units.formula").read_text(encoding="utf-8")
UNITS = unit_table(meaning for text in (OURS, LIBRARY) for meaning in meanings_in(text))


def quantity(unit: str, kind: str = "number") -> Quantified:
    """What a value declared in this unit is."""
    return UNITS.parse(unit).quantity(kind)


@pytest.mark.parametrize(
    ("number", "unit", "text"),
    [
        (0.32, "USD/kWh", "0.32 USD/kWh"),
        (98.5, "EUR", "98.50 EUR"),
        (1235.5, "EUR", "1,236 EUR"),
        (1_234_567.25, "EUR", "1,234,567 EUR"),
        (0.32, "EUR/kWh", "0.32 EUR/kWh"),
        (6973, "request/hour", "6,973 requests/hour"),
        (2, "1/hour", "2/hour"),
        (77, "kWh", "77 kWh"),
        (1200, "ms", "1,200 ms"),
        (300, "km", "300 km"),
        (1, "hour", "1 hour"),
        (36, "hour", "36 hours"),
        (12, "percent", "12%"),
        (2.5, "percent/year", "2.5 percent/year"),
        (2, "dozen", "2 dozens"),
        (1, "patch", "1 patch"),
        (68_976_648, "patch", "68,976,648 patches"),
        (1.2, "kg/m**3", "1.2 kg/m**3"),
        (1850, "kg", "1,850 kg"),
        (5, "mile", "5 miles"),
        (8e10, "byte", "80 GB"),
        (3.35e12, "byte/s", "3.35 TB/s"),
        (700, "W", "700 W"),
        (0.0017, "s", "1.7 ms"),
        (320_000, "byte/token", "320 kB/token"),
        (12, "token/s", "12 tokens/s"),
        (1, "GPU", "1 GPU"),
    ],
)
def test_shown_in_the_declared_unit(number: float, unit: str, text: str) -> None:
    of = quantity(unit)
    assert shown_value(of.in_base_units(number), of) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1795305600.0, "2026-11-22"),
        (1795305600.0 + 9000, "2026-11-22 02:30"),
        (0.0, "1970-01-01"),
        (-86400.0, "1969-12-31"),
        (1e18, "out of the calendar"),
        (math.inf, "infinite"),
    ],
)
def test_a_date_is_shown_as_one(value: float, text: str) -> None:
    assert shown_value(value, Quantified("date")) == text
