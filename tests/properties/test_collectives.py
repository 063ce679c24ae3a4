"""What must hold for collectives on every topology: neighbours are never slower than the network."""

import itertools
import math
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from counted import seen
from formula_eval import FormulaError, Formulas
from samples import samples

TIMES = ("all_reduce_time", "all_gather_time", "all_to_all_time")
SWITCHED = ("a100-sxm-80gb", "h100-sxm", "b200-sxm", "gb200")
MESHES = ("mi300x", "mi210", "gaudi2", "gaudi3")
TORI = ("tpu-v4", "tpu-v5e", "tpu-v5p", "tpu-v6e")
CARDS = ("t4", "rtx-4090", "l40s", "h100-pcie")
ROOT = Path(__file__).parents[2]
BOARDS = tomllib.loads((ROOT / "hardware.toml").read_text())
SIZES = st.sampled_from(["16 kB", "1 MB", "64 MB", "1 GB", "30 GB"])


def number(formulas: Formulas, name: str, **givens: object) -> float:
    return float(formulas.evaluate(only=[name], **givens)[name].value)


def microbenchmark(formulas: Formulas, name: str, **givens: object) -> float:
    return number(formulas, f"microbenchmark.{name}", **givens)


@settings(max_examples=samples(120))
@given(
    board=st.sampled_from((*SWITCHED, *MESHES, *CARDS)),
    collective=st.sampled_from(TIMES),
    message=SIZES,
    ranks=st.sampled_from([(4, 2), (4, 1), (2, 1)]),
)
def test_no_collective_is_faster_across_nodes_than_inside_one(formulas, board, collective, message, ranks):
    group, apart = ranks
    givens = {"hardware": board, "message": message, "group": group}
    inside = microbenchmark(formulas, collective, **givens)
    across = microbenchmark(formulas, collective, **givens, gpus_per_node=apart)
    assert inside <= across * (1 + 1e-12)


@settings(max_examples=samples(60))
@given(board=st.sampled_from(SWITCHED), collective=st.sampled_from(TIMES), message=SIZES, nodes=st.sampled_from([2, 8]))
def test_a_domain_of_links_is_never_slower_than_nodes_of_eight(formulas, board, collective, message, nodes):
    givens = {"hardware": board, "message": message, "group": 8 * nodes}
    inside = microbenchmark(formulas, collective, **givens, gpus_per_node=8 * nodes)
    assert inside <= microbenchmark(formulas, collective, **givens, gpus_per_node=8) * (1 + 1e-12)


@pytest.mark.parametrize("board", [*SWITCHED, *MESHES, *TORI])
def test_more_peers_never_lower_the_bandwidth(board, formulas):
    most = 4 if board == "mi210" else 8
    groups = [2**power for power in range(1, 9) if 2**power <= most or board in TORI]
    rates = [
        microbenchmark(formulas, "all_gather_bus_bandwidth", hardware=board, group=group, message="1000 GB")
        for group in groups
    ]
    assert all(fewer <= more * (1 + 1e-4) for fewer, more in itertools.pairwise(rates))


@pytest.mark.parametrize(
    ("board", "group", "least", "most"),
    [
        # AMD: 48 of 64 GB/s are usable on the link of a pair, 310 to 330 by all seven in an all-reduce of eight.
        ("mi300x", 2, 44, 48.5),
        ("mi300x", 8, 300, 337),
        # Three ports of 100 Gbit/s join a pair, 21 all eight.
        ("gaudi2", 2, 20, 37.5),
        ("gaudi2", 8, 140, 262.5),
        # A square of four has one link of 50 GB/s in each of two directions.
        ("tpu-v5e", 4, 60, 100),
        # NCCL's maintainers: about 480 GB/s by the switches.
        ("h100-sxm", 8, 470, 485),
    ],
)
def test_bus_bandwidth_of_boards_is_what_is_published(board, group, least, most, formulas):
    rate = microbenchmark(formulas, "all_reduce_bus_bandwidth", hardware=board, group=group, message="8 GB")
    assert least <= rate / 1e9 <= most


def test_rings_alone_reach_less_than_switches(formulas):
    """Measured on eight H100: 480 GB/s by the switches, 370 by a ring of the largest messages."""
    givens = {"hardware": "h100-sxm", "group": 8, "message": "8 GB"}
    rings = microbenchmark(formulas, "all_reduce_bus_bandwidth", **givens, switch_sums=False)
    assert 310e9 <= rings <= 370e9


@settings(max_examples=samples(60))
@given(
    collective=st.sampled_from(TIMES),
    nodes=st.sampled_from([2, 16, 64, 256]),
    factor=st.sampled_from([1, 2, 8, 64]),
    given_rails=st.fixed_dictionaries({"rail_optimised": st.booleans(), "message": SIZES}),
)
def test_a_blocking_network_is_never_faster(formulas, collective, nodes, factor, given_rails):
    givens = {"hardware": "h100-sxm", "group": 8 * nodes, **given_rails}
    free = microbenchmark(formulas, collective, **givens)
    blocked = microbenchmark(formulas, collective, **givens, oversubscription=factor)
    assert free <= blocked
    if factor == 1 or nodes <= (32 if given_rails["rail_optimised"] else 4):
        assert blocked == free
    assert blocked <= factor * free * (1 + 1e-12)


def test_an_exchange_over_many_leaves_pays_the_whole_oversubscription(formulas):
    givens = {"hardware": "h100-sxm", "group": 8 * 4096, "message": "100 GB", "network_latency": "0 s"}
    free = microbenchmark(formulas, "all_to_all_time", **givens)
    blocked = microbenchmark(formulas, "all_to_all_time", **givens, oversubscription=4)
    assert blocked / free == pytest.approx(4 * (4096 - 32) / 4095)


def test_the_smallest_message_makes_all_its_steps(formulas):
    """Two nodes of eight H20: 46.3 us in nccl-tests; latencies inside and between nodes follow each other."""
    time = microbenchmark(formulas, "all_reduce_time", hardware="h20", group=16, message="8 byte")
    assert time == pytest.approx(46.3e-6, rel=0.05)


@pytest.mark.parametrize("board", BOARDS)
def test_a_port_never_carries_more_than_its_slot(board, formulas):
    result = formulas.evaluate(only=["network_bandwidth", "host_bandwidth", "host_link"], hardware=board)
    host = BOARDS[board].get("host_bandwidth", "") or BOARDS[board].get("network_bandwidth", "")
    assert host or result["network_bandwidth"].value <= result["host_link"].value
    assert host or result["host_bandwidth"].value < result["host_link"].value


@pytest.mark.parametrize("board", BOARDS)
def test_no_board_draws_nothing(board, formulas):
    """A board's power is published, or its power and energy are absent; they are never 0."""
    names = ["inference.serving_power", "inference.joules_per_million_output_tokens", "training.mean_power"]
    result = formulas.evaluate(only=names, model="gpt2", hardware=board)
    for name in seen(names):
        value = result[name].value
        assert (value is None or math.isnan(value)) != ("power" in BOARDS[board])
        assert value is None or not value <= 0


@pytest.mark.parametrize(
    ("givens", "message"),
    [
        ({"hardware": "mi300x", "gpus_per_node": 16}, "join 8 accelerators at most"),
        ({"hardware": "tpu-v5e", "link_per_peer": "10 GB/s", "gpus_per_node": 2}, "not both"),
        ({"hardware": "mi300x", "switch_sums": True}, "needs switches"),
        ({"hardware": "a100-sxm-80gb", "collective_algorithm": "in_switch"}, "do not add"),
    ],
)
def test_a_topology_that_a_board_cannot_have_is_refused(givens, message, formulas):
    with pytest.raises(FormulaError, match=message):
        formulas.evaluate(only=["inference.ttft"], model="llama3-8b", **givens)
