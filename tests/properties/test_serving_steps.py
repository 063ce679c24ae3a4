"""Closed forms of serving against the passes they sum up, one by one."""

import math

import pytest

from formula_eval import Formulas

GIVENS = {"hardware": "h100-sxm", "tp": 8, "batch": 3}
# All clients decode beside chunks of prompts, however few of those a step completes.
ALL_DECODE = {**GIVENS, "prefills_first": True}
STEPS = {
    "llama2-70b": {"prompt": 1000, "generated": 40},
    "gemma2-9b": {"prompt": 4080, "generated": 40},
    "gpt-oss-20b": {"prompt": 100, "generated": 60},
    "deepseek-v3": {"prompt": 3000, "generated": 20},
    "deepseek-v3.2": {"prompt": 2030, "generated": 40},
    "qwen3-next-80b-a3b": {"prompt": 1000, "generated": 20, "tp": 2},
    "mamba-2.8b": {"prompt": 1000, "generated": 20, "tp": 1},
    "t5-base": {"prompt": 1, "encoder_prompt": 700, "generated": 20, "tp": 2},
}


def values(formulas: Formulas, names: list[str], **givens: object) -> list[float]:
    result = formulas.evaluate(only=names, **givens)
    return [float(result[name].value) for name in names]


def value(formulas: Formulas, name: str, **givens: object) -> float:
    return values(formulas, [name], **givens)[0]


def contexts(prompt: int, generated: int) -> range:
    return range(prompt, prompt + generated - 1)


@pytest.mark.parametrize("model", STEPS)
@pytest.mark.parametrize("beams", [1, 4])
def test_generation_is_its_steps(model, beams, formulas):
    givens = {**GIVENS, **STEPS[model], "model": model, "beams": beams}
    steps = [
        value(formulas, "inference.decode_time", **givens, step_context=each)
        for each in contexts(givens["prompt"], givens["generated"])
    ]
    first, last, whole = values(
        formulas,
        ["inference.first_decode_step_time", "inference.last_decode_step_time", "inference.generation_time"],
        **givens,
    )
    assert whole == pytest.approx(sum(steps), rel=1e-12)
    assert (first, last) == (steps[0], steps[-1])


@pytest.mark.parametrize("model", ["llama2-70b", "gemma2-9b", "deepseek-v3.2"])
@pytest.mark.parametrize("bandwidth", ["3 GB/s", "20 GB/s", "1 TB/s"])
def test_offloaded_generation_is_its_steps(model, bandwidth, formulas):
    """The cache is read from the host; the lines of computing and of reading cross at the middle bandwidth."""
    givens = {**GIVENS, **STEPS[model], "model": model, "offloaded_kv": 1, "host_bandwidth": bandwidth}
    steps = [
        value(formulas, "inference.decode_time", **givens, step_context=each)
        for each in contexts(givens["prompt"], givens["generated"])
    ]
    assert value(formulas, "inference.generation_time", **givens) == pytest.approx(sum(steps), rel=1e-12)


def test_offloaded_steps_cross(formulas):
    """A long generation at first waits for its computing and at last for its reading."""
    givens = {**GIVENS, "model": "llama2-70b", "prompt": 10, "generated": 240, "offloaded_kv": 1, "batch": 64}
    givens["host_bandwidth"] = "25 GB/s"
    names = ["inference.computing_time@decode", "inference.offload_read_time@decode"]
    both = [values(formulas, names, **givens, step_context=each) for each in contexts(10, 240)[::50]]
    assert both[0][0] > both[0][1]
    assert both[-1][0] < both[-1][1]
    whole = value(formulas, "inference.generation_time", **givens)
    every = [max(values(formulas, names, **givens, step_context=each)) for each in contexts(10, 240)]
    assert whole == pytest.approx(math.fsum(every), rel=1e-12)


@pytest.mark.parametrize("prompt", [300, 1000, 2047, 2048])
def test_a_chunked_prefill_is_its_chunks(prompt, formulas):
    givens = {**ALL_DECODE, "model": "llama2-70b", "prompt": prompt, "concurrency": 64, "chunk_tokens": 576}
    size, running, middle = values(
        formulas, ["inference.chunk_size", "inference.running", "inference.mean_context"], **givens
    )
    assert (size, running) == (512, 64)
    steps = [
        value(
            formulas,
            "inference.decode_time",
            **{**givens, "batch": 64, "step_context": middle},
            mixed_prefill_tokens=min(512, prompt - done),
            mixed_prefill_past=done,
        )
        for done in range(0, prompt, 512)
    ]
    assert value(formulas, "inference.chunk_steps_time", **givens) == pytest.approx(sum(steps), rel=1e-12)


def test_the_largest_chunk_is_never_less_than_the_mean_one(formulas):
    """Where attention changes what it waits for on the way, the closed form is a lower bound."""
    givens = {**ALL_DECODE, "model": "gemma2-9b", "prompt": 9000, "concurrency": 8, "chunk_tokens": 264}
    middle = value(formulas, "inference.mean_context", **givens)
    asked = {**givens, "batch": 8, "step_context": middle, "mixed_prefill_tokens": 256}
    steps = [value(formulas, "inference.decode_time", **asked, mixed_prefill_past=256 * each) for each in range(35)]
    full = value(formulas, "inference.full_chunk_step_time", **givens)
    assert full == pytest.approx(sum(steps) / 35, rel=2e-3)
