"""Experts that lie off the accelerator: no pass reads one that no token visits, wherever it is computed."""

import pytest
from hypothesis import given, settings, strategies as st

from formula_eval import Formulas
from samples import samples

MIXTURES = ["mixtral-8x7b", "deepseek-v3", "qwen3-30b-a3b", "gpt-oss-120b"]
H100 = {"hardware": "h100-sxm", "host_bandwidth": 25e9}


def ask(formulas: Formulas, *names: str, **givens: object) -> list[float]:
    result = formulas.evaluate(only=list(names), **givens)
    return [float(result[name].value) for name in names]


@settings(max_examples=samples(30))
@given(model=st.sampled_from(MIXTURES), batch=st.integers(1, 4096), processor=st.sampled_from(["accelerator", "host"]))
def test_only_what_tokens_visit_is_read(model: str, batch: int, processor: str, formulas: Formulas) -> None:
    names = ("inference.offload_read_time", "inference.host_expert_bytes", "memory.expert_weights_bytes")
    job = {"model": model, "phase": "decode", "offloaded_experts": 1, "expert_processor": processor, **H100}
    time, on_host, held = ask(formulas, *names, **job, batch=batch)
    layers, experts, chosen = ask(formulas, "params.moe_layers", "experts", "experts_per_token", model=model)
    one_expert = held / layers / experts
    read = on_host if processor == "host" else time * 25e9
    most = layers * one_expert * min(experts, batch * chosen)
    assert read <= most * (1 + 1e-9)
    assert read >= layers * one_expert * chosen * (1 - 1e-9)
    assert (time == 0) == (processor == "host")
    assert (on_host == 0) == (processor == "accelerator")


@pytest.mark.parametrize("model", MIXTURES)
def test_few_tokens_read_few_experts(model: str, formulas: Formulas) -> None:
    (alone,) = ask(formulas, "inference.offload_read_time", model=model, phase="decode", offloaded_experts=1, **H100)
    layers, whole = ask(formulas, "params.moe_layers", "memory.expert_weights_bytes", model=model)
    chosen, experts = ask(formulas, "experts_per_token", "experts", model=model)
    assert alone * 25e9 == pytest.approx(whole * chosen / experts)
    assert layers > 0


def test_a_host_that_costs_nothing_spares_the_experts(formulas: Formulas) -> None:
    names = ("inference.decode_time", "inference.pass_time", "inference.engine_time", "inference.spared_expert_time")
    free = {"cpu_bandwidth": 1e18, "cpu_matrix_rate": 1e17, "host_bandwidth": 1e18}
    job = {"model": "mixtral-8x7b", "hardware": "h100-sxm", "phase": "decode", "batch": 4, **free}
    offloaded, kernels, host, spared = ask(formulas, *names, **job, expert_processor="host")
    assert spared > 0.5 * (kernels + host)
    assert offloaded == pytest.approx(kernels + host - spared, rel=1e-3)


def test_generation_is_its_steps(formulas: Formulas) -> None:
    job = {"model": "mixtral-8x7b", "hardware": "rtx-4090", "expert_processor": "host", "offloaded_kv": 1, "batch": 8}
    whole = ask(formulas, "inference.generation_time", **job, prompt=100, generated=12)
    steps = [ask(formulas, "inference.decode_time", **job, step_context=100 + each)[0] for each in range(11)]
    assert whole == pytest.approx([sum(steps)], rel=1e-12)


def test_ktransformers_as_published(formulas: Formulas) -> None:
    """DeepSeek-V3 in Q4_K_M beside an RTX 4090D; one socket with eight channels of DDR5-4800: 8.73 tokens/s."""
    job = {"model": "deepseek-v3", "hardware": "rtx-4090", "weight_bits": 4.85, "prompt": 500, "generated": 300}
    (step,) = ask(formulas, "inference.tpot", **job, expert_processor="host", cpu_bandwidth=307.2e9)
    assert 1 / step == pytest.approx(8.73, rel=0.1)


@pytest.mark.parametrize("share", [0, 0.25, 1])
def test_a_dense_model_has_no_experts_to_offload(share: float, formulas: Formulas) -> None:
    names = ("memory.resident_weights_bytes", "memory.offloaded_weights_bytes", "inference.tpot")
    job = {"model": "llama3-8b", "offloaded_weights": 0.5, **H100}
    assert ask(formulas, *names, **job) == ask(formulas, *names, **job, offloaded_experts=share)
