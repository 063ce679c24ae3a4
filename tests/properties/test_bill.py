"""What a request costs, by what a month costs: what is paid is what is used, quiet hours and idle time included."""

import pytest
from hypothesis import given, settings, strategies as st

from formula_eval import Formulas

BILL = ("usd_per_request", "requests_per_month", "usd_per_user_month", "fleet_bill_per_month")
NAMES = [f"inference.{each}" for each in BILL]


def values(formulas: Formulas, names: list[str], **givens: object) -> list[float]:
    result = formulas.evaluate(only=names, model="llama3.1-8b", hardware="h100-sxm", **givens)
    return [float(result[name].value) for name in names]


LOADS = st.fixed_dictionaries(
    {
        "users": st.integers(100, 20_000),
        "questions_per_day": st.integers(1, 40),
        "hours_per_day": st.integers(1, 24),
        "peak_to_mean": st.floats(1, 4),
        "serving_replicas": st.integers(1, 8),
        "electricity_price": st.sampled_from(["0 USD/kWh", "0.3 USD/kWh"]),
    }
)


@settings(max_examples=25)
@given(load=LOADS)
def test_requests_pay_the_bill_of_a_month(load, formulas: Formulas):
    users, questions, replicas = load["users"], load["questions_per_day"], load["serving_replicas"]
    asked = {"tp": 2, "price": "2 USD/hour", **load}
    names = [*NAMES, "inference.requests_per_second", "request_rate"]
    request, many, person, bill, finished, arriving = values(formulas, names, **asked)
    assert many == pytest.approx(users * questions * 730 / 24, rel=1e-9)
    assert person * users == pytest.approx(bill, rel=1e-9)
    busy = load["hours_per_day"] * 3600 / load["peak_to_mean"]
    assert arriving == pytest.approx(users * questions / busy, rel=1e-9)
    answered = min(1.0, finished * replicas / arriving)  # where more arrive than a server can finish
    assert request * many * answered == pytest.approx(bill, rel=1e-6)


@pytest.mark.parametrize("cached", [0, 300, 511])
def test_a_prompt_is_paid_once_and_less_where_it_is_cached(cached, formulas: Formulas):
    names = [f"inference.{each}" for each in ("usd_per_request", "prompt_usd_per_request", "uncached_usd_per_request")]
    whole, prompt, uncached = values(formulas, names, concurrency=32, prompt=512, cached=cached)
    assert 0 < prompt < whole <= uncached * (1 + 1e-12)
    assert (whole == uncached) is (cached == 0)


@settings(max_examples=25)
@given(load=LOADS, prompt=st.integers(1, 4000), cached=st.floats(0, 0.9), generated=st.integers(1, 800))
def test_tokens_in_and_out_pay_the_request(load, prompt, cached, generated, formulas: Formulas):
    asked = {"prompt": prompt, "cached": int(prompt * cached), "generated": generated, "price": "2 USD/hour", **load}
    parts = [f"inference.fleet_usd_per_million_{each}_tokens" for each in ("input", "output")]
    request, read, written = values(formulas, ["inference.usd_per_request", *parts], **asked)
    assert min(read, written) >= 0
    assert (read * (prompt - asked["cached"]) + written * generated) / 1e6 == pytest.approx(request, rel=1e-9)


@pytest.mark.parametrize("questions", [1, 12])
def test_a_person_pays_their_own_requests_where_nobody_says_how_many_there_are(formulas: Formulas, questions: int):
    names = ["inference.usd_per_user_month", "inference.usd_per_request", "month_length"]
    month, request, length = values(formulas, names, concurrency=4, questions_per_day=questions)
    assert month == pytest.approx(request * questions * length / 86400, rel=1e-9)
