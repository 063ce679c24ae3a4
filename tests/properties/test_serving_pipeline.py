"""Pipelines that serve: every stage works on a micro-batch of its own, so that depth costs no throughput."""

import pytest

from formula_eval import Formulas

FREE = {"link_latency": 0, "link_bandwidth": "1000000 TB/s", "memory_capacity": "100 TB"}
MODELS = {
    "llama3-70b": {"tp": 2},
    "gemma2-9b": {},
    "qwen3-30b-a3b": {"cached": 100},
    "mamba-2.8b": {},
}
DEPTHS = {"llama3-70b": (2, 4, 8), "gemma2-9b": (2, 3, 6), "qwen3-30b-a3b": (2, 8), "mamba-2.8b": (2, 4)}


def values(formulas: Formulas, names: tuple[str, ...], **givens: object) -> list[float]:
    result = formulas.evaluate(only=list(names), **{"hardware": "h100-sxm", "prompt": 2000, "generated": 200, **givens})
    return [float(result[name].value) for name in names]


@pytest.mark.parametrize("model", MODELS)
def test_depth_costs_nothing_but_the_hand_overs(model, formulas):
    """With links that take no time each accelerator gives as many tokens in a pipeline as alone."""
    names = ("inference.saturated_tokens_per_second_per_gpu", "inference.saturated_step_time")
    givens = {**FREE, **MODELS[model], "model": model}
    shallow, step = values(formulas, names, **givens, max_sequences=16)
    for pp in DEPTHS[model]:
        deep, same = values(formulas, names, **givens, max_sequences=16 * pp, pp=pp)
        assert deep == pytest.approx(shallow, rel=1e-9)
        assert same == pytest.approx(step, rel=1e-9)


@pytest.mark.parametrize("model", MODELS)
def test_hand_overs_are_all_that_a_step_gains(model, formulas):
    names = ("inference.saturated_step_time", "inference.shared_prefill_time")
    givens = {**MODELS[model], "model": model, "memory_capacity": "100 TB"}
    step, prefill = values(formulas, names, **givens, max_sequences=16)
    for pp in DEPTHS[model]:
        longer, shared = values(formulas, names, **givens, max_sequences=16 * pp, pp=pp)
        handed = values(formulas, ("communication.pipeline_time",), **givens, batch=16, pp=pp, phase="decode")[0]
        assert longer == pytest.approx(step + handed, rel=1e-9)
        assert prefill / pp < shared < 1.1 * prefill / pp


@pytest.mark.parametrize("clients", [1, 3])
def test_fewer_sequences_than_stages_leave_stages_idle(clients, formulas):
    """A sequence is in one stage at a time, so that a step lasts as long as it takes through all of them."""
    names = ("inference.running_batch", "inference.running_step_time")
    givens = {"model": "llama3-70b", "tp": 2, "pp": 4, **FREE}
    batch, step = values(formulas, names, **givens, concurrency=clients)
    assert batch == 1
    assert step == pytest.approx(values(formulas, names, **givens, concurrency=1)[1], rel=1e-12)


def test_uneven_stages_wait_for_the_largest(formulas):
    names = ("inference.saturated_step_time", "memory.stage_fraction")
    givens = {"model": "llama3-70b", "tp": 2, **FREE}
    even = values(formulas, names, **givens, max_sequences=16)[0]
    uneven, share = values(formulas, names, **givens, max_sequences=16 * 3, pp=3)
    assert share == 27 / 80
    assert uneven == pytest.approx(even * 3 * share, rel=1e-9)


@pytest.mark.parametrize("layout", [(8, 1), (4, 2), (1, 8)])
def test_energy_and_money_follow_the_rate(layout, formulas):
    tp, pp = layout
    names = (
        "inference.serving_tokens_per_second",
        "inference.serving_usd_per_million_output_tokens",
        "inference.serving_power",
        "inference.serving_joules_per_million_output_tokens",
        "inference.running_bandwidth_utilization",
        "power",
        "idle_power_fraction",
        "power_usage_effectiveness",
    )
    givens = {"model": "llama3-70b", "format": "fp8", "tp": tp, "pp": pp, "concurrency": 256, "price": "3.6 USD/hour"}
    rate, cost, power, energy, used, most, idle, effectiveness = values(formulas, names, **givens)
    assert cost == pytest.approx(1e6 / rate * 8 * 0.001)
    assert energy == pytest.approx(1e6 / rate * 8 * power * effectiveness)
    assert 0.05 < used < 1
    assert idle * most < power <= most
