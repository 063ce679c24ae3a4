"""The best few and the front of a stream against sorting all of it; how robust a first place is."""

import numpy as np
from hypothesis import given, strategies as st

from formula_eval.analyse.search.outcome import robustness
from formula_eval.analyse.search.ranking import Leaders, ParetoFront, Ranked

POINTS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=60)


def ranked(points: list[tuple[int, int]], start: int = 0) -> Ranked:
    values = tuple(np.array(column, float) for column in zip(*points, strict=True))
    return Ranked(values, np.zeros(len(points), int), np.arange(start, start + len(points)))


@given(POINTS, st.integers(1, 9), st.integers(1, 20), st.booleans())
def test_leaders_of_parts_are_those_of_the_whole(points, most: int, step: int, is_largest) -> None:
    found = Leaders(most, [is_largest, False])
    for start in range(0, len(points), step):
        found.add(ranked(points[start : start + step], start))
    sign = -1 if is_largest else 1
    wanted = sorted(range(len(points)), key=lambda place: (sign * points[place][0], points[place][1], place))
    assert found.found.codes.tolist() == wanted[:most]


@given(POINTS, st.integers(1, 20))
def test_nothing_beats_what_is_on_the_front_and_something_beats_all_else(points, step: int) -> None:
    found = ParetoFront([False, True])
    for start in range(0, len(points), step):
        found.add(ranked(points[start : start + step], start))
    fronted = [points[code] for code in found.found.codes]

    def is_beaten(each: tuple[int, int]) -> bool:
        return any(other != each and other[0] <= each[0] and other[1] >= each[1] for other in points)

    assert sorted(fronted) == sorted({each for each in points if not is_beaten(each)})


def test_what_has_no_value_leads_nothing() -> None:
    found = Leaders(3, [False])
    found.add(Ranked((np.array([np.nan, np.inf, 2.0]),), np.zeros(3, int), np.arange(3)))
    assert found.found.codes.tolist() == [2]


def test_a_first_place_is_as_sure_as_the_intervals_are_narrow() -> None:
    values, ones = np.array([1.0, 1.1, 1.2]), np.ones(3)
    sides = {"is_largest": False, "is_rate": False}
    certain = robustness(values, ones, ones, 0, **sides)
    narrow = robustness(values, 0.95 * ones, 1.05 * ones, 0, **sides)
    wide = robustness(values, 0.5 * ones, 2 * ones, 0, **sides)
    assert certain.share == 1
    assert 1 > narrow.share > wide.share > 1 / 3
    assert 0 == certain.behind < narrow.behind < wide.behind


def test_a_rate_errs_as_its_time_does() -> None:
    values, low, high = np.array([3.0, 2.9]), np.full(2, 0.6), np.full(2, 1.1)
    rate = robustness(values, low, high, 5, is_largest=True, is_rate=True)
    time = robustness(1 / values, low, high, 5, is_largest=False, is_rate=False)
    assert rate.share == time.share
