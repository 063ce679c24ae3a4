"""What whole groups left out come to is kept in a file, and the formulas still give it; intervals follow from it."""

import math
import random
from pathlib import Path

import numpy as np
import pytest
from benchmarks.fitting.kept_fits import kept_fits, repeated_fits

from counted import seen
from formula_eval.analyse.validate import intervals as made
from formula_eval.analyse.validate.comparisons import MeasuredRow
from formula_eval.analyse.validate.cross_validation import ALL, LEFT_OUT
from formula_eval.analyse.validate.parameters import read_fits
from formula_eval.analyse.validate.points import Point, read_points
from formula_eval.analyse.validate.validation import refits, validation_of, with_measured
from formula_eval.text_files import read_toml

POINTS = Path(__file__).parents[1] / "measured"
WRITE = "run `python -m benchmarks.refit --again` and read what became worse in presets/measured/left_out.json"
FITTED = ("training", "inference")


@pytest.fixture(scope="module")
def evaluator(formulas):
    return with_measured(formulas.evaluator)


@pytest.fixture(scope="module")
def validation(evaluator):
    found = validation_of(evaluator, read_points(POINTS))
    return found._replace(rows=[each for each in found.rows if each.point.kind in FITTED])


@pytest.fixture(scope="module")
def repeated(evaluator, validation):
    return repeated_fits(evaluator, validation)


@pytest.mark.slow
def test_errors_with_groups_left_out_are_those_that_are_kept(evaluator, repeated):
    kept = kept_fits(evaluator.library, read_fits(evaluator.library, evaluator.schema))
    assert {each.by for each in kept if each.fit.name == "inference"} == set(LEFT_OUT)
    for told, found in zip(kept, repeated, strict=True):
        now = {each.group: each for each in found.groups}
        assert set(now) == {each.group for each in told.groups}, WRITE
        for each in told.groups:
            shown = f"{told.fit.name}, {told.by} {each.group}"
            for key in ("mean", "median", "signed"):
                a, b = getattr(each.without, key), getattr(now[each.group].without, key)
                assert a == pytest.approx(b, abs=2e-3), f"{shown}: {key} is {b:.4f}, not {a:.4f}: {WRITE}"


@pytest.mark.slow
def test_sources_of_training_that_are_left_out_are_predicted_nearly_as_well(repeated):
    (found,) = (each for each in repeated if (each.fit.name, each.by) == ("training", "source"))
    everything = found.groups[-1]
    assert everything.group == ALL
    assert everything.without.mean < 0.12
    assert everything.without.mean < everything.defaults.mean + 0.05


@pytest.mark.slow
def test_intervals_are_those_of_what_was_left_out(evaluator, validation, repeated):
    folder = evaluator.library.folders[0]
    (shipped,) = read_toml(folder / "presets" / "interval.toml", "interval.toml").values()
    for each in seen(made.intervals(evaluator.library, validation.rows, repeated)):
        assert shipped[f"{each.name}_low"] == pytest.approx(each.low, rel=0.05), WRITE
        assert shipped[f"{each.name}_high"] == pytest.approx(each.high, rel=0.05), WRITE


@pytest.mark.slow
def test_eight_of_ten_points_of_a_group_left_out_lie_inside(evaluator, validation, repeated):
    found = made.intervals(evaluator.library, validation.rows, repeated)
    several = [each for each in found if each.groups > 1]
    assert len(several) >= 7
    for each in several:
        assert 0.75 <= each.coverage <= 0.85, each


def rows_of(errors, group):
    """Rows of one publisher whose measurements are so many times the prediction."""
    point = Point(group, group, "training", {}, {})
    quantity = {"quantity": "training.step_time", "publisher": group}
    return [MeasuredRow(point, group, "x", measured=each, predicted=1.0, **quantity) for each in errors]


def residuals(groups):
    logs = [math.log(row.measured) for rows in groups for row in rows]
    return made._Residuals(np.array(logs), np.array([row.publisher for rows in groups for row in rows]))  # noqa: SLF001


def test_ends_are_quantiles_where_groups_are_alike():
    dice = random.Random(0)
    groups = [rows_of([dice.lognormvariate(0, 0.2) for _ in range(400)], str(number)) for number in range(5)]
    found = made._interval("x", residuals(groups))  # noqa: SLF001
    assert found.low == pytest.approx(math.exp(-0.2 * 1.2816), rel=0.03)
    assert found.high == pytest.approx(math.exp(0.2 * 1.2816), rel=0.03)
    assert found.coverage == pytest.approx(0.8, abs=0.01)


def test_ends_are_wider_where_groups_differ():
    dice = random.Random(1)
    shifts = (-0.6, -0.3, 0, 0.3, 0.6)
    groups = [
        rows_of([dice.lognormvariate(shift, 0.05) for _ in range(100)], str(number))
        for number, shift in enumerate(shifts)
    ]
    found = made._interval("x", residuals(groups))  # noqa: SLF001
    pooled = made._interval("x", residuals([[row._replace(publisher="one") for rows in groups for row in rows]]))  # noqa: SLF001
    assert found.low <= pooled.low
    assert found.high >= pooled.high
    assert math.isnan(pooled.coverage)


@pytest.mark.parametrize("by", LEFT_OUT)
def test_a_group_left_out_does_not_pull_at_its_own_fit(toy, point, by):
    def point_of(source, gpu, efficiency, depth):
        time = {"iteration_time_s": 100 * depth / ((100 if gpu == "one" else 200) * efficiency) * 2}
        data = point(source, time, gpu=gpu, model={"depth": depth})
        return Point(f"{source}{depth}", source, "training", data["inputs"], data["measured"])

    points = [point_of("Nobody", "one", 0.8, n) for n in (2, 4, 8)] + [
        point_of("Somebody", "two", 0.3, n) for n in (2, 4, 8)
    ]
    found = refits(toy, validation_of(toy, points), [by])
    if by == "engine":
        assert found == []
        return
    (refit,) = found
    assert [each.group for each in refit.groups][-1] == ALL
    assert len(refit.groups) == 3
    assert refit.mean_over_groups == pytest.approx(np.mean([each.without.mean for each in refit.groups[:-1]]))
    assert all(each.without.mean > each.together.mean for each in refit.groups)
