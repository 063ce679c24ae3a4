"""Points fill a cube evenly: what a Sobol sequence promises holds exactly, and a seed decides it."""

import numpy as np
import pytest

from formula_eval.analyse.sobol_indices import sobol_points


@pytest.mark.parametrize("seed", range(4))
def test_each_interval_holds_one_point_of_each_column(seed: int) -> None:
    points = sobol_points(8, 60, seed)
    assert points.shape == (256, 60)
    assert (np.arange(256) == np.sort(points * 256, axis=0).astype(int).T).all()
    assert points.min() > 0
    assert points.max() < 1


def test_the_first_columns_fill_each_square() -> None:
    """Two primitive polynomials of degree 0 and 1 make a net: each box of area 1/256 holds one point."""
    for across in range(9):
        first, second = (sobol_points(8, 2, 3) * (1 << across, 1 << 8 - across)).astype(int).T
        assert len({*zip(first.tolist(), second.tolist(), strict=True)}) == 256


def test_columns_are_unlike() -> None:
    points = sobol_points(10, 40, 0) - 0.5
    found = np.corrcoef(points.T) - np.eye(40)
    assert abs(found).max() < 0.1


def test_a_product_is_integrated_better_than_by_chance() -> None:
    """The mean of a product of six factors, each of mean 1 and variance 1/3, misses a fifth of what chance does."""
    misses = [np.prod(2 * sobol_points(12, 6, seed), axis=1).mean() - 1 for seed in range(8)]
    by_chance = np.sqrt(((4 / 3) ** 6 - 1) / (1 << 12))
    assert np.sqrt(np.mean(np.square(misses))) < by_chance / 5


def test_a_seed_decides() -> None:
    assert (sobol_points(4, 3, 5) == sobol_points(4, 3, 5)).all()
    assert not (sobol_points(4, 3, 5) == sobol_points(4, 3, 6)).any()
