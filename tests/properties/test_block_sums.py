"""Sums of partial results while serving: none on one accelerator, and never faster between nodes than within one."""

import pytest

SUM = "communication.tensor_parallel_time"
STEP = {"model": "llama2-70b", "hardware": "h100-sxm", "phase": "decode", "batch": 16}


def value(formulas, **given):
    return formulas.evaluate(only=[SUM], **(STEP | given))[SUM].value


def test_one_accelerator_sums_nothing(formulas):
    assert value(formulas, tp=1) == 0


@pytest.mark.parametrize("tp", [2, 4, 8, 16])
@pytest.mark.parametrize("batch", [1, 64, 4096])
def test_the_fastest_sums_are_never_slower_than_rings(formulas, tp, batch):
    fastest, rings = (value(formulas, tp=tp, batch=batch, serving_sums=each) for each in ("fastest", "rings"))
    assert 0 < fastest <= rings


@pytest.mark.parametrize("tp", [2, 8])
def test_every_sum_waits_for_the_latency_of_the_server(formulas, tp):
    given = {"tp": tp, "serving_sums": "rings"}
    slow, fast = (value(formulas, **given, serving_link_latency=each) for each in ("50 us", "10 us"))
    assert slow - fast == pytest.approx(160 * 40e-6)  # two sums in each of 80 layers


@pytest.mark.parametrize("batch", [1, 16, 256])
def test_two_nodes_are_never_faster_than_one(formulas, batch):
    assert value(formulas, tp=16, batch=batch) > value(formulas, tp=8, batch=batch)


def test_sums_between_nodes_as_published(formulas):
    """The smallest all-reduce of two nodes of eight H20 takes 46.3 us (nccl issue 1244)."""
    given = {"hardware": "h20", "tp": 16, "serving_sums": "rings", "batch": 1}
    assert value(formulas, **given) / 160 == pytest.approx(46.3e-6, rel=0.1)
