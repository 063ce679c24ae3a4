"""Where the formulas must end: nothing shared, nothing cached, and more of something without bound."""

import pytest

from counted import seen
from formula_eval import Formulas

TRAINED = ("gpt2", "llama2-7b", "mixtral-8x7b", "deepseek-v3", "jamba-v0.1")
SERVED = ("llama2-7b", "gemma2-9b", "mixtral-8x7b", "deepseek-v3", "qwen3-next-80b-a3b")
ALONE = {"tp": 1, "pp": 1, "cp": 1, "dp": 1, "ep": 1}


def values(formulas: Formulas, names: list[str], model: str, **givens: object) -> list[float]:
    result = formulas.evaluate(only=names, model=model, hardware="h100-sxm", **givens)
    return [float(result[name].value) for name in names]


def value(formulas: Formulas, name: str, model: str, **givens: object) -> float:
    return values(formulas, [name], model, **givens)[0]


@pytest.mark.parametrize("model", TRAINED)
def test_shared_over_one_accelerator_is_not_shared(model, formulas):
    """ZeRO and FSDP of one accelerator take the time and the memory of none."""
    names = ["training.step_time", "training.weights_bytes", "training.gradients_bytes", "training.optimizer_bytes"]
    plain, *shared = (values(formulas, names, model, zero_stage=stage, **ALONE) for stage in range(4))
    for each in seen(shared):
        assert each == pytest.approx(plain, rel=1e-12)


@pytest.mark.parametrize("model", TRAINED)
def test_a_step_alone_is_its_kernels(model, formulas):
    """One accelerator computes its micro-batches one after another, updates, and waits for nobody."""
    names = ["forward", "backward", "recomputation", "launches", "optimizer", "fixed"]
    parts = [f"training.step_parts.{part}.time" for part in names]
    *times, total = values(formulas, [*parts, "training.step_time"], model, micro_batches=4, recompute="full", **ALONE)
    assert sum(times) == pytest.approx(total)


@pytest.mark.parametrize("model", TRAINED)
def test_the_bubble_vanishes_with_many_micro_batches(model, formulas):
    fractions = [
        value(formulas, "training.step_parts.bubble.fraction", model, pp=4, micro_batches=each, seq=4096)
        for each in (4, 64, 1024, 100_000)
    ]
    assert fractions == sorted(fractions, reverse=True)
    assert fractions[0] > 0.1
    assert fractions[-1] < 1e-3


@pytest.mark.parametrize("model", SERVED)
def test_attention_vanishes_with_the_context(model, formulas):
    names = ["inference.decode_time", "flops.decode_attention"]
    times, work = zip(
        *(values(formulas, names, model, step_context=each, batch=8) for each in (100_000, 1_000, 10, 0)), strict=True
    )
    assert times == tuple(sorted(times, reverse=True))
    assert work[-1] < 1e-4 * work[0]
    if model != "qwen3-next-80b-a3b":  # whose recurrent state is as large at any context
        assert value(formulas, "inference.decode_cache_fraction", model, step_context=0, batch=8) < 1e-3


@pytest.mark.parametrize("model", SERVED)
def test_a_batch_without_bound_pays_for_its_work_alone(model, formulas):
    """The weights are read once for all, so the time of one sequence settles, above what its work takes at the peak."""
    names = ["inference.decode_time", "flops.decode_step", "peak_16"]
    one, large, larger = (values(formulas, names, model, step_context=0, batch=each) for each in (1, 10**6, 2 * 10**6))
    assert larger[0] / 2 == pytest.approx(large[0], rel=1e-2)
    assert larger[0] / 2e6 < one[0] / 10
    assert larger[0] > larger[1] / larger[2]
