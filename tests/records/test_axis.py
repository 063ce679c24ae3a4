"""Several values of an input as people write them to the points of an axis."""

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from formula_eval import FormulaError
from formula_eval.core.quantity import Quantified
from formula_eval.libraries import find_library
from formula_eval.records.axis import Axis, axis_of
from formula_eval.records.schema import InputSchema

UNITS = find_library().units


def axis(said, kind="whole", unit="", **more) -> Axis:
    quantity = UNITS.parse(unit).quantity(kind) if unit else Quantified(kind, words=more.pop("words", ()))
    return axis_of(said, InputSchema("x", quantity, "An input", "here:1", **more), UNITS, "--x")


def points(said, kind="whole", unit="", **more) -> list[float]:
    found = axis(said, kind, unit, **more)
    return found.part(0, found.length)


@pytest.mark.parametrize(
    ("said", "kind", "unit", "expected"),
    [
        ("8", "whole", "", [8]),
        ("1,2, 4", "whole", "", [1, 2, 4]),
        ("4,2,4", "whole", "", [4, 2]),
        ("1..4", "whole", "token", [1, 2, 3, 4]),
        ("1..2.5", "number", "", [1, 2]),
        ("1..512*2", "whole", "", [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]),
        ("1..100*4", "whole", "", [1, 4, 16, 64]),
        ("1..10*1.5", "whole", "", [1, 2, 3, 5, 8]),
        ("1024..131072:3", "whole", "token", [1024, 66048, 131072]),
        ("1..4:9", "whole", "", [1, 2, 3, 4]),
        ("5..5:1", "whole", "", [5]),
        ("0..1:5", "number", "", [0, 0.25, 0.5, 0.75, 1]),
        ("4k..16k*2", "whole", "token", [4000, 8000, 16000]),
        ("1..4k*10", "whole", "token", [1, 10, 100, 1000]),
        ("1..3 TB/s:3", "number", "byte/s", [1e12, 2e12, 3e12]),
        ("1 TB/s..3 TB/s", "number", "byte/s", [1e12, 2e12, 3e12]),
        ("900 GB/s..3.6 TB/s*2", "number", "byte/s", [9e11, 1.8e12, 3.6e12]),
        ("1..3:3 TB/s", "number", "byte/s", [1e12, 2e12, 3e12]),
        ("1 TB/s,2..4 TB/s*2", "number", "byte/s", [1e12, 2e12, 4e12]),
        ("10%..30%:3", "number", "", [0.1, 0.2, 0.3]),
        ("true,false", "flag", "", [True, False]),
        ([1, 2, 4], "whole", "", [1, 2, 4]),
        (range(1, 4), "whole", "", [1, 2, 3]),
        (["1..3", 8], "whole", "", [1, 2, 3, 8]),
    ],
)
def test_values_are_written_in_several_ways(said, kind, unit, expected) -> None:
    assert points(said, kind, unit) == pytest.approx(expected, rel=1e-15)


def test_words_of_a_choice_stand_between_commas() -> None:
    assert points("gpipe,full", "choice", words=("full", "core", "gpipe")) == [2, 0]


@pytest.mark.parametrize(
    ("said", "kind", "unit", "why"),
    [
        ("", "whole", "", "lacks a value"),
        ("1,,2", "whole", "", "lacks a value"),
        ([], "whole", "", "lacks a value"),
        ("8..1", "whole", "", "runs backwards"),
        ("1..", "whole", "", "is not a range"),
        ("..4", "whole", "", "is not a range"),
        ("1..4*", "whole", "", "is not a range"),
        ("1..4*1.2.3", "whole", "", "is not a range"),
        ("1..inf", "whole", "", "is not a number"),
        ("1..1e999", "whole", "", "out of range"),
        ("1..4*1", "whole", "", "never reaches its end"),
        ("0..4*2", "whole", "", "never reaches its end"),
        ("1..1000000*1.0000001", "number", "", "more than 100,000 values"),
        ("1..4:0", "whole", "", "no such number of values"),
        ("1..4:1", "whole", "", "no such number of values"),
        ("1..4:2.5", "whole", "", "no such number of values"),
        ("1..4", "number", "byte/s", "lacks its unit"),
        ("1..4 s", "number", "byte/s", "is s, but byte/s is needed"),
        ("1..3,32,000", "whole", "", "is several values"),
        ("1..4000", "whole", "", "is outside"),
        ("maybe", "flag", "", "is not a flag"),
    ],
)
def test_what_is_no_axis_is_refused(said, kind, unit, why) -> None:
    with pytest.raises(FormulaError, match=why) as refused:
        axis(said, kind, unit, high=1e3 if why == "is outside" else None)
    assert refused.value.diagnostics[0].help


def test_a_range_of_any_length_takes_no_memory() -> None:
    found = axis("1..1000000000000")
    assert found.length == 10**12
    assert (found[0], found[10**12 - 1]) == (1, 1e12)
    assert found.part(10**11, 10**11 + 2) == [1e11 + 1, 1e11 + 2]


@given(st.integers(1, 1000), st.integers(0, 1000), st.integers(2, 50))
def test_evenly_spaced_points_end_at_both_ends_and_rise(low: int, more: int, count: int) -> None:
    found = points(f"{low}..{low + more}:{count}")
    assert (found[0], found[-1]) == (low, low + more)
    assert found == sorted(set(found))
    assert len(found) == min(count, more + 1)


@given(st.integers(1, 100), st.integers(1, 10**6), st.sampled_from(["2", "1.5", "10"]))
def test_each_point_of_a_ratio_is_that_many_times_the_last(low: int, high: int, ratio: str) -> None:
    found = points(f"{low}..{low + high}*{ratio}", "number")
    assert found == [float(low * Fraction(ratio) ** number) for number in range(len(found))]
    assert found[-1] <= low + high < found[-1] * float(ratio)
