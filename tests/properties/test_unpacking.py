"""Weights stored narrower than what they are multiplied with cost what unpacking takes, and nothing else does."""

from math import ceil

import pytest
from hypothesis import given, settings, strategies as st

from formula_eval import Formulas
from samples import samples

A100 = {"hardware": "a100-sxm-80gb", "engine": "gpt-fast", "model": "llama2-7b", "prompt": 5, "generated": 200}
# gpt-fast README: tokens per second of one sequence on A100 80 GB (330 W).
GPT_FAST = [({}, 104.9), ({"format": "w8a16"}, 155.58), ({"weight_bits": 4, "weight_group": 32}, 196.8)]


def ask(formulas: Formulas, name: str, **givens: object) -> float:
    return float(formulas.evaluate(only=[name], **givens)[name].value)


@pytest.mark.parametrize(("narrow", "published"), GPT_FAST)
def test_gpt_fast_as_published(narrow: dict[str, object], published: float, formulas: Formulas) -> None:
    assert 1 / ask(formulas, "inference.tpot", **A100, **narrow) == pytest.approx(published, rel=0.1)


@settings(max_examples=samples(30))
@given(
    batch=st.integers(1, 4096), tile=st.sampled_from([1, 16, 64, 256]), model=st.sampled_from(["llama3-8b", "phi-2"])
)
def test_unpacked_once_for_each_tile(batch: int, tile: int, model: str, formulas: Formulas) -> None:
    name = "operators.operators_time"
    job = {"model": model, "phase": "decode", "hardware": "h100-sxm", "batch": batch, "weight_bits": 4}
    free = ask(formulas, name, **job, vector_peak=0)
    costly = ask(formulas, name, **job, vector_peak=1e12, unpacked_rows=tile, unpacking_flops=2)
    weights = ask(formulas, "params.active_matrices", model=model) - ask(formulas, "params.lm_head_matrix", model=model)
    assert costly - free == pytest.approx(ceil(batch / tile) * weights * 2 / 1e12, rel=1e-3)


@pytest.mark.parametrize("model", ["llama3-8b", "mixtral-8x7b", "deepseek-v3"])
@pytest.mark.parametrize("phase", ["decode", "prefill"])
def test_wide_weights_are_not_unpacked(model: str, phase: str, formulas: Formulas) -> None:
    job = {"model": model, "phase": phase, "hardware": "h100-sxm", "prompt": 100}
    for same in ({}, {"weight_bits": 8, "activation_bits": 8}):
        slow = ask(formulas, "operators.operators_time", **job, **same, vector_peak=1e9)
        assert slow == ask(formulas, "operators.operators_time", **job, **same, vector_peak=0)


@pytest.mark.parametrize(("tile", "tiles"), [(1, 2.2225), (2, 1.36125), (64, 1.0)])
def test_a_mean_number_of_rows_is_not_rounded(tile: int, tiles: float, formulas: Formulas) -> None:
    """The touched experts of eight tokens have 2.2225 rows each: a last bit of that moves no tile."""
    job = {"model": "mixtral-8x7b", "phase": "decode", "hardware": "h100-sxm", "batch": 8, "weight_bits": 4}
    names = [
        "operators.pass_operators.experts_in.unpacking_time",
        "operators.touched_per_gpu",
        "operators.expert_in_width",
    ]
    found = formulas.evaluate(only=names, **job, vector_peak=1e12, unpacked_rows=tile, unpacking_flops=2)
    time, touched, width = (float(found[name].value) for name in names)
    assert time == pytest.approx(touched * width * 4096 * 2 * tiles / 1e12, rel=1e-4)


V100 = {"model": "llama3-8b", "hardware": "v100-pcie-32gb", "engine": "llama.cpp", "format": "q5_0", "phase": "prefill"}


def test_weights_written_first_take_as_long_for_any_rows(formulas: Formulas) -> None:
    name = "operators.pass_operators.ffn_in.unpacking_time"
    times = {rows: ask(formulas, name, **V100, prompt=rows) for rows in (63, 64, 128, 512)}
    assert times[64] == times[128] == times[512] > times[63]
    swift = ask(formulas, name, **V100, prompt=64, dequantising_efficiency=0.8)
    assert swift == pytest.approx(times[64] / 2)


def test_weights_are_written_where_no_kernel_multiplies_them_alone(formulas: Formulas) -> None:
    """A board with units for integers, an engine that unpacks within its products, and 16-bit weights write nothing."""
    slow, fast = {"dequantising_efficiency": 0.05}, {"dequantising_efficiency": 1}
    for other in ({"hardware": "rtx-3090"}, {"engine": "vllm"}, {"format": "bf16"}, {"hardware": "apple-m2-ultra"}):
        times = [ask(formulas, "operators.operators_time", **V100 | other, prompt=512, **each) for each in (slow, fast)]
        assert times[0] == times[1]
    nf4 = {"model": "llama3-8b", "hardware": "a100-sxm-80gb", "engine": "transformers", "format": "nf4", "prompt": 512}
    both = [ask(formulas, "operators.operators_time", phase="prefill", **nf4, **each) for each in (slow, fast)]
    assert both[0] > both[1]


@pytest.mark.parametrize(("rows", "published"), [(64, 824.35), (128, 1472.49), (256, 2421.77), (512, 3326.19)])
def test_llama_cpp_on_v100_as_published(rows: int, published: float, formulas: Formulas) -> None:
    """Pull request 24127: a prompt of 512 tokens in passes of so many rows; 64 rows in passes of a batch."""
    behind = {"prompt": 288 if rows == 64 else (512 + rows) // 2, "cached": 224 if rows == 64 else (512 - rows) // 2}
    givens = {each: V100[each] for each in ("model", "hardware", "engine", "format")} | behind
    assert ask(formulas, "inference.prompt_tokens_per_second", **givens) == pytest.approx(published, rel=0.15)


AWQ = {"model": "llama2-7b", "hardware": "rtx-4090", "format": "w4a16-g128", "phase": "prefill"}


@settings(max_examples=samples(20))
@given(rows=st.integers(1, 4096), parts=st.integers(2, 16))
def test_parts_of_sums_are_written_and_read_once_for_each_row(rows: int, parts: int, formulas: Formulas) -> None:
    name, job = "operators.operators_time", {**AWQ, "engine": "autoawq", "prompt": rows}
    apart = ask(formulas, name, **job, split_sums=parts) - ask(formulas, name, **job, split_sums=1)
    widths = 3 * 4096 + 4096 + 2 * 11008 + 4096
    bandwidth = ask(formulas, "operators.stream_bandwidth", **AWQ)
    assert apart == pytest.approx(32 * 2 * parts * rows * widths * 2 / bandwidth, rel=1e-6)
    wide = {**job, "format": "bf16"}
    assert ask(formulas, name, **wide, split_sums=parts) == ask(formulas, name, **wide, split_sums=1)


# AutoAWQ README, RTX 4090: tokens per second of prompts, and of decoding eight sequences.
@pytest.mark.parametrize(
    ("model", "batch", "prompt", "published"),
    [("llama2-7b", 1, 2048, 1123.63), ("mistral-7b-v0.1", 1, 2048, 903.83), ("mistral-7b-v0.1", 8, 2048, 884.22)],
)
def test_rows_by_themselves_as_published(
    model: str, batch: int, prompt: int, published: float, formulas: Formulas
) -> None:
    job = {"hardware": "rtx-4090", "engine": "autoawq-gemv", "format": "w4a16-g128", "model": model, "prompt": prompt}
    found = ask(formulas, "inference.prompt_tokens_per_second", **job, batch=batch, generated=prompt)
    assert found == pytest.approx(published, rel=0.2)
