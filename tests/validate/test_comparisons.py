"""Points of a toy become predictions that can be computed in the head; what cannot be run says why."""

import math

import pytest

from formula_eval.analyse.validate.comparisons import Selection
from formula_eval.analyse.validate.points import read_points
from formula_eval.analyse.validate.validation import validate, validation_of


def rows_of(toy, points, written):
    return validation_of(toy, read_points(written(points))).rows


def test_prediction_and_error(toy, point, written):
    (row,) = rows_of(toy, [point(measured={"iteration_time_s": 10.0})], written)
    assert row.predicted == pytest.approx(8.0)
    assert row.error == pytest.approx(-0.2)
    assert row.assumed == "schedule = plain"


def test_the_unit_of_a_figure_follows_from_its_name(toy, point, written):
    (row,) = rows_of(toy, [point(measured={"iteration_time_ms": 4000.0})], written)
    assert row.predicted == pytest.approx(8000.0)
    assert row.error == pytest.approx(1.0)


def test_accelerators_are_known_by_the_spelling_of_the_source(toy, point, written):
    (row,) = rows_of(toy, [point(gpu="two, liquid-cooled")], written)
    assert row.predicted == pytest.approx(8.0)  # twice the peak, half of the efficiency
    assert row.scenario.records["family"] == "bad"


def test_what_the_source_prints_goes_before_what_is_assumed(toy, point, written):
    printed, assumed = rows_of(
        toy, [point("Paper 1", tp=2, schedule="half of it"), point("Paper 2", tp=None, schedule="plain")], written
    )
    assert (printed.assumed, printed.predicted) == ("", pytest.approx(2.0))
    assert (assumed.assumed, assumed.predicted) == ("tp = 4", pytest.approx(2.0))


def test_of_the_values_searched_the_fastest_that_fits_is_taken(toy, point, written):
    (row,) = rows_of(toy, [point("Paper", model={"depth": 10}, micro_batch=None, schedule="plain")], written)
    assert row.assumed == "best micro_batch = 4"  # 8 needs 800 of 400 bytes, 2 is not valid
    assert row.predicted == pytest.approx(1000 / 50 * 1.25)


def test_if_no_value_searched_fits_the_row_says_so(toy, point, written):
    (row,) = rows_of(toy, [point("Paper", model={"depth": 100}, micro_batch=None, schedule="plain")], written)
    assert row.remark == "no value searched fits"
    assert row.assumed == "best micro_batch = 8"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"gpu": "Three"}, "`gpu = Three` is not known"),
        ({"gpu": None}, "`gpu = ` is not known"),
        ({"model": {}}, "the point does not say `model.depth`"),
        ({"model": None}, "the point does not say `model.depth`"),
        ({"model": {"depth": "many"}}, "`the point's model: `layers = many` is not a number"),
        ({"model": {"depth": -1}}, "`model.depth` is -1, but counts and sizes are not negative"),
        ({"tp": "eight"}, "`tp = eight` is not a number"),
        ({"tp": [1]}, "is not a number"),
        ({"order": "backwards"}, "is none of plain, halved"),
    ],
)
def test_what_cannot_be_read_is_not_run(toy, point, written, given, reason):
    (row,) = rows_of(toy, [point(**given)], written)
    assert not row.ran
    assert reason.strip("`") in row.reason
    assert math.isnan(row.predicted)


@pytest.mark.parametrize(
    ("figure", "reason"),
    [
        ({"memory_bytes": 5}, "nobody knows"),
        ({"unheard": 5}, "`unheard` has no meaning in {library}/presets/measured/sources/base.toml"),
        ({"nothing": 5}, "there is no quantity `there_is_none`"),
        ({"iteration_time_s": None}, "`None` is not a positive number"),
        ({"iteration_time_s": "long"}, "`long` is not a positive number"),
        ({"iteration_time_s": 0}, "`0` is not a positive number"),
        ({"iteration_time_s": math.nan}, "`nan` is not a positive number"),
    ],
)
def test_a_figure_without_meaning_is_not_run(toy, point, written, figure, reason):
    (row,) = rows_of(toy, [point(measured=figure)], written)
    assert row.reason == reason.format(library=toy.library.folders[0].as_posix())


def test_one_figure_that_fails_leaves_the_others(toy, point, written):
    time, inverse = rows_of(
        toy, [point(model={"depth": 10}, measured={"iteration_time_s": 40.0, "inverse": 1.0})], written
    )
    assert time.error == pytest.approx(0.0)
    assert inverse.reason.startswith("`inverse` divides by zero")


def test_yes_and_no_are_right_or_wrong(toy, point, written):
    found = rows_of(
        toy,
        [
            point(measured={"roomy": True}),
            point(model={"depth": 100}, measured={"roomy": True}),
            point(model={"depth": 100}, measured={"roomy": False}),
            point(measured={"roomy": False}),
        ],
        written,
    )
    assert [each.error for each in found] == [0.0, -1.0, 0.0, 1.0]


def test_a_published_run_fitted_unless_it_says_that_it_did_not(toy, point, written):
    ran, failed = point("Shop"), point("Shop", {"oom": True}, model={"depth": 2})
    rows = [each for each in rows_of(toy, [ran, failed], written) if each.metric == "fits"]
    assert [(each.measured, each.predicted, each.error) for each in rows] == [(1.0, 1.0, 0.0), (0.0, 1.0, 1.0)]


def test_a_table_may_leave_points_out(toy, point, written):
    (row,) = rows_of(toy, [point("Paper", broken=1)], written)
    assert row.reason == "its row is broken"


def test_an_unknown_kind_is_not_run(toy, point, written):
    (row,) = rows_of(toy, [{**point(), "kind": "cooking"}], written)
    assert row.reason == "there is no table for this source, nor one for every cooking"


def test_selection(toy, point, written):
    place = written([point("Paper a", schedule="plain"), point(), point("Nobody else")])
    found = validate(toy, place, Selection(source="paper*")).rows
    assert [each.point.source for each in found] == ["Paper a"]
    assert [each.point.source for each in validate(toy, place, Selection(core=True)).rows] == ["Nobody"]
