"""Servers whose accelerators share the tokens of a sequence: what is shared adds up to the whole."""

import math

import pytest

from formula_eval import FormulaError, Formulas

MODELS = {
    "llama3-70b": {"tp": 16, "decode_cp": 2},
    "gemma2-9b": {"tp": 16, "decode_cp": 2},
    "deepseek-v3": {"tp": 8, "decode_cp": 8, "weight_bits": 8},
    "deepseek-v3.2": {"tp": 8, "decode_cp": 4, "weight_bits": 8},
    "qwen3-30b-a3b": {"tp": 8, "decode_cp": 2},
}
WIRED = {"gpus_per_node": 64, "hardware": "h200-sxm", "prompt": 100_000, "generated": 500, "batch": 4}
FREE = {"link_latency": 0, "link_hop_latency": 0, "link_half_bytes": 0, "link_bandwidth": "1000000 TB/s"}


def values(formulas: Formulas, names: tuple[str, ...], model: str, **givens: object) -> list[float]:
    stated = {key: each for key, each in MODELS[model].items() if key != "decode_cp"}
    result = formulas.evaluate(only=list(names), model=model, max_context=10**7, **{**WIRED, **stated, **givens})
    return [float(result[name].value) for name in names]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("shared", ["cp", "decode_cp"])
def test_what_each_keeps_adds_up_to_the_cache_of_one(model, shared, formulas):
    """A whole number of pages apart, which a sequence of so many tokens fills."""
    names = ("memory.kv_bytes_per_token", "memory.kv_cache_bytes", "memory.weights_bytes")
    one = values(formulas, names, model)
    shares = MODELS[model]["decode_cp"] if shared == "decode_cp" else 4
    each = values(formulas, names, model, **{shared: shares})
    assert [x * shares for x in each[:2]] == pytest.approx(one[:2], rel=1e-12)
    assert each[2] == one[2]


@pytest.mark.parametrize("model", MODELS)
def test_sharing_makes_room(model, formulas):
    names = ("memory.largest_batch", "memory.running_capacity")
    one = values(formulas, names, model)
    for shared in ({"cp": 2}, {"decode_cp": MODELS[model]["decode_cp"]}):
        more = values(formulas, names, model, **shared)
        assert all(y >= 1.9 * x for x, y in zip(one, more, strict=True))


@pytest.mark.parametrize("model", MODELS)
def test_work_is_dealt_and_not_lost(model, formulas):
    """A group that shares prompts computes what one would; a group that shares a cache computes the same pairs."""
    names = ("operators.pass_flops", "operators.pass_operators.attention_core.flops", "operators.pass_tokens")
    one = values(formulas, names, model, phase="prefill")
    four = values(formulas, names, model, phase="prefill", cp=4)
    assert four[2] * 4 == one[2]
    assert four[1] * 4 == pytest.approx(one[1], rel=1e-12)
    # All take the last token through the output matrix, and expand the latents that they gathered, unless they absorb.
    for row in ("lm_head", "latent_expansion"):
        cells = tuple(f"operators.pass_operators.{row}.{column}" for column in ("count", "flops"))
        alone, dealt = (math.prod(values(formulas, cells, model, phase="prefill", cp=each)) for each in (1, 4))
        assert dealt in (alone, alone / 4)
        if dealt == alone:
            one[0], four[0] = one[0] - alone, four[0] - dealt
    assert four[0] * 4 == pytest.approx(one[0], rel=1e-12)
    core = names[1]
    shared = MODELS[model]["decode_cp"]
    alone, dealt = (values(formulas, (core,), model, phase="decode", decode_cp=each)[0] for each in (1, shared))
    assert alone == dealt


@pytest.mark.parametrize("model", MODELS)
def test_a_long_prompt_is_read_sooner_and_its_cache_faster(model, formulas):
    names = ("inference.prefill_time", "operators.cache_read_time")
    prefill, read = values(formulas, names, model, phase="decode", **FREE)
    sooner, faster = values(formulas, names, model, phase="decode", cp=4, **FREE)
    assert prefill / 4 <= sooner < prefill / 2
    assert read / 4 <= faster * (1 + 1e-9)
    assert faster < read
    dealt = values(formulas, names[1:], model, phase="decode", decode_cp=MODELS[model]["decode_cp"], **FREE)[0]
    assert dealt < read


@pytest.mark.parametrize("model", MODELS)
def test_what_is_shared_is_exchanged(model, formulas):
    name = "communication.context_time"
    for phase in ("prefill", "decode"):
        assert values(formulas, (name,), model, phase=phase) == [0]
        twice = [values(formulas, (name,), model, phase=phase, cp=each)[0] for each in (2, 8)]
        assert 0 < twice[0] < twice[1]
    assert values(formulas, (name,), model, phase="decode", decode_cp=MODELS[model]["decode_cp"])[0] > 0


@pytest.mark.parametrize("model", ["llama3-70b", "deepseek-v3"])
def test_prices_count_all_accelerators(model, formulas):
    names = ("inference.replica_gpus", "inference.tokens_per_second", "inference.tokens_per_second_per_gpu")
    gpus, rate, each = values(formulas, names, model, cp=4)
    assert gpus == 4 * MODELS[model]["tp"]
    assert rate == pytest.approx(gpus * each)


@pytest.mark.parametrize(
    ("model", "tp", "shares"), [("llama3-70b", 8, 2), ("llama3-70b", 16, 4), ("deepseek-v3", 8, 3)]
)
def test_only_copies_can_be_shared(model, tp, shares, formulas):
    with pytest.raises(FormulaError, match="decode_cp = "):
        values(formulas, ("inference.ttft",), model, tp=tp, decode_cp=shares)
