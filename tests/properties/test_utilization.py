"""Model and hardware FLOP utilization of training: what a convention counts, and what is executed."""

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from samples import samples

MODELS = [
    "llama2-7b",
    "mistral-7b-v0.1",
    "gemma3-27b",
    "phi-3-mini",
    "mixtral-8x7b",
    "mamba-2.8b",
    "deepseek-v3",
    "gpt2",
]
NAMES = ["training.hfu", "training.mfu", "training.causal_mfu", "flops.executed_step", "flops.training_step"]


@settings(max_examples=samples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    model=st.sampled_from(MODELS),
    hardware=st.sampled_from(["h100-sxm", "a100-sxm-80gb", "h200-sxm", "b200-sxm", "mi300x"]),
    seq=st.sampled_from([512, 4096, 32768, 131072, 1_000_000]),
    micro_batches=st.sampled_from([1, 8, 64]),
    recompute=st.sampled_from(["none", "core", "attention", "full"]),
    training_bits=st.sampled_from([8, 16, 32]),
    dp=st.sampled_from([1, 8]),
)
def test_no_accelerator_executes_more_than_its_peak(formulas, hardware, training_bits, **asked):
    training_bits = 16 if hardware == "a100-sxm-80gb" and training_bits == 8 else training_bits
    result = formulas.evaluate(only=NAMES, hardware=hardware, training_bits=training_bits, **asked)
    hfu, _, causal, executed, needed = (float(result[name].value) for name in NAMES)
    assert 0 < hfu <= 1
    assert executed >= needed
    if training_bits == 16:
        assert causal <= hfu * (1 + 1e-12)


@pytest.mark.parametrize(
    ("model", "seq", "speaks"),
    [("gemma3-27b", 131072, True), ("gemma3-27b", 2048, False), ("llama3.1-405b", 8192, False)],
)
def test_a_count_beyond_what_is_computed_is_told(model, seq, speaks, formulas):
    result = formulas.evaluate(
        only=["training.mfu", "training.causal_mfu"], model=model, hardware="h100-sxm", seq=seq, tp=8
    )
    told = [each for each in result.checks if each.name == "training.mfu_counts_what_is_computed" and not each.ok]
    assert bool(told) is speaks
    if speaks:
        assert f"{100 * float(result['training.causal_mfu'].value):.4g}%" in told[0].message


def test_virtual_stages_interleave_by_themselves(formulas):
    asked = {"model": "llama3.1-405b", "hardware": "h100-sxm", "tp": 8, "pp": 16, "micro_batches": 16}
    names = ["training.step_time", "training.device_bytes"]

    def step(**more: object) -> list[object]:
        result = formulas.evaluate(only=names, **asked, **more)
        return [result[name].value for name in names]

    assert step(virtual_stages=8) == step(virtual_stages=8, schedule="interleaved")
    assert step() == step(schedule="one_f_one_b") != step(virtual_stages=8)
