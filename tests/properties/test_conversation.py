"""A conversation turn by turn: its mean prompt, what is cached and the spread are those of the list of its turns."""

import statistics

import pytest
from hypothesis import given, strategies as st

from formula_eval import Formulas

TOKENS = st.integers(1, 5000)
NAMES = ["mixture.turn_prompt", "mixture.turn_cached", "mixture.turn_spread"]


@given(turns=st.integers(1, 60), asked=TOKENS, answered=TOKENS, shared=st.integers(0, 5000))
def test_its_means_are_those_of_its_turns(
    formulas: Formulas, turns: int, asked: int, answered: int, shared: int
) -> None:
    before = [shared + turn * (asked + answered) for turn in range(turns)]
    prompts = [each + asked for each in before]
    found = formulas.evaluate(
        only=NAMES,
        model="gpt2",
        conversation_turns=turns,
        turn_tokens=asked,
        generated=answered,
        shared_prefix=shared,
        max_context=10_000_000,
    )
    prompt, cached, spread = (found[each].value for each in NAMES)
    assert prompt == pytest.approx(statistics.fmean(prompts))
    assert cached == pytest.approx(statistics.fmean(before))
    assert spread == pytest.approx(statistics.pstdev(prompts) / prompt, abs=1e-12)
    assert prompt - cached == pytest.approx(asked)


def test_a_conversation_costs_what_its_turns_do(formulas: Formulas) -> None:
    asked = {"model": "llama3.1-8b", "hardware": "h100-sxm", "concurrency": 8, "price": "2 USD/hour"}
    turns = {"conversation_turns": 6, "turn_tokens": 50, "generated": 200, "shared_prefix": 300}
    whole = formulas.evaluate(only=["inference.usd_per_conversation", "prompt", "cached"], **asked, **turns)
    assert (whole["prompt"].value, whole["cached"].value) == (300 + 50 + 2.5 * 250, 300 + 2.5 * 250)
    mean = {"prompt": whole["prompt"].value, "cached": whole["cached"].value, "generated": 200}
    one = formulas.evaluate(only=["inference.usd_per_request"], **asked, **mean)
    assert whole["inference.usd_per_conversation"].value == pytest.approx(6 * one["inference.usd_per_request"].value)
