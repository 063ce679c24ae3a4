"""What replicas exchange hides behind windows of its own: gradients a backward pass, new weights a forward pass."""

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from samples import samples

NAMES = [
    "training.exposed_gradients_time",
    "training.gradients_time",
    "training.gradient_window",
    "training.weight_window",
    "training.overlap_window",
    "training.weight_gather_time",
    "training.step_time",
]
JOBS = st.fixed_dictionaries(
    {
        "model": st.sampled_from(["llama2-7b", "mixtral-8x7b", "gpt2"]),
        "hardware": st.sampled_from(["h100-sxm", "a100-sxm-80gb"]),
        "dp": st.sampled_from([2, 8, 64, 1024]),
        "zero_stage": st.sampled_from([1, 2]),
        "micro_batches": st.sampled_from([1, 4]),
        "dp_overlap_fraction": st.floats(0, 1),
    }
)


def times(formulas, **job):
    found = formulas.evaluate(only=NAMES, **job)
    return {name.partition(".")[2]: found[name].value for name in NAMES}


@settings(max_examples=samples(30), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(job=JOBS)
def test_weights_that_wait_for_the_update_are_exposed_whole(formulas, job):
    hidden, waiting = (times(formulas, **job, overlap_weights=overlap) for overlap in (True, False))
    most = min(hidden["weight_gather_time"], hidden["weight_window"])
    assert waiting["exposed_gradients_time"] - hidden["exposed_gradients_time"] == pytest.approx(most, abs=1e-12)
    assert waiting["exposed_gradients_time"] >= waiting["weight_gather_time"] * (1 - 1e-12)
    assert waiting["step_time"] >= hidden["step_time"]


@settings(max_examples=samples(30), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(job=JOBS)
def test_both_windows_are_a_micro_batch(formulas, job):
    found = times(formulas, **job)
    assert found["gradient_window"] + found["weight_window"] == pytest.approx(found["overlap_window"])
    assert 0 <= found["exposed_gradients_time"] <= found["gradients_time"] * (1 + 1e-12)


@settings(max_examples=samples(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(job=JOBS)
def test_nothing_hides_where_nothing_overlaps(formulas, job):
    found = times(formulas, **job, overlap_dp=False)
    assert found["exposed_gradients_time"] == pytest.approx(found["gradients_time"])
