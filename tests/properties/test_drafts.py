"""Speculative decoding in a server: what drafts takes memory and time, and verifying is work like any other."""

from itertools import pairwise

import pytest

from formula_eval import Formulas

ASKED = {"model": "llama3.1-70b", "hardware": "h100-sxm", "tp": 8, "prompt": 1000, "generated": 200}
SMALL = {"drafter": "separate_model", "draft_model": "llama3.1-8b"}
DRAFTERS = {
    "separate_model": SMALL,
    "own_layer": {"drafter": "own_layer"},
    "eagle": {"drafter": "eagle"},
    "lookup": {"drafter": "lookup"},
}


def values(formulas: Formulas, names: tuple[str, ...], **givens: object) -> list[float]:
    result = formulas.evaluate(only=list(names), **{**ASKED, **givens})
    return [float(result[name].value) for name in names]


def value(formulas: Formulas, name: str, **givens: object) -> float:
    return values(formulas, (name,), **givens)[0]


def test_a_draft_model_takes_what_it_takes_alone(formulas):
    """Weights and cache of the smaller model, as it would have them as a server of its own."""
    names = ("memory.resident_weights_bytes", "memory.cache_bytes", "memory.total_bytes")
    plain = values(formulas, names)
    both = values(formulas, names, drafted_tokens=4, **SMALL)
    alone = values(formulas, names, model="llama3.1-8b")
    assert both[0] - plain[0] == pytest.approx(alone[0])
    assert both[1] - plain[1] == pytest.approx(alone[1])
    assert both[2] - plain[2] == pytest.approx(alone[0] + alone[1])


@pytest.mark.parametrize("drafter", DRAFTERS)
def test_nothing_drafted_changes_nothing(drafter, formulas):
    names = (
        "memory.total_bytes",
        "memory.running_capacity",
        "inference.serving_tokens_per_second",
        "inference.serving_ttft",
        "inference.saturated_tokens_per_second",
        "inference.chunked_tpot",
    )
    none = {**DRAFTERS[drafter], "drafted_tokens": 0}
    assert values(formulas, names, concurrency=64) == values(formulas, names, concurrency=64, **none)


@pytest.mark.parametrize("drafter", DRAFTERS)
def test_what_drafts_leaves_less_room(drafter, formulas):
    names = ("memory.largest_batch", "memory.running_capacity", "memory.largest_context", "memory.room_bytes")
    given = {"max_context": 10_000_000, "batch": 4}
    before = values(formulas, names, **given)
    after = values(formulas, names, **given, drafted_tokens=4, **DRAFTERS[drafter])
    if drafter == "lookup":
        assert before == after
    else:
        assert all(x > y for x, y in zip(before, after, strict=True))


@pytest.mark.parametrize("drafter", DRAFTERS)
def test_a_fuller_server_gains_less_by_drafts(drafter, formulas):
    """Alone a step waits for weights, and verified tokens read the same ones; a full batch waits for arithmetic."""
    name = "inference.running_step_time"
    gains = []
    for clients in (1, 16, 64, 256, 320):  # further ones wait where steps verify drafts
        plain = value(formulas, name, concurrency=clients)
        gains.append(plain / value(formulas, name, concurrency=clients, drafted_tokens=4, **DRAFTERS[drafter]))
    assert all(y <= x * (1 + 1e-9) for x, y in pairwise(gains))
    assert gains[0] == pytest.approx(
        value(formulas, "inference.speculative_gain", drafted_tokens=4, **DRAFTERS[drafter]), rel=1e-6
    )
    assert gains[-1] < 0.6 * gains[0]
    assert gains[0] > 1


@pytest.mark.parametrize("drafter", DRAFTERS)
def test_money_and_energy_follow_the_rate(drafter, formulas):
    names = (
        "inference.serving_tokens_per_second",
        "inference.serving_usd_per_million_output_tokens",
        "inference.serving_power",
        "inference.serving_joules_per_million_output_tokens",
    )
    given = {"concurrency": 8, "price": "3.6 USD/hour", "power_usage_effectiveness": 1.2}
    rate, cost, power, energy = values(formulas, names, **given, drafted_tokens=3, **DRAFTERS[drafter])
    assert rate > values(formulas, names, **given)[0]
    assert cost == pytest.approx(1e6 / rate * 8 * 0.001)
    assert energy == pytest.approx(1e6 / rate * 8 * power * 1.2)


def test_drafts_are_accepted_as_their_kind_is(formulas):
    """Looking up is accepted least, a layer that was trained along with the model most."""
    name = "inference.expected_tokens"
    order = ("lookup", "separate_model", "eagle", "own_layer")
    tokens = [value(formulas, name, drafted_tokens=3, **DRAFTERS[each]) for each in order]
    assert tokens == sorted(tokens)
    assert tokens[0] == pytest.approx(1 + 0.4 + 0.16 + 0.064)


def test_later_drafts_are_accepted_less_often(formulas):
    """What llama.cpp printed by position; the sum over all tokens; one chance for all where none is said."""
    name, drafts = "inference.expected_tokens", {"drafter": "eagle", "drafted_tokens": 3, "acceptance_rate": 0.805}
    behind = 0.483 / 0.632, 0.632 / 0.805
    printed = 1 + 0.805 + 0.632 + 0.483
    assert value(formulas, name, **drafts, later_acceptance_rate=sum(behind) / 2) == pytest.approx(printed, rel=5e-3)
    for later in (0, 0.3, 0.805, 1):
        expected = 1 + 0.805 * (1 + later + later**2)
        assert value(formulas, name, **drafts, later_acceptance_rate=later) == pytest.approx(expected)
    assert value(formulas, name, **drafts) == pytest.approx((1 - 0.805**4) / (1 - 0.805))
