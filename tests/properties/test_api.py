"""Own accelerators against an API: at break-even both cost the same, and on either side of it one is cheaper."""

import pytest
from hypothesis import given, settings, strategies as st

from formula_eval import Formulas

NAMES = [
    f"inference.{each}"
    for each in ("own_over_api", "break_even_request_rate", "fleet_bill_per_month", "api_usd_per_month")
]

ASKED = st.fixed_dictionaries(
    {
        "prompt": st.integers(100, 3000),
        "generated": st.integers(10, 400),
        "cached": st.integers(0, 90),
        "hours_per_day": st.integers(1, 24),
        "peak_to_mean": st.floats(1, 4),
        "serving_replicas": st.integers(1, 4),
        "api_usd_per_million_input_tokens": st.floats(0.5, 5).map(lambda usd: f"{usd} USD"),
        "api_usd_per_million_cached_tokens": st.floats(0, 0.5).map(lambda usd: f"{usd} USD"),
        "api_usd_per_million_output_tokens": st.floats(0.5, 20).map(lambda usd: f"{usd} USD"),
    }
)


def values(formulas: Formulas, rate: float, **asked: object) -> list[float]:
    given_ = {"model": "llama3.1-8b", "hardware": "h100-sxm", "price": "2 USD/hour", "request_rate": rate, **asked}
    result = formulas.evaluate(only=NAMES, **given_)
    return [float(result[name].value) for name in NAMES]


@settings(max_examples=20)
@given(asked=ASKED)
def test_both_cost_the_same_at_break_even(asked, formulas: Formulas):
    _, even, _, _ = values(formulas, 1, **asked)
    ratio, again, bill, at_the_api = values(formulas, even, **asked)
    assert again == pytest.approx(even, rel=1e-9)  # rent does not depend on the rate
    assert bill == pytest.approx(at_the_api, rel=1e-9)
    sustained = formulas.evaluate(
        only=["inference.sustained_request_rate"], model="llama3.1-8b", hardware="h100-sxm", request_rate=even, **asked
    )["inference.sustained_request_rate"].value
    if even < sustained:
        assert ratio == pytest.approx(1, rel=1e-9)
        fewer, more = (values(formulas, even * share, **asked)[0] for share in (0.5, 1.01))
        assert fewer == pytest.approx(2, rel=1e-9)
        assert more < 1 or even * 1.01 > sustained
    else:
        assert ratio > 1


@pytest.mark.parametrize(("cached", "usd"), [(0, 1.4e-3), (400, 1.04e-3)])
def test_what_the_cache_holds_is_charged_as_such(cached, usd, formulas: Formulas):
    prices = {"input": 1, "cached": 0.1, "output": 2}
    stated = {f"api_usd_per_million_{kind}_tokens": f"{each} USD" for kind, each in prices.items()}
    name = "inference.api_usd_per_request"
    result = formulas.evaluate(only=[name], model="llama3.1-8b", prompt=1000, generated=200, cached=cached, **stated)
    assert result[name].value == pytest.approx(usd)


@pytest.mark.parametrize(("usd", "told"), [("0.01 USD", True), ("5 USD", False), (None, False)])
def test_an_api_that_no_rate_beats_is_told(usd, told, formulas: Formulas):
    asked = {"api_usd_per_million_input_tokens": usd, "api_usd_per_million_output_tokens": usd} if usd else {}
    result = formulas.evaluate(model="llama3.1-8b", hardware="h100-sxm", request_rate=1, **asked)
    assert ("inference.api_beaten_at_some_rate" in [each.name for each in result.checks if not each.ok]) is told
