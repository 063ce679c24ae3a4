"""Values as written to numbers in base units."""

import pytest

from formula_eval import FormulaError
from formula_eval.library import find_library
from formula_eval.records.schema import InputSchema, Quantified
from formula_eval.records.values import InBaseUnits, read_value

UNITS = find_library().units


def schema(kind="number", dimension="", **more):
    return InputSchema("x", Quantified(kind, dimension, dimension, more.pop("words", ())), "An input", "here:1", **more)


@pytest.mark.parametrize(
    ("value", "kind", "dimension", "number"),
    [
        (8, "whole", "", 8),
        ("8", "whole", "", 8),
        ("32_000", "whole", "", 32000),
        ("32,000", "whole", "", 32000),
        (0.5, "number", "", 0.5),
        ("2.5 TB/s", "number", "byte/s", 2.5e12),
        ("80 GiB", "number", "byte", 80 * 2**30),
        ("0.85 us", "number", "s", 0.85e-6),
        ("2 USD/hour", "number", "USD/s", 2 / 3600),
        ("0", "number", "byte", 0),
        ("2/s", "number", "1/s", 2),
        ("2 1/s", "number", "1/s", 2),
        ("1e-320 s", "number", "s", 1e-320),
        (InBaseUnits(2.5e12), "number", "byte/s", 2.5e12),
        (True, "flag", "", True),
        ("no", "flag", "", False),
    ],
)
def test_read(value, kind, dimension, number):
    assert read_value(value, schema(kind, dimension), UNITS, "here") == number


def test_a_word_is_its_index():
    assert read_value("b", schema("choice", words=("a", "b")), UNITS, "here") == 1


@pytest.mark.parametrize(
    ("value", "kind", "dimension", "says"),
    [
        (1.5, "whole", "", "no whole number"),
        (-1, "number", "", "at least 0"),
        (5, "number", "byte", "lacks its unit"),
        ("5 s", "number", "byte", "is s, but byte is needed"),
        ("5 parsec", "number", "byte", "unknown unit"),
        ("five", "number", "", "is no number"),
        ("1e999999999", "number", "", "out of range"),
        (10**400, "number", "", "out of range"),
        pytest.param(10**9999, "number", "", "out of range", id="thousands of digits"),
        ("1e308 TB", "number", "byte", "out of range"),
        (float("nan"), "number", "", "is out of range"),
        (InBaseUnits(float("inf")), "number", "byte", "out of range"),
        (True, "number", "", "is no number"),
        ([1], "number", "", "is no number"),
        (1.0, "flag", "", "is no flag"),
        ("perhaps", "flag", "", "is no flag"),
    ],
)
def test_refused(value, kind, dimension, says):
    with pytest.raises(FormulaError, match=says):
        read_value(value, schema(kind, dimension), UNITS, "here")
