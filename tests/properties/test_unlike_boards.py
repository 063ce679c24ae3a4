"""Accelerators of two kinds that share a model: what they hold and take adds up, and like kinds are a pipeline."""

import pytest
from hypothesis import given, settings, strategies as st

from formula_eval import Formulas
from samples import samples

MODELS = ["llama3.1-8b", "qwen3-32b", "gemma-4-31b", "qwen3.5-27b"]
BOARDS = ["rtx-4090", "rtx-3090", "rtx-3060", "rtx-5090"]
TIMES = ("inference.tpot", "inference.ttft", "inference.latency")


def ask(formulas: Formulas, *names: str, **givens: object) -> list[float]:
    job = {"engine": "llama.cpp", "format": "q4_k_m", "prompt": 1500, "generated": 40, **givens}
    result = formulas.evaluate(only=list(names), **job)
    return [float(result[name].value) for name in names]


@settings(max_examples=samples(15))
@given(model=st.sampled_from(MODELS), board=st.sampled_from(BOARDS), batch=st.integers(1, 8))
def test_like_kinds_are_a_pipeline(model: str, board: str, batch: int, formulas: Formulas) -> None:
    names = (*TIMES, "memory.total_bytes", "inference.replica_gpus", "inference.joules_per_million_output_tokens")
    (layers,) = ask(formulas, "layers", model=model)
    job = {"model": model, "hardware": board, "batch": batch}
    pipeline = ask(formulas, *names, **job, pp=2)
    half = {"second_gpu": board, "second_layers": layers // 2}
    assert ask(formulas, *names, **job, **half) == pytest.approx(pipeline, rel=1e-9)
    assert ask(formulas, "inference.second_gpu_bytes", **job, **half) == pytest.approx([pipeline[3]], rel=1e-9)


@settings(max_examples=samples(15))
@given(model=st.sampled_from(MODELS), first=st.sampled_from(BOARDS), second=st.sampled_from(BOARDS))
def test_no_layers_of_the_second_kind_is_the_first_alone(
    model: str, first: str, second: str, formulas: Formulas
) -> None:
    names = (*TIMES, "memory.total_bytes", "inference.prompt_tokens_per_second")
    job = {"model": model, "hardware": first}
    alone = ask(formulas, *names, **job)
    assert ask(formulas, *names, **job, second_gpu=second, second_layers=0) == pytest.approx(alone, rel=1e-12)


@settings(max_examples=samples(15))
@given(
    model=st.sampled_from(MODELS),
    first=st.sampled_from(BOARDS),
    second=st.sampled_from(BOARDS),
    share=st.floats(0.05, 0.9),
)
def test_a_token_takes_between_what_each_kind_takes(
    model: str, first: str, second: str, share: float, formulas: Formulas
) -> None:
    one, other = (ask(formulas, "inference.tpot", model=model, hardware=each)[0] for each in (first, second))
    job = {"model": model, "hardware": first, "second_gpu": second}
    both, handed = ask(
        formulas, "inference.tpot", "inference.hand_over_time", **job, second_share=share, phase="decode"
    )
    assert min(one, other) * (1 - 1e-9) <= both - handed <= max(one, other) * (1 + 1e-9)
    more = ask(formulas, "inference.tpot", **job, second_share=min(1 - 1e-3, share + 0.08))[0]
    assert (more - both) * (other - one) >= -1e-12


@settings(max_examples=samples(15))
@given(
    model=st.sampled_from(MODELS),
    first=st.sampled_from(BOARDS),
    second=st.sampled_from(BOARDS),
    share=st.floats(0.05, 0.9),
)
def test_both_kinds_hold_the_model_and_its_cache(
    model: str, first: str, second: str, share: float, formulas: Formulas
) -> None:
    job = {"model": model, "hardware": first, "second_gpu": second, "workspace_bytes": 0, "embedding_bits": 1}
    bare = {**job, "prompt": 64, "chunk_tokens": 1}
    names = ("memory.total_bytes", "inference.second_gpu_bytes", "memory.reserved_bytes", "memory.end_weights_bytes")
    on_first, on_second, reserved, ends = ask(formulas, *names, **bare, second_share=share)
    whole = formulas.evaluate(
        only=["memory.total_bytes", "memory.reserved_bytes", "memory.end_weights_bytes"],
        **{"engine": "llama.cpp", "format": "q4_k_m", "generated": 40, **bare, "second_gpus": 0},
    )
    total, kept, both_ends = (
        float(whole[name].value) for name in ("memory.total_bytes", "memory.reserved_bytes", "memory.end_weights_bytes")
    )
    assert on_first - reserved - ends + on_second - reserved - ends == pytest.approx(total - kept - both_ends, rel=1e-6)


@pytest.mark.parametrize(("layers", "stated"), [(32, 1 / 13.0), (23, 1 / 15.6)], ids=["by memory", "tuned"])
def test_one_large_board_and_two_small_ones_as_published(layers: int, stated: float, formulas: Formulas) -> None:
    """Qwen3 32B in Q8_0 on an RTX 3090 and two RTX 3060: 13.0 tokens/s as split by memory, 15.6 with a better split."""
    job = {"model": "qwen3-32b", "format": "q8_0", "hardware": "rtx-3090", "second_gpu": "rtx-3060", "second_gpus": 2}
    time, by_memory = ask(formulas, "inference.tpot", "second_layers", **job, prompt=64, second_layers=layers)
    assert time == pytest.approx(stated, rel=0.06)
    assert by_memory == layers
    assert ask(formulas, "second_layers", **job) == [32]


def test_chunks_follow_each_other_through_the_stages(formulas: Formulas) -> None:
    job = {"model": "qwen3-32b", "hardware": "rtx-4090", "prompt": 4096, "chunk_tokens": 512, "link_bandwidth": 1e15}
    alone, staged = (ask(formulas, "inference.prefill_time", **job, pp=each)[0] for each in (1, 2))
    assert staged == pytest.approx(alone * (8 + 1) / 16, rel=0.01)
    assert ask(formulas, "inference.prefill_time", **job, pp=2, overlaps_chunks=False)[0] == pytest.approx(
        alone, rel=0.01
    )


@pytest.mark.parametrize(("second", "fits"), [(4, 0), (30, 1), (62, 0)], ids=["first full", "both fit", "second full"])
def test_it_fits_where_both_kinds_have_room(second: int, fits: int, formulas: Formulas) -> None:
    job = {"model": "qwen3-32b", "format": "q8_0", "hardware": "rtx-4090", "second_gpu": "rtx-3090"}
    assert ask(formulas, "memory.fits", **job, second_layers=second) == [fits]
    (fastest,) = ask(formulas, "inference.fastest_second_layers", **job, second_layers=second)
    assert ask(formulas, "memory.fits", **job, second_layers=fastest) == [1]
    assert ask(formulas, "memory.fits", **job, second_layers=fastest - 1) == [0]


@settings(max_examples=samples(15))
@given(
    first=st.sampled_from(["h100-sxm", "h200-sxm", "a100-sxm-80gb"]),
    second=st.sampled_from(["h100-sxm", "h200-sxm", "a100-sxm-80gb"]),
    kind=st.sampled_from(["on_demand", "lowest", "highest", "owned"]),
    second_gpus=st.integers(1, 3),
)
def test_each_kind_costs_what_it_costs_alone(
    first: str, second: str, kind: str, second_gpus: int, formulas: Formulas
) -> None:
    bought = {"h100-sxm": "30000 USD", "h200-sxm": "36000 USD", "a100-sxm-80gb": "9000 USD"} if kind == "owned" else {}

    def own(board: str, name: str) -> dict[str, str]:
        return {name: bought[board]} if bought else {}

    job = {"model": "qwen3-32b", "price_kind": kind, "staff_cost": "500 USD/year", "colocation_price": "1.8 USD/W/year"}
    alone = [ask(formulas, "price", **job, hardware=each, **own(each, "purchase_price"))[0] for each in (first, second)]
    both = {"second_gpu": second, "second_gpus": second_gpus, **own(second, "second_purchase_price")}
    job |= {"hardware": first, "serving_replicas": 2, **own(first, "purchase_price"), **both}
    together, month = ask(formulas, "inference.replica_price", "inference.fleet_usd_per_month", **job)
    assert together == pytest.approx(alone[0] + second_gpus * alone[1], rel=1e-9)
    assert month == pytest.approx(2 * 730 * 3600 * together, rel=1e-9)


def test_what_the_second_kind_was_bought_for_is_not_taken_from_the_first(formulas: Formulas) -> None:
    job = {"model": "qwen3-32b", "engine": "llama.cpp", "hardware": "rtx-4090", "second_gpu": "rtx-3090"}
    asked = formulas.evaluate(only=["price", "inference.replica_price"], **job, purchase_price="2000 USD")
    assert asked["price"].value > 0
    assert asked["inference.replica_price"].value is None
