"""Errors, medians and rank correlations, against numbers computed by hand and by SciPy."""

import math

import pytest
from hypothesis import given, strategies as st

from formula_eval.analyse.validate import statistics
from formula_eval.analyse.validate.comparisons import MeasuredRow
from formula_eval.analyse.validate.points import Point

POINT = Point("a", "A", "training", {}, {"time": 1.0})


def row(measured, predicted, layout=(), group="A", **more):
    return MeasuredRow(POINT, group, "time", "step_time", measured, predicted, layout=layout, **more)


def test_a_summary_by_hand():
    found = statistics.summary("A", "time", [row(100, 110), row(100, 80), row(100, 105), row(100, 100), row(100, 95)])
    assert found.n == 5
    assert found.mean == pytest.approx(0.08)
    assert found.median == pytest.approx(0.05)
    assert found.p90 == pytest.approx(0.16)  # between 0.1 and 0.2, at nine tenths of four steps
    assert found.largest == pytest.approx(0.2)
    assert found.signed == pytest.approx(0.0)


def test_rows_that_were_not_run_are_counted_and_nothing_else():
    found = statistics.summary("A", "time", [row(1, 1), row(math.nan, math.nan, reason="why")])
    assert (found.n, found.left_out, found.mean) == (1, 1, 0)
    assert statistics.summary("A", "time", [row(math.nan, math.nan, reason="why")]).n == 0


def test_layouts_are_ranked_among_runs_that_share_the_rest():
    right = [row(measured, measured * 2, ("a",)) for measured in (1, 2, 3, 4)]
    wrong = [row(measured, -measured, ("b",)) for measured in (1, 2, 3)]
    alone = [row(9, 1, ("c",)), row(8, 2, ("c",))]
    rank, runs = statistics.rank_of_layouts(right + wrong + alone)
    assert rank == pytest.approx((4 * 1 + 3 * -1) / 7)
    assert runs == 7


def test_one_summary_for_each_source_and_one_over_all():
    rows = [row(1, 2), row(1, 3, group="B")]
    assert [(each.group, each.mean) for each in statistics.summaries(rows)] == [("A", 1), ("B", 2)]
    assert [(each.group, each.mean) for each in statistics.totals(rows)] == [("all training", 1.5)]
    core = [each._replace(point=POINT._replace(core=True)) for each in rows[:1]]
    assert ("core training", 1.0) in [(each.group, each.mean) for each in statistics.totals(core + rows[1:])]


PAIRS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=3, max_size=20)


@pytest.mark.slow
@given(PAIRS)
def test_rank_correlation_is_that_of_scipy(pairs):
    from scipy.stats import spearmanr  # noqa: PLC0415 - a second to import

    left, right = zip(*pairs, strict=True)
    if len(set(left)) > 1 and len(set(right)) > 1:
        assert statistics.spearman(left, right) == pytest.approx(spearmanr(left, right).statistic, abs=1e-12)
    else:
        assert math.isnan(statistics.spearman(left, right))


def test_two_runs_have_no_rank_correlation():
    assert math.isnan(statistics.spearman([1, 2], [1, 2]))


def test_the_order_of_a_sum_ranks_nothing():
    """0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1 in its last bit, and no other prediction."""
    left = [0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1, 0.7]
    assert left[0] != left[1]
    assert statistics.spearman(left, [3, 2, 4]) == statistics.spearman([0.6, 0.6, 0.7], [3, 2, 4])
