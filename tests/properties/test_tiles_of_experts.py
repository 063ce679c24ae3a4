"""What tiles of an expert's rows cost: never less than its rows, and ever less beside them where it has more."""

from itertools import pairwise

import pytest

from formula_eval import Formulas

MIXTURES = ("qwen3-30b-a3b", "qwen3-next-80b-a3b", "gpt-oss-20b", "mixtral-8x7b")


@pytest.mark.parametrize("model", MIXTURES)
def test_a_tile_holds_more_of_the_rows_of_a_longer_prompt(model: str, formulas: Formulas) -> None:
    shares = [
        formulas.evaluate(
            only=["operators.filled_tile_share"],
            model=model,
            hardware="a100-sxm-80gb",
            engine="llama.cpp",
            format="q4_k_m",
            phase="prefill",
            prompt=prompt,
            chunk_tokens=prompt,
        )["operators.filled_tile_share"].value
        for prompt in (64, 256, 1024, 4096, 16384)
    ]
    assert all(0 < share <= 1 for share in shares)
    assert all(before <= after for before, after in pairwise(shares))
    assert shares[0] < shares[-1]


@pytest.mark.parametrize("model", MIXTURES)
def test_wider_tiles_never_read_a_prompt_faster(model: str, formulas: Formulas) -> None:
    rates = [
        formulas.evaluate(
            only=["inference.prompt_tokens_per_second"],
            model=model,
            hardware="rtx-4090",
            engine="llama.cpp",
            format="q4_0",
            prompt=512,
            expert_tile=tile,
        )["inference.prompt_tokens_per_second"].value
        for tile in (0, 16, 64, 128)
    ]
    assert all(before >= after for before, after in pairwise(rates))
    assert rates[0] > rates[-1]


SATURATED = {"hardware": "h200-sxm", "engine": "tensorrt-llm-1.0", "phase": "decode", "step_context": 1000}


@pytest.mark.parametrize("model", ["gpt-oss-120b", "qwen3-235b-a22b", "mixtral-8x7b"])
@pytest.mark.parametrize("batch", [1, 64, 1024, 8192])
def test_tiles_never_make_a_step_faster_and_full_ones_cost_nothing(model: str, batch: int, formulas: Formulas) -> None:
    name, share = "operators.operators_time", "operators.filled_tile_share"
    tiled, free = (
        formulas.evaluate(only=[name, share], model=model, batch=batch, expert_tile=tile, **SATURATED)
        for tile in (64, 0)
    )
    assert tiled[name].value >= free[name].value
    assert 0 < tiled[share].value <= free[share].value == 1
    more = formulas.evaluate(only=[share], model=model, batch=64 * batch, **SATURATED)
    assert more[share].value >= tiled[share].value or batch == 1


def test_saturated_gpt_oss_as_published(formulas: Formulas) -> None:
    """TensorRT-LLM 1.2 with GPT-OSS 120B on one H200, prompts and outputs of 1,000: 6,868 tokens a second."""
    asked = {"hardware": "h200-sxm", "engine": "tensorrt-llm-1.0", "format": "mxfp4-a16", "run_requests": 3000}
    name = "inference.serving_tokens_per_second"
    found = formulas.evaluate(only=[name], model="gpt-oss-120b", prompt=1000, generated=1000, **asked)[name].value
    without = formulas.evaluate(only=[name], model="gpt-oss-120b", prompt=1000, generated=1000, expert_tile=0, **asked)[
        name
    ].value
    assert abs(found / 6868 - 1) < abs(without / 6868 - 1)
    assert found == pytest.approx(6868, rel=0.35)
