"""The bound by which a plan leaves out accelerators: no layout that keeps its targets has fewer, or costs less."""

from hypothesis import HealthCheck, assume, given, reject, settings, strategies as st

from formula_eval import FormulaError
from formula_eval.analyse.plan.turns import turns
from samples import samples

_LEAST = [
    "inference.least_fleet_gpus",
    "inference.fleet_gpus",
    "inference.least_ranked_cost",
    "inference.ranked_fleet_cost",
]
_FULL = ["inference.most_requests_per_second", "arrivals.output_token_p95", "memory.running_capacity"]
_MODELS = ["llama3.1-8b", "llama3.3-70b", "qwen3-30b-a3b", "gpt-oss-120b", "deepseek-v2-lite", "gemma3-27b"]
_BOARDS = ["h100-sxm", "rtx-4090", "l40s", "mi300x", "a100-sxm-80gb", "t4", "b200-sxm", "tpu-v5e"]


@settings(max_examples=samples(100), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    layout=st.fixed_dictionaries(
        {
            "model": st.sampled_from(_MODELS),
            "hardware": st.sampled_from(_BOARDS),
            "number_format": st.sampled_from(["bf16", "fp8", "int4-a16"]),
            "tp": st.sampled_from([1, 2, 4, 8]),
            "pp": st.sampled_from([1, 1, 2]),
            "prompt": st.sampled_from([128, 1000, 8000]),
            "cached_share": st.sampled_from([0, 0, 0.5]),
            "generated": st.sampled_from([2, 100, 1000]),
            "serving_replicas": st.sampled_from([1, 3, 20]),
        }
    ),
    share=st.floats(0.05, 0.99),
)
def test_no_layout_takes_less_than_the_least(layout, share, formulas):
    """The load is a share of what the layout can do, and the target what it just keeps."""
    cached = int(layout["prompt"] * layout["cached_share"])
    asked = {name: value for name, value in layout.items() if name != "cached_share"} | {
        "cached": cached,
        "price": "2 USD/hour",
    }
    try:
        full = formulas.evaluate(only=_FULL[:1], **asked, request_rate="0.001 request/s")
        rate = share * float(full[_FULL[0]]) * asked["serving_replicas"]
        assume(rate > 0)
        asked["request_rate"] = f"{rate} request/s"
        kept = formulas.evaluate(only=_FULL, **asked)
        assume(float(kept["memory.running_capacity"]) >= 1)
        asked["tpot_target"] = f"{float(kept['arrivals.output_token_p95']) * 1.001} s"
        found = formulas.evaluate(only=_LEAST, **asked)
    except FormulaError:
        reject()
    least, gpus, least_cost, cost = (float(found[name]) for name in _LEAST)
    assert least <= gpus
    assert not least_cost > cost * (1 + 1e-9)


def test_what_is_beaten_comes_last_and_takes_no_time_from_others(monkeypatch):
    """A clock that goes on by three seconds in each turn, of ten: the one that is beaten meanwhile is not reached."""
    now = [100.0]
    monkeypatch.setattr("formula_eval.analyse.plan.turns.monotonic", lambda: now[0])
    seen, shares = [], []
    for name, seconds in turns("abcd", 110.0, beaten=lambda name: seen and name == "b"):
        seen.append(name)
        shares.append(seconds)
        now[0] += 3
    assert seen == ["a", "c", "d", "b"]
    assert shares == [10 / 4, 5.5 / 2, 2.5, 0]
