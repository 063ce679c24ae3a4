"""Kernels and products by number format: what converts, what accumulates in fewer bits, and what copies heads."""

import pytest

KERNELS = "operators.layer_kernels"
RATE = "operators.best_unquantized_rate"
COPIED = "operators.appended_bytes"


def value(formulas, name, **given):
    return formulas.evaluate(only=[name], **given)[name].value


@pytest.mark.parametrize("engine", ["vllm-1", "tensorrt-llm-1.0", "transformers-eager"])
def test_only_formats_unpacked_by_themselves_start_kernels_for_it(formulas, engine):
    decode = {"model": "llama2-7b", "hardware": "a100-sxm-80gb", "phase": "decode", "engine": engine}
    plain, awq, nf4 = (value(formulas, KERNELS, **decode, format=each) for each in ("bf16", "w4a16-g128", "nf4"))
    assert plain == awq <= nf4
    assert nf4 - plain == value(formulas, "unpacking_kernels", **decode)


@pytest.mark.parametrize("phase", ["prefill", "decode"])
def test_narrower_inputs_never_start_fewer_kernels(formulas, phase):
    given = {"model": "llama2-7b", "hardware": "b200-sxm", "phase": phase}
    wide, eight, four = (value(formulas, KERNELS, **given, format=each) for each in ("bf16", "fp8", "nvfp4"))
    assert wide <= eight <= four
    assert phase == "decode" or wide == four  # a prefill hides them behind its products


@pytest.mark.parametrize("hardware", ["rtx-3090", "rtx-4080", "rtx-5090"])
@pytest.mark.parametrize("gain", [1, 1.25, 2])
def test_sums_of_half_rate_gain_in_sixteen_bits_alone(formulas, hardware, gain):
    given = {"hardware": hardware, "half_rate_gain": gain}
    plain = value(formulas, RATE, **given, half_rate_sums=False)
    assert value(formulas, RATE, **given) == pytest.approx(gain * plain)
    eight = [
        value(formulas, "operators.best_matrix_rate", **given, activation_bits=8, half_rate_sums=sums)
        for sums in (True, False)
    ]
    assert eight[0] == eight[1]


@pytest.mark.parametrize("kv_heads", [1, 4, 8, 32])
@pytest.mark.parametrize("batch", [1, 16])
def test_a_cache_is_copied_for_every_query_head(formulas, kv_heads, batch):
    """torch.cat reads and writes all of it; repeat_kv reads it and writes it as often as a group has heads."""
    given = {"model": "llama2-7b", "phase": "decode", "step_context": 999, "batch": batch, "kv_heads": kv_heads}
    cache = 2 * kv_heads * 128 * 2 * 1000 * batch  # keys and values of one layer, in 16 bits
    group = 32 // kv_heads
    assert value(formulas, COPIED, **given) == pytest.approx(2 * cache)
    repeated = 2 * cache + (2 * group * cache if group > 1 else 0)
    assert value(formulas, COPIED, **given, repeats_heads=True) == pytest.approx(repeated)


@pytest.mark.parametrize("context", [1000, 30_000])
def test_an_engine_that_copies_is_never_faster(formulas, context):
    given = {"model": "qwen2.5-14b", "hardware": "a100-sxm-80gb", "context": context}
    old, new = (value(formulas, "inference.tpot", **given, engine=each) for each in ("transformers-4", "transformers"))
    assert old >= new


def test_thirty_thousand_tokens_of_transformers_as_published(formulas):
    """Qwen2.5 14B after 30,720 tokens on an A100: 119 ms a token in Transformers of 2024 (Qwen's speed benchmark)."""
    found = value(
        formulas,
        "inference.tpot",
        model="qwen2.5-14b",
        hardware="a100-sxm-80gb",
        engine="transformers-4",
        context=30_720,
    )
    assert found == pytest.approx(0.119, rel=0.1)
