"""Columns of a block hold each value as often as numpy broadcasts it, and memory is used again when nobody holds it."""

import pickle

import numpy as np
import pytest

from formula_eval.analyse.sweep.lane_columns import LaneColumns
from formula_eval.evaluate.partial_evaluation.array_pool import Buffers

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


def test_memory_that_somebody_holds_is_left_alone() -> None:
    buffers = Buffers()
    first, second = buffers.arrays([((2, 3), float), ((7,), bool)])
    first[:], second[:] = 1.0, True
    (other,) = buffers.arrays([((4,), float)])
    other[:] = 2.0
    assert (first == 1.0).all()
    assert second.all()
    place = first.ctypes.data
    del first
    assert buffers.arrays([((1,), float)])[0].ctypes.data != place
    del second
    assert buffers.arrays([((1,), float)])[0].ctypes.data == place
