"""What is said to fit does, and nothing larger would: batches, contexts and beams."""

from random import Random

import pytest

from formula_eval import Formulas
from samples import samples

MODELS = (
    "llama2-7b",
    "llama3.1-405b",
    "gemma2-9b",
    "mistral-7b-v0.1",
    "mamba-130m",
    "jamba-v0.1",
    "gpt2",
    "deepseek-v3",
)
HARDWARE = ("xeon-8480", "a100-sxm-40gb", "h200-sxm", "mi300x")


def drawn(seed: int) -> dict[str, object]:
    """A server, its prompts and its beams."""
    draw = Random(seed)
    return {
        "model": draw.choice(MODELS),
        "hardware": draw.choice(HARDWARE),
        "tp": draw.choice((1, 2, 4, 8)),
        "pp": draw.choice((1, 1, 4, 8)),
        "prompt": draw.choice((1, 15, 16, 100, 513, 3000)),
        "generated": draw.choice((1, 2, 17, 400)),
        "beams": draw.choice((1, 1, 2, 4)),
        "max_sequences": draw.choice((16, 256, 2048)),
        "chunk_tokens": draw.choice((256, 8192)),
    }


def values(formulas: Formulas, names: list[str], **givens: object) -> list[float]:
    result = formulas.evaluate(only=names, **{"max_context": 10_000_000, **givens})
    return [float(result[name].value) for name in names]


@pytest.mark.parametrize("seed", range(samples(60)))
def test_the_largest_batch_is_the_largest_that_fits(seed, formulas):
    givens = drawn(seed)
    (most,) = values(formulas, ["memory.largest_batch"], **givens)
    if most > 0:
        assert values(formulas, ["memory.fits"], batch=int(most), **givens) == [1]
    if most < 10_000_000:
        assert values(formulas, ["memory.fits"], batch=int(most) + 1, **givens) == [0]


@pytest.mark.parametrize("seed", range(samples(60)))
def test_the_largest_context_fits_beside_its_beams(seed, formulas):
    givens = drawn(seed)
    (longest,) = values(formulas, ["memory.largest_context"], batch=3, **givens)
    generated = int(longest) - int(givens["prompt"])
    if generated >= 1:
        assert values(formulas, ["memory.fits"], batch=3, **{**givens, "generated": generated}) == [1]


@pytest.mark.parametrize("model", ["llama2-7b", "gemma2-9b", "jamba-v0.1"])
def test_longer_prompts_and_more_beams_take_no_less(model, formulas):
    """Beams write into copies of the page that the prompt fills in part: across a page nothing gets cheaper."""
    for beams in (1, 2, 4):
        found = [
            values(formulas, ["memory.cache_bytes"], model=model, prompt=each, generated=1, beams=beams)[0]
            for each in range(500, 530)
        ]
        assert found == sorted(found)
    one, four = (
        values(formulas, ["memory.cache_bytes"], model=model, prompt=513, generated=1, beams=each)[0] for each in (1, 4)
    )
    assert four > one
