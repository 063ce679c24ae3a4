"""What must hold of the memory that a driver and the libraries of a group keep, whatever the board."""

from itertools import pairwise

import pytest

from counted import seen
from formula_eval import Formulas

BOARDS = ("h100-sxm", "a100-sxm-40gb", "rtx-4090", "l40s", "b300-sxm", "mi300x", "gb10", "apple-m2-ultra")
NAMES = (
    "memory_capacity",
    "memory.driver_bytes",
    "memory.visible_bytes",
    "memory.group_bytes",
    "memory.usable_bytes",
    "memory.cache_capacity",
)


def values(formulas: Formulas, **givens: object) -> list[float]:
    result = formulas.evaluate(only=list(NAMES), **{"model": "llama3.1-8b", "tp": 1, "ep": 1, **givens})
    return [float(result[name].value) for name in NAMES]


@pytest.mark.parametrize("hardware", BOARDS)
def test_driver_and_engine_share_the_memory(hardware, formulas):
    capacity, driver, visible, group, usable, _ = values(formulas, hardware=hardware)
    assert driver + visible == capacity
    assert 0 <= driver < 0.05 * capacity
    assert group == 0
    assert usable <= visible


@pytest.mark.parametrize("hardware", BOARDS)
def test_a_larger_board_shows_more(hardware, formulas):
    shown = [values(formulas, hardware=hardware, memory_capacity=f"{each} GiB") for each in (4, 16, 24, 80, 288)]
    for before, after in seen(pairwise(shown), at_least=4):
        assert before[1] <= after[1]
        assert before[2] < after[2]


@pytest.mark.parametrize("hardware", ["h100-sxm", "l40s", "mi300x"])
def test_buffers_of_a_larger_group_take_no_less_and_leave_less_for_the_cache(hardware, formulas):
    shown = [values(formulas, hardware=hardware, tp=each) for each in (1, 2, 4, 8)]
    assert [each[3] for each in shown] == sorted(each[3] for each in shown)
    assert shown[0][3] < shown[1][3]
    without = {"linked_group_memory": 0, "doubled_group_memory": 0, "bus_group_memory": 0}
    for tp in (2, 8):
        room, more = (values(formulas, hardware=hardware, tp=tp, **each)[5] for each in ({}, without))
        assert room == more if hardware == "l40s" else room < more  # buffers on the bus fit in the workspace


def test_a_group_joined_by_fast_links_takes_more_than_one_on_the_bus(formulas):
    assert values(formulas, hardware="h100-sxm", tp=4)[3] > values(formulas, hardware="l40s", tp=4)[3] > 0
