"""The start of a replica: its parts add up, and nothing that is faster or kept makes it longer."""

import pytest
from hypothesis import given, settings, strategies as st

from formula_eval import Formulas

PARTS = ["process_start_time", "inference.weights_load_time", "inference.compile_time", "inference.capture_time"]
ENGINES = st.sampled_from(["vllm-1", "sglang-0.5", "llama.cpp", "default"])


def start(formulas: Formulas, **given: object) -> list[float]:
    result = formulas.evaluate(only=["inference.start_time", *PARTS], model="llama3.1-70b", **given)
    return [float(result[name].value) for name in ("inference.start_time", *PARTS)]


@settings(max_examples=20)
@given(bandwidth=st.floats(1e8, 1e12), tp=st.sampled_from([1, 4, 8]), pp=st.sampled_from([1, 2, 4]), engine=ENGINES)
def test_parts_add_up_and_nothing_faster_takes_longer(bandwidth, tp, pp, engine, formulas: Formulas):
    given = {"hardware": "h200-sxm", "tp": tp, "pp": pp, "engine": engine}
    whole, *parts = start(formulas, weights_bandwidth=bandwidth, **given)
    assert whole == pytest.approx(sum(parts))
    assert start(formulas, weights_bandwidth=2 * bandwidth, **given)[0] <= whole
    assert start(formulas, weights_bandwidth=bandwidth, compiled_before=True, **given)[0] <= whole
    assert start(formulas, weights_bandwidth=bandwidth, cuda_graphs=False, **given)[0] <= whole


def test_a_node_reads_the_whole_model_however_it_is_split(formulas: Formulas):
    times = [start(formulas, hardware="h200-sxm", tp=tp)[2] for tp in (1, 2, 4, 8)]
    assert times == pytest.approx([times[0]] * 4, rel=2e-3)  # norms and the like stand on every accelerator
    two_nodes = start(formulas, hardware="h200-sxm", tp=8, pp=2)[2]
    assert two_nodes == pytest.approx(times[0] / 2, rel=0.02)
