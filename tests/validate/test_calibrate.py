"""Parameters are found again in points made from them, and a source that is left out does not pull at its own fit."""

import pytest

from formula_eval.analyse.validate.points import read_points
from formula_eval.analyse.validate.validation import refits, validation_of


def made(point, source, gpu, efficiency, peak):
    """Points of a machine of this efficiency."""
    return [
        point(
            source,
            {"iteration_time_s": 100 * depth / (peak * efficiency * tp) * 2},
            gpu=gpu,
            model={"depth": depth},
            tp=tp,
        )
        for depth in (2, 4, 8)
        for tp in (1, 2)
    ]


def refit(toy, points, written):
    (found,) = refits(toy, validation_of(toy, read_points(written(points))))
    return found


@pytest.mark.slow
def test_efficiencies_are_found_again(toy, point, written):
    points = [*made(point, "Nobody", "one", 0.8, 100), *made(point, "Somebody", "two", 0.3, 200)]
    found = refit(toy, points, written)
    assert found.values["efficiency of good"] == pytest.approx(0.8, rel=1e-2)
    assert found.values["efficiency of bad"] == pytest.approx(0.3, rel=1e-2)


def test_a_source_left_out_is_predicted_by_the_others(toy, point, written):
    points = [*made(point, "Nobody", "one", 0.8, 100), *made(point, "Somebody", "one", 0.4, 100)]
    first, second, everything = refit(toy, points, written).groups
    assert first.without.mean == pytest.approx(1.0, rel=0.05)  # 0.4 predicts twice the time of 0.8
    assert second.without.mean == pytest.approx(0.5, rel=0.05)
    assert first.defaults.mean == pytest.approx(0.8 / 0.5 - 1)
    assert everything.without.n == 12


def test_without_other_data_a_parameter_stays_at_its_prior(toy, point, written):
    points = [*made(point, "Nobody", "one", 0.8, 100), *made(point, "Somebody", "two", 0.3, 200)]
    first, _, _ = refit(toy, points, written).groups
    assert first.without.mean == pytest.approx(0.8 / 0.4 - 1, rel=1e-2)
