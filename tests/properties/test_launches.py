"""What the host takes to start a prefill without a CUDA graph: a floor under it, passed once by prompts that wait."""

import pytest

from formula_eval import Formulas

MIXTURE = {"model": "qwen3-235b-a22b", "hardware": "b200-sxm", "tp": 8, "engine": "sglang-0.5"}


def value(formulas: Formulas, name: str, **givens: object) -> float:
    return float(formulas.evaluate(only=[name], **givens)[name].value)


@pytest.mark.parametrize("prompt", [10, 600, 4_000, 60_000])
def test_a_lone_prefill_takes_its_launches_or_its_kernels(formulas, prompt):
    asked = {**MIXTURE, "prompt": prompt, "prefill_factor": 1}
    kernels = value(formulas, "inference.lone_prefill_time", **asked, expert_prefill_launch_time="0 s")
    found = value(formulas, "inference.lone_prefill_time", **asked)
    assert found == pytest.approx(max(kernels, 94 * 1.4e-3))


def test_a_dense_model_and_a_decode_step_wait_for_no_launch(formulas):
    for asked in ({"model": "llama3.1-8b", "phase": "prefill"}, {"model": "qwen3-235b-a22b", "phase": "decode"}):
        assert value(formulas, "inference.launch_wait_time", **{**MIXTURE, **asked}) == 0


@pytest.mark.parametrize("clients", [2, 16, 64])
def test_prompts_that_wait_are_started_together(formulas, clients):
    """Launches delay the first token of each client once, however many ask."""
    asked = {**MIXTURE, "prompt": 500, "generated": 500, "concurrency": clients, "max_sequences": 64}
    without = value(formulas, "inference.serving_ttft", **asked, expert_prefill_launch_time="0 s")
    added = value(formulas, "inference.serving_ttft", **asked) - without
    wait = value(formulas, "inference.lone_launch_time", **asked)
    assert 0 < wait <= added * 1.001
    assert added < 3 * wait
