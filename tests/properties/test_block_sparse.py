"""Block-sparse attention against a count token by token, and against full attention where all blocks are picked."""

import random

import pytest

from counted import seen
from formula_eval import Formulas
from formula_eval.records.givens import Question
from samples import samples

WORDS = ("block_tokens", "blocks", "score_tokens")
PASS = {"phase": "prefill", "batch": 1, "mixed_prefill_tokens": 0}


def counted(new: int, past: int, block: int, blocks: int, stride: int) -> tuple[int, int]:
    """Pairs and scored means of `new` tokens after `past` ones, one token after the other."""
    places = range(past, past + new)
    pairs = sum(min(place // block, blocks - 1) * block + place % block + 1 for place in places)
    return pairs, sum(place // stride for place in places)


def test_pairs_are_those_of_each_token(formulas: Formulas) -> None:
    draw = random.Random(1)
    evaluator = formulas.evaluator
    names = ["block_sparse.pass_pairs", "block_sparse.pass_scored", "block_sparse.pass_read_tokens"]
    program = evaluator.program(names)
    for _ in seen(range(samples(30))):
        past, new = draw.randint(0, 300), draw.randint(1, 300)
        sizes = draw.randint(1, 40), draw.randint(1, 12), draw.randint(1, 40)
        stated = {f"block_sparse.{word}": size for word, size in zip(WORDS, sizes, strict=True)}
        stated |= {**PASS, "prompt": past + new, "cached": past}
        found = program.evaluate(evaluator.givens(Question({"model": "minicpm4.1-8b"}, stated)).values)
        pairs, scored = counted(new, past, *sizes)
        assert [found[name] for name in names] == [pairs, scored, min(past + new, pairs)], stated


@pytest.mark.parametrize("phase", ["prefill", "decode"])
def test_all_blocks_are_full_attention_and_the_scores(phase: str, formulas: Formulas) -> None:
    evaluator = formulas.evaluator
    names = ["operators.pass_flops", "params.total", "operators.pass_operators.block_scores.flops"]
    program = evaluator.program(names)
    stated = {"phase": phase, "prompt": 9000, "cached": 700, "batch": 3, "tp": 2}
    found = [
        program.evaluate(evaluator.givens(Question({"model": "minicpm4.1-8b"}, {**stated, **more})).values)
        for more in ({"block_sparse.blocks": 200}, {"layer_kinds.1.mixer": "full"}, {})
    ]
    whole, full, picked = ([each[name] for name in names] for each in found)
    assert whole[0] - 32 * whole[2] == pytest.approx(full[0], rel=1e-12)
    assert whole[1] == full[1] == picked[1]
    assert picked[0] < whole[0]
