"""A day by the hour has the day's requests, the busiest hour's rate, even steps, and none outside its hours."""

import math
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from formula_eval import Formulas

HOURS = range(24)
NAMES = [f"mixture.hours.{hour}.rate" for hour in HOURS]


@given(share=st.floats(0, 1), hours=st.floats(1, 24), busiest=st.sampled_from(HOURS))
def test_it_has_all_requests_of_the_day(formulas: Formulas, share: float, hours: float, busiest: int) -> None:
    peak = hours**share  # the busiest hour cannot have more than all requests
    asked = {"peak_to_mean": peak, "hours_per_day": hours, "busiest_hour": busiest}
    found = formulas.evaluate(only=[*NAMES, "request_rate"], mean_request_rate="10 request/s", **asked)
    rates = [found[each].value for each in NAMES]
    assert sum(rates) == pytest.approx(24 * 10)
    assert max(rates) == pytest.approx(rates[busiest]) == pytest.approx(found["request_rate"].value)
    assert sum(each > 0 for each in rates) <= math.ceil(hours)


@given(share=st.floats(0, 1), busiest=st.sampled_from(HOURS))
def test_it_rises_and_falls_evenly(formulas: Formulas, share: float, busiest: int) -> None:
    asked = {"peak_to_mean": 24**share, "hours_per_day": 24, "busiest_hour": busiest}
    found = formulas.evaluate(only=NAMES, request_rate="10 request/s", **asked)
    later = [found[f"mixture.hours.{(busiest + each) % 24}.rate"].value for each in range(12)]
    sooner = [found[f"mixture.hours.{(busiest - each) % 24}.rate"].value for each in range(12)]
    assert later == pytest.approx(sooner)
    steps = [nearer - farther for nearer, farther in pairwise(later) if farther > 1e-9]
    assert steps == pytest.approx(steps[:1] * len(steps), abs=1e-9)
