"""What must hold of serving whatever the numbers: limits, order, and parts that add up."""

from itertools import pairwise

import pytest

from counted import seen
from formula_eval import Formulas

MODELS = {
    "llama2-70b": {"tp": 8},
    "gemma2-9b": {},
    "mixtral-8x7b": {"tp": 8, "ep": 8},
    "deepseek-v3": {"tp": 4, "attention_dp": 2, "ep": 8, "weight_bits": 8},
    "mamba-2.8b": {},
    "jamba-v0.1": {"tp": 4},
    "t5-base": {},
    "longcat-flash-560b": {"tp": 8, "attention_dp": 2, "ep": 16},
}
TIMES = ("inference.ttft", "inference.tpot", "inference.latency")


def values(formulas: Formulas, names: tuple[str, ...], model: str, **givens: object) -> list[float]:
    result = formulas.evaluate(only=list(names), model=model, hardware="h200-sxm", **{**MODELS[model], **givens})
    return [float(result[name].value) for name in names]


def value(formulas: Formulas, name: str, model: str, **givens: object) -> float:
    return values(formulas, (name,), model, **givens)[0]


@pytest.mark.parametrize("model", MODELS)
def test_a_step_is_kernels_exchange_and_host(model, formulas):
    names = (
        "inference.decode_time",
        "inference.decode_cache_fraction",
        "inference.decode_communication_fraction",
        "inference.decode_fixed_fraction",
        "inference.decode_gemm_fraction",
    )
    _, *shares = values(formulas, names, model, batch=4)
    assert sum(shares) == pytest.approx(1)
    assert all(0 <= each <= 1 for each in shares)
    waits = values(
        formulas,
        (
            "operators.compute_bound_time",
            "operators.memory_bound_time",
            "operators.fixed_time",
            "operators.operators_time",
            "communication.pass_time",
            "inference.pass_time",
        ),
        model,
        batch=4,
        phase="decode",
    )
    assert sum(waits[:3]) == pytest.approx(waits[3])
    assert waits[3] + waits[4] == pytest.approx(waits[5])


@pytest.mark.parametrize("model", MODELS)
def test_one_accelerator_sends_nothing(model, formulas):
    givens = {"tp": 1, "attention_dp": 1, "ep": 1, "pp": 1, "batch": 4}
    for phase in ("prefill", "decode"):
        assert value(formulas, "communication.pass_time", model, phase=phase, **givens) == 0


@pytest.mark.parametrize("model", MODELS)
def test_memory_is_its_parts(model, formulas):
    whole, weights, cache, reserved = values(
        formulas,
        ("memory.total_bytes", "memory.resident_weights_bytes", "memory.cache_bytes", "memory.reserved_bytes"),
        model,
        batch=4,
    )
    assert weights + cache + reserved == pytest.approx(whole)
    total, params = values(formulas, ("memory.weights_bytes", "params.total"), model, tp=1, attention_dp=1, ep=1)
    assert total == pytest.approx(params * (1 if "weight_bits" in MODELS[model] else 2), rel=2e-2)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("grown", ["batch", "prompt", "step_context"])
def test_more_takes_longer(model, grown, formulas):
    names = ("inference.decode_time",) if grown == "step_context" else (*TIMES, "memory.total_bytes")
    steps = [values(formulas, names, model, **{grown: each}) for each in (1, 2, 16, 100, 3000)]
    for before, after in seen(pairwise(steps)):
        assert all(x <= y * (1 + 1e-12) for x, y in zip(before, after, strict=True)), (before, after)


@pytest.mark.parametrize("model", MODELS)
def test_a_larger_batch_gives_more_tokens(model, formulas):
    rates = [
        value(formulas, "inference.tokens_per_second", model, batch=each, generated=512) for each in (1, 4, 16, 64, 256)
    ]
    assert rates == sorted(rates)


@pytest.mark.parametrize("model", MODELS)
def test_little_holds_in_a_closed_loop(model, formulas):
    names = (
        "inference.running",
        "inference.requests_per_second",
        "inference.residence_time",
        "inference.waiting_time",
        "inference.replica_gpus",
    )
    for clients in (1, 7, 3000):
        running, rate, stay, wait, _ = values(formulas, names, model, concurrency=clients, prompt=1000)
        groups = MODELS[model].get("attention_dp", 1)
        assert rate * stay == pytest.approx(groups * running)
        assert rate * (stay + wait) == pytest.approx(groups * clients)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("load", [{"concurrency": 48}, {"concurrency": 9000}, {"request_rate": "3/s"}])
def test_a_server_holds_what_runs_and_fits_if_one_request_does(model, load, formulas):
    names = (
        "inference.serving_bytes",
        "memory.usable_bytes",
        "inference.serving_fits",
        "inference.running",
        "memory.running_sequence_bytes",
        "memory.resident_weights_bytes",
    )
    alone = {"concurrency": 1, "prompt": 2000, "shared_prefix": 1000}
    with_one = values(formulas, names, model, **alone)[0]
    for capacity in ("30 GB", "141 GB"):
        given = {**load, "prompt": 2000, "shared_prefix": 1000, "memory_capacity": capacity, "chunk_tokens": 2000}
        held, usable, fits, running, sequence, weights = values(formulas, names, model, **given)
        assert fits == (held <= usable)
        assert held == pytest.approx(with_one + (running - 1) * sequence, rel=0.02 if "concurrency" in load else 0.03)
        assert weights < held


@pytest.mark.parametrize("model", MODELS)
def test_a_server_of_one_client_holds_what_a_batch_of_one_does(model, formulas):
    asked = {"prompt": 2000, "generated": 48, "kept_output_share": 1}
    server, batch = values(formulas, ("inference.serving_bytes", "memory.total_bytes"), model, concurrency=1, **asked)
    assert server == pytest.approx(batch)


@pytest.mark.parametrize("engine", ["vllm", "sglang", "trtllm", "llama.cpp"])
@pytest.mark.parametrize("model", ["llama2-70b", "gemma2-9b", "mixtral-8x7b"])
def test_one_client_finds_an_idle_server(model, engine, formulas):
    names = ("inference.serving_ttft", "inference.ttft")
    loaded, idle = values(formulas, names, model, engine=engine, concurrency=1)
    assert loaded == pytest.approx(idle, rel=0.05)
    two, _ = values(formulas, names, model, engine=engine, concurrency=2)
    assert two > 1.05 * loaded


@pytest.mark.parametrize("model", MODELS)
def test_one_client_waits_for_nobody(model, formulas):
    names = ("inference.running_tpot", "inference.running_step_time", "inference.tpot", "inference.waiting_time")
    tpot, step, alone, wait = values(formulas, names, model, concurrency=1)
    assert wait == 0
    assert tpot == step == pytest.approx(alone)


@pytest.mark.parametrize("model", ["llama2-70b", "deepseek-v3", "mamba-2.8b"])
def test_no_drafts_change_nothing(model, formulas):
    gain, tpot, step = values(
        formulas,
        ("inference.speculative_gain", "inference.tpot", "inference.token_time@step_context=inference.mean_context"),
        model,
    )
    assert gain == pytest.approx(1)
    assert tpot == step
    better = [
        value(formulas, "inference.speculative_gain", model, drafted_tokens=4, drafter="lookup", acceptance_rate=each)
        for each in (0, 0.5, 0.9, 1)
    ]
    assert better == sorted(better)


def test_a_draft_model_is_another_model(formulas):
    asked = {"drafted_tokens": 4, "draft_model": "llama2-7b", "draft_tp": 1, "generated": 2}
    drafted = value(formulas, "inference.separate_draft_time", "llama2-70b", **asked)
    alone = formulas.evaluate(
        only="inference.decode_time", model="llama2-7b", hardware="h200-sxm", tp=1, prompt=512, step_context=512
    )["inference.decode_time"].value
    assert drafted == pytest.approx(float(alone), rel=1e-3)


def test_experts_spread_or_split_take_the_same_memory(formulas):
    spread = value(formulas, "memory.weights_bytes", "mixtral-8x7b", tp=8, ep=8)
    split = value(formulas, "memory.weights_bytes", "mixtral-8x7b", tp=8, ep=1)
    assert spread == split


def test_reading_from_a_host_that_is_fast_enough_costs_nothing(formulas):
    """The sum of the longer of computing and reading, step by step, against the closed form without offload."""
    name, fast = "inference.generation_time", {"host_link": "1000000 TB/s", "offloaded_weights": 1, "offloaded_kv": 1}
    for model in ("llama2-70b", "gemma2-9b", "mixtral-8x7b"):
        plain = value(formulas, name, model, prompt=4000)
        assert value(formulas, name, model, prompt=4000, **fast) == pytest.approx(plain, rel=1e-12)


@pytest.mark.parametrize(
    "stated",
    [
        {"offloaded_weights": 0.5},
        {"offloaded_kv": 1, "host_link": "1 GB/s"},
        {"drafted_tokens": 4, "drafter": "eagle"},
        {"served_adapters": 8, "lora_targets": "all_linear"},
        {"cached": 500, "prefix_host_hits": 1},
    ],
    ids=lambda each: next(iter(each)),
)
def test_what_is_stated_of_a_step_is_in_every_figure(stated, formulas):
    """Idle, under load, saturated, with arrivals, in money: none stays what it was without."""
    names = [
        "inference.latency",
        "inference.tokens_per_second",
        "inference.serving_latency",
        "inference.serving_tokens_per_second",
        "inference.saturated_tokens_per_second",
        "inference.serving_usd_per_million_output_tokens",
        "inference.usd_per_million_output_tokens",
    ]
    if "cached" in stated:
        names = ["inference.ttft", "inference.latency", "inference.serving_ttft", "inference.serving_latency"]
    asked = {"prompt": 1000, "concurrency": 16, "price": "2 USD/hour"}
    plain = values(formulas, names, "llama2-70b", **asked, **({"cached": 500} if "cached" in stated else {}))
    found = values(formulas, names, "llama2-70b", **asked, **stated)
    assert all(abs(y / x - 1) > 1e-4 for x, y in zip(plain, found, strict=True)), list(
        zip(names, plain, found, strict=True)
    )
    rate = {**asked, "concurrency": 64, "request_rate": "0.01 request/s"}
    (before,) = values(formulas, ["inference.serving_latency"], "llama2-70b", **rate)
    (after,) = values(formulas, ["inference.serving_latency"], "llama2-70b", **rate, **stated)
    assert abs(after / before - 1) > 1e-4


def test_offloading_never_makes_a_server_faster_or_cheaper(formulas):
    names = ("inference.serving_latency", "inference.serving_usd_per_million_output_tokens")
    asked = {"concurrency": 4, "price": "2 USD/hour", "memory_capacity": "400 GB"}
    found = [
        values(formulas, names, "llama2-70b", **asked, offloaded_weights=share) for share in (0, 0.01, 0.1, 0.5, 1)
    ]
    assert [sorted(column) for column in zip(*found, strict=True)] == [
        list(column) for column in zip(*found, strict=True)
    ]
