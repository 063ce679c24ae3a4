"""Values as written to numbers in base units."""

from datetime import date

import pytest

from formula_eval import FormulaError
from formula_eval.core.unit import UnitTable
from formula_eval.core.unit_words import with_unit_texts
from formula_eval.libraries import find_library
from formula_eval.records.example_value import example_of
from formula_eval.records.schema import InputSchema, Quantified
from formula_eval.records.values import InBaseUnits, read_value

UNITS = find_library().units


def schema(kind="number", unit="", **more):
    quantity = UNITS.parse(unit).quantity(kind) if unit else Quantified(kind, words=more.pop("words", ()))
    return InputSchema("x", quantity, "An input", "here:1", **more)


@pytest.mark.parametrize(
    ("value", "kind", "dimension", "number"),
    [
        (8, "whole", "", 8),
        ("8", "whole", "", 8),
        ("32_000", "whole", "", 32000),
        ("32,000", "whole", "", 32000),
        ("1,234,567", "whole", "", 1234567),
        ("3,350 GB/s", "number", "byte/s", 3.35e12),
        ("12,345.5", "number", "", 12345.5),
        ("4k", "whole", "", 4000),
        ("4Ki", "whole", "", 4096),
        ("128K", "whole", "", 128_000),
        ("1M", "whole", "", 1_000_000),
        ("1.5k tokens", "whole", "token", 1500),
        ("15T tokens", "whole", "token", 15e12),
        ("300B", "whole", "token", 300e9),
        (".5", "number", "", 0.5),
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
        ("60 kWh", "number", "kWh", 216e6),
        ("216 MJ", "number", "kWh", 216e6),
        ("0.32 USD/kWh", "number", "USD/kWh", 0.32 / 3.6e6),
        ("3 hours", "number", "s", 10800),
        ("7 requests/hour", "number", "request/hour", 7 / 3600),
        ("10%", "number", "", 0.1),
        ("10 percent", "number", "percent", 0.1),
        ("1.2 kg/m**3", "number", "kg/m**3", 1.2),
        ("2026-11-22", "date", "", 1795305600),
        ("2026-11-22 06:30", "date", "", 1795305600 + 23400),
        (date(2026, 11, 22), "date", "", 1795305600),
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
        (1.5, "whole", "", "not a whole number"),
        (-1, "number", "", "at least 0"),
        (5, "number", "byte", "lacks its unit"),
        ("5 s", "number", "byte", "is s, but byte is needed"),
        ("5 parsec", "number", "byte", "unknown unit"),
        ("five", "number", "", "is not a number"),
        ("1e999999999", "number", "", "out of range"),
        (10**400, "number", "", "out of range"),
        pytest.param(10**9999, "number", "", "out of range", id="thousands of digits"),
        ("1e308 TB", "number", "byte", "out of range"),
        (float("nan"), "number", "", "is out of range"),
        (InBaseUnits(float("inf")), "number", "byte", "out of range"),
        (True, "number", "", "is not a number"),
        ([1], "number", "", "is not a number"),
        (60, "number", "kWh", "lacks its unit, kWh"),
        (0.1, "number", "percent", "lacks its unit, percent"),
        ("5 km", "number", "kWh", "is m, but kWh is needed"),
        ("5 hourss", "number", "s", "unknown unit, `hourss`"),
        ("14 kWh/100km", "number", "kWh/km", "a number within its unit, `kWh/100km`"),
        ("2026-13-22", "date", "", "is not a date"),
        (2026, "date", "", "is not a date"),
        (InBaseUnits(float("nan")), "date", "", "is not a date"),
        (1.0, "flag", "", "is not a flag"),
        ("perhaps", "flag", "", "is not a flag"),
    ],
)
def test_refused(value, kind, dimension, says):
    with pytest.raises(FormulaError, match=says):
        read_value(value, schema(kind, dimension), UNITS, "here")


@pytest.mark.parametrize(
    ("unit", "domain", "example"),
    [
        ("byte", {}, "80 GB"),
        ("byte", {"high": 1e9}, "1 byte"),
        ("kWh", {"low": 72e6, "high": 720e6}, "100 kWh"),
        ("kWh", {"low": 54e6, "high": 58e6}, "15.5555555556 kWh"),
        ("percent", {"high": 0.9}, "1%"),
        ("USD/hour", {}, "1 USD/hour"),
        ("1/s", {}, "1/s"),
        ("", {"high": 0.9}, "0.5"),
        ("", {}, "8"),
        ("ms", {"allowed": (0.001, 0.002)}, "1 ms"),
    ],
)
def test_an_example_lies_within_the_range(unit, domain, example):
    made = schema("number", unit, **domain)
    assert example_of(made, UNITS) == example
    read_value(example, made, UNITS, "here")


def test_a_date_lies_within_its_range():
    made = schema("date", low=1767225600.0, high=1798675200.0)
    with pytest.raises(FormulaError, match="outside 2026-01-01 to 2026-12-31"):
        read_value("2027-01-01", made, UNITS, "here")


@pytest.mark.parametrize(
    ("value", "kind", "dimension", "says"),
    [
        ("1,2,4", "whole", "", "takes one value"),
        ("12,34", "whole", "", "takes one value"),
        ("1,000,00", "whole", "", "takes one value"),
        ("3,35 TB/s", "number", "byte/s", "Did you mean `3.35 TB/s`"),
        ("0,85 us", "number", "s", "Did you mean `0.85 us`"),
        ("1,,000", "whole", "", ""),
        (",5", "number", "", ""),
        ("1.2.3", "number", "", ""),
        ("4k", "number", "byte", ""),
        ("4kk", "whole", "", ""),
        ("4.5", "whole", "", ""),
        ("0.5k and more", "whole", "", ""),
    ],
)
def test_commas_and_prefixes_do_nothing_else(value, kind, dimension, says):
    with pytest.raises(FormulaError) as caught:
        read_value(value, schema(kind, dimension), UNITS, "here")
    assert says in caught.value.diagnostics[0].help


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("a > 10/s", "a > (10 1/s)"),
        ("a > 10 tokens/s and b<$2.50/h", "a > (10 token/s) and b<(2.50 USD/hour)"),
        ("a > 10 ms and b >= (10 GB/s)", "a > (10 ms) and b >= ((10 GB/s))"),
        ("m.row.1.x / 2 < heads * 4/tp", "m.row.1.x / 2 < heads * 4/tp"),
        ("seq <= min(4k, x)", "seq <= min(4k, x)"),
        ("a == 2 or b == 3 and c != 4 if d", "a == 2 or b == 3 and c != 4 if d"),
        ("a < 400 g/kWh", "a < (400 gram/kWh)"),
        ("a < 3 furlongs/s", "a < 3 furlongs/s"),
    ],
)
def test_a_condition_has_units_as_people_write_them(text, meant):
    others = {"$": "USD", "h": "hour", "g": "gram"}
    assert with_unit_texts(text, UnitTable(UNITS.units, others)) == meant


@pytest.mark.parametrize("word", ["one_f_one_b", "1F1B", "one-f-one-b", "pipedream-flush"])
def test_a_word_may_be_written_as_others_do(word):
    also = (("1f1b", "one_f_one_b"), ("pipedream_flush", "one_f_one_b"))
    assert read_value(word, schema("choice", words=("gpipe", "one_f_one_b"), also=also), UNITS, "here") == 1


@pytest.mark.parametrize(
    ("low", "high", "help_"),
    [
        (float("-inf"), float("inf"), "An input."),
        (float("-inf"), 3000.0, "An input: at most 3 km."),
        (1000.0, None, "An input: at least 1 km."),
        (1000.0, 3000.0, "An input: 1 to 3 km."),
    ],
)
def test_what_is_refused_is_told_its_range(low, high, help_):
    with pytest.raises(FormulaError) as refused:
        read_value([], schema("number", "km", low=low, high=high), UNITS, "here")
    assert refused.value.diagnostics[0].help == help_
