"""Attention over latents: a prompt costs the same however it is passed through, and kernels run as published."""

import pytest
from hypothesis import given, settings, strategies as st

from formula_eval import Formulas
from samples import samples

CORE = "operators.pass_operators.attention_core.compute_time"
EXPANSION = "operators.pass_operators.latent_expansion.flops"


def ask(formulas: Formulas, *names: str, **givens: object) -> list[float]:
    result = formulas.evaluate(only=list(names), **givens)
    return [float(result[name].value) for name in names]


@settings(max_examples=samples(30))
@given(
    model=st.sampled_from(["deepseek-v3", "deepseek-v3.2", "llama2-70b"]),
    past=st.integers(0, 60_000),
    new=st.integers(1, 8192),
    batch=st.integers(1, 64),
)
def test_a_carried_prompt_costs_what_a_prefill_does(
    model: str, past: int, new: int, batch: int, formulas: Formulas
) -> None:
    names = (CORE, EXPANSION)
    job = {"model": model, "hardware": "h800-sxm"}
    alone = ask(formulas, *names, **job, phase="prefill", batch=1, prompt=past + new, cached=past)
    step = {"phase": "decode", "batch": batch, "step_context": 1000}
    without = ask(formulas, *names, **job, **step)
    mixed = ask(formulas, *names, **job, **step, mixed_prefill_tokens=new, mixed_prefill_past=past)
    assert mixed == pytest.approx([one + other for one, other in zip(alone, without, strict=True)], rel=1e-9)


@pytest.mark.parametrize(
    ("hardware", "name", "model", "published"),
    [
        ("h800-sxm", "operators.absorbed_kernel_rate", "deepseek-v3", 660e12),
        ("h800-sxm", "operators.absorbed_kernel_rate", "deepseek-v3.2", 410e12),
        ("h800-sxm", "operators.prefill_kernel_rate", "deepseek-v3.2", 640e12),
        ("b200-sxm", "operators.prefill_kernel_rate", "deepseek-v3.2", 1450e12),
    ],
)
def test_kernels_as_published(hardware: str, name: str, model: str, published: float, formulas: Formulas) -> None:
    assert ask(formulas, name, model=model, hardware=hardware) == [pytest.approx(published, rel=0.02)]


def test_narrow_caches_as_laid_out(formulas: Formulas) -> None:
    names = ("memory.latent_kv_bytes", "memory.index_key_bytes", "memory.kv_bytes_per_token")
    narrow = ask(formulas, *names, model="deepseek-v3.2", kv_bits=8)
    assert narrow == [656, 132, 61 * (656 + 132)]
    wide = ask(formulas, *names, model="deepseek-v3.2")
    assert wide == [1152, 132, 61 * (1152 + 132)]


def test_cached_latents_are_expanded_again(formulas: Formulas) -> None:
    """512 by 128 heads of 256 numbers in 61 layers for each cached token, at 2 FLOP."""
    job = {"model": "deepseek-v3", "prompt": 5000, "cached": 4000}
    pairs, whole = ask(formulas, "flops.prefill_attention", "flops.prefill", **job)
    counted = {**job, "latent_products": "expanded"}
    same, without = ask(formulas, "flops.prefill_attention", "flops.prefill", **counted)
    assert same == pairs
    assert whole - without == pytest.approx(4000 * 61 * 2 * 512 * 128 * 256, rel=1e-9)
