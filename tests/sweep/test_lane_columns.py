"""Columns of a block hold each value as often as numpy broadcasts it."""

import pickle

import numpy as np
import pytest

from formula_eval.analyse.sweep.lane_columns import LaneColumns

SHAPE = (3, 5, 40, 30, 2)


@pytest.mark.parametrize("own", [(), (2,), (30, 1), (3, 1, 1, 1, 1), (1, 5, 1, 30, 1), (3, 5, 40, 1, 1), SHAPE])
def test_columns_are_laid_out(own: tuple[int, ...]) -> None:
    value = np.random.default_rng(0).random(own)
    whole = np.broadcast_to(value, SHAPE)
    columns = LaneColumns({"x": value}, SHAPE, None)
    assert np.array_equal(columns["x"], whole.ravel())
    kept = np.random.default_rng(1).random(SHAPE) < 0.5
    some = LaneColumns({"x": value}, SHAPE, kept)
    assert np.array_equal(pickle.loads(pickle.dumps(some))["x"], whole[kept])
