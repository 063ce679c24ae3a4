"""A cap on the power of a board: what it slows, what it leaves, and what is drawn."""

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from formula_eval import FormulaError
from samples import samples

BOARDS = {"h100-sxm": 700, "a100-sxm-80gb": 400, "v100-sxm-32gb": 300, "b200-sxm": 1000, "mi300x": 750}
NAMES = [
    "operators.capped_clock",
    "inference.ttft",
    "inference.tpot",
    "inference.serving_power",
    "operators.board_power",
]


@settings(max_examples=samples(30), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    hardware=st.sampled_from([*BOARDS]),
    shares=st.tuples(st.floats(0.31, 1.2), st.floats(0.31, 1.2)),
    concurrency=st.sampled_from([1, 64]),
)
def test_less_power_is_never_faster(formulas, hardware, shares, concurrency):
    asked = {"model": "llama2-7b", "hardware": hardware, "concurrency": concurrency, "prompt": 2000}
    low, high = (
        [float(found[name].value) for name in NAMES]
        for share in sorted(shares)
        for found in [formulas.evaluate(only=NAMES, **asked, power_limit=f"{share * BOARDS[hardware]} W")]
    )
    assert 0 < low[0] <= high[0] <= 1
    assert low[1] >= high[1]
    assert low[2] >= high[2]
    assert low[3] <= low[4] <= BOARDS[hardware] * (1 + 1e-12)


LOADS = [{"concurrency": 1}, {"concurrency": 64}, {"concurrency": 400}, {"request_rate": "0.5 request/s"}]
DRAWN = [
    "inference.serving_power",
    "inference.serving_tokens_per_second",
    "operators.capped_power",
    "inference.prefill_share",
]


@settings(max_examples=samples(30), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    hardware=st.sampled_from([*BOARDS]),
    shares=st.tuples(st.floats(0.31, 1.2), st.floats(0.31, 1.2)),
    load=st.sampled_from(LOADS),
    prompt=st.sampled_from([100, 2000]),
)
def test_a_lower_cap_draws_less(formulas, hardware, shares, load, prompt):
    asked = {"model": "llama2-7b", "hardware": hardware, "prompt": prompt, **load}
    low, high = (
        [float(found[name].value) for name in DRAWN]
        for share in sorted(shares)
        for found in [formulas.evaluate(only=DRAWN, **asked, power_limit=f"{share * BOARDS[hardware]} W")]
    )
    assert low[0] <= high[0] * (1 + 1e-9)
    assert low[2] * low[3] / low[1] <= high[2] * high[3] / high[1] * (1 + 1e-9)  # what prefills draw, for a token


RUN = ["training.mean_power", "training.step_time", "operators.idle_power"]


@settings(max_examples=samples(30), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    hardware=st.sampled_from([*BOARDS]),
    shares=st.tuples(st.floats(0.31, 1.2), st.floats(0.31, 1.2)),
    micro_batches=st.sampled_from([1, 8]),
)
def test_a_lower_cap_draws_less_in_training(formulas, hardware, shares, micro_batches):
    asked = {"model": "llama2-7b", "hardware": hardware, "tp": 4, "micro_batches": micro_batches, "dp": 2}
    low, high = (
        [float(found[name].value) for name in RUN]
        for share in sorted(shares)
        for found in [formulas.evaluate(only=RUN, **asked, power_limit=f"{share * BOARDS[hardware]} W")]
    )
    assert low[0] <= high[0] * (1 + 1e-9)


def test_a_cap_at_the_board_power_changes_nothing(formulas):
    asked = {"model": "llama2-7b", "hardware": "h100-sxm", "only": NAMES, "concurrency": 8}
    free, capped = (formulas.evaluate(**asked, **more) for more in ({}, {"power_limit": "700 W"}))
    assert [free[name].value for name in NAMES] == [capped[name].value for name in NAMES]


@pytest.mark.parametrize(
    ("hardware", "cap", "says"),
    [("h100-sxm", "200 W", "computes nothing"), ("tpu-v6e", "100 W", "Nobody states the power")],
)
def test_a_cap_without_an_effect_is_refused(hardware, cap, says, formulas):
    with pytest.raises(FormulaError) as refused:
        formulas.evaluate(model="llama2-7b", hardware=hardware, power_limit=cap, only=["operators.capped_clock"])
    assert says in str(refused.value)
