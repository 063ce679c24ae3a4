"""Figures of papers and of arithmetic by hand that follow from several formulas together."""

import pytest

from formula_eval import Formulas

GPT3 = {"model": "gpt3-175b", "vocab": 51200, "learned_positions": 2048, "seq": 2048, "tp": 8, "pp": 8}
WORKED = [
    # Causal pairs, logits of all positions: 4,096 * (136.9 + 0.5) GFLOP and 80 layers of 8,390,656 pairs.
    ("flops.prefill", {"model": "llama2-70b", "prompt": 4096, "logits_of": "all"}, 5.84894e14),
    # Korthikanti et al. 2022, section 5 and table 5: 64 sequences of GPT-3, its work, and that with all recomputed.
    ("flops.training_step", {**GPT3, "micro_batches": 64, "attention_pairs": "full"}, 1.41092e17),
    ("flops.recomputation", {**GPT3, "attention_pairs": "full", "recompute": "full"}, (1.87957e17 - 1.41092e17) / 64),
    # Beams share the pages of their prompt: 1,000 tokens once and 200 for each of four beams.
    (
        "memory.kv_cache_bytes",
        {"model": "llama2-70b", "tp": 8, "beams": 4, "prompt": 1000, "generated": 200, "page": 1},
        1800 * 40960,
    ),
    # Sixteen nodes of eight: each accelerator carries its eighth of a gigabyte out and back.
    (
        "microbenchmark.all_reduce_time",
        {"group": 128, "message": 1e9, "hardware": "a100-sxm-80gb"},
        2 * (1e9 / 8) * (15 / 16) / (25e9 * 0.86) + 8 * 15e-6,
    ),
]


def value(formulas: Formulas, name: str, **givens: object) -> float:
    return float(formulas.evaluate(only=name, **givens)[name].value)


@pytest.mark.parametrize(("name", "givens", "expected"), WORKED, ids=[name for name, _, _ in WORKED])
def test_worked_values(name, givens, expected, formulas):
    assert value(formulas, name, **givens) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize(("stage", "gigabytes"), [(0, 120), (1, 31.4), (2, 16.6), (3, 1.9)])
def test_states_as_zero_prints_them(stage, gigabytes, formulas):
    """Rajbhandari et al. 2020, figure 1: 7.5 billion parameters on 64 accelerators."""
    names = [f"training.{kind}_bytes" for kind in ("weights", "gradients", "optimizer")]
    result = formulas.evaluate(
        only=[*names, "params.total"], model="llama2-7b", recipe="zero_fp16", zero_stage=stage, dp=64
    )
    states = sum(float(result[name].value) for name in names)
    assert states / result["params.total"].value * 7.5 == pytest.approx(gigabytes, abs=0.051)


def test_where_a_product_begins_to_compute(formulas):
    """On an H100 a product with 8,192 columns on both sides waits for memory up to 179 rows."""
    shape = {"gemm_columns": 8192, "gemm_inner": 8192, "hardware": "h100-sxm"}
    waits = [
        value(formulas, "microbenchmark.gemm_memory_time", gemm_rows=rows, **shape)
        - value(formulas, "microbenchmark.gemm_compute_time", gemm_rows=rows, **shape)
        for rows in (179, 180)
    ]
    assert waits[0] > 0 > waits[1]
