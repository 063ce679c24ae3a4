"""What must hold of adapters served beside one model, and of decode steps whose kernels the host starts."""

import pytest
from hypothesis import given, settings, strategies as st

from formula_eval import Formulas
from samples import samples

JOBS = st.fixed_dictionaries(
    {
        "model": st.sampled_from(["llama2-7b", "llama3-70b", "llama3.2-1b"]),
        "hardware": st.sampled_from(["h100-sxm", "a100-sxm-80gb"]),
        "tp": st.sampled_from([1, 4]),
        "batch": st.sampled_from([1, 6, 200]),
        "lora_targets": st.sampled_from(["q_v", "qkvo", "all_linear"]),
        "lora_rank": st.sampled_from([8, 64]),
    }
)


def values(formulas: Formulas, *names: str, **job) -> list[float]:
    answer = formulas.evaluate(only=list(names), **job)
    return [answer.values[name].value for name in names]


@settings(max_examples=samples(10))
@given(job=JOBS, adapters=st.integers(1, 500))
def test_a_pass_reads_no_adapter_that_none_of_its_sequences_uses(formulas: Formulas, job, adapters: int) -> None:
    names = ("inference.chosen_adapters", "inference.adapter_bytes", "inference.adapter_time", "memory.adapters_bytes")
    chosen, moved, time, kept = values(formulas, *names, phase="decode", served_adapters=adapters, **job)
    assert 1 - 1e-9 <= chosen <= min(adapters, job["batch"]) * (1 + 1e-9)
    one, least, fastest, kept_one = values(formulas, *names, phase="decode", served_adapters=1, **job)
    assert one == 1
    assert moved >= least * (1 - 1e-12)
    assert time >= fastest * (1 - 1e-12) > 0
    assert kept == pytest.approx(adapters * kept_one, rel=1e-12)
    if job["batch"] == 1:
        assert moved == pytest.approx(least, rel=1e-9)


@settings(max_examples=samples(10))
@given(job=JOBS, layer_time=st.floats(0, 2e-3))
def test_a_step_is_the_longer_of_its_kernels_and_their_launches(formulas: Formulas, job, layer_time: float) -> None:
    names = ("inference.decode_time", "layers")
    captured, layers = values(formulas, *names, **job)
    eager, _ = values(formulas, *names, cuda_graphs=False, eager_layer_time=layer_time, **job)
    host = values(formulas, "inference.engine_time", phase="decode", **job)[0]
    assert eager == pytest.approx(max(captured, layers * layer_time + host), rel=1e-9)
