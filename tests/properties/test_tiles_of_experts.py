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
