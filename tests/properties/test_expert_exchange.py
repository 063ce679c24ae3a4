"""Tokens on their way to experts: against published kernels, against exact chances, and what must hold of any split."""

from math import comb, erf, sqrt

import pytest
from hypothesis import assume, given, settings, strategies as st

from formula_eval import Formulas
from samples import samples

BARE = {
    "link_latency": 0,
    "link_hop_latency": 0,
    "link_half_bytes": 0,
    "network_latency": 0,
    "link_efficiency": 1,
    "network_efficiency": 1,
}
DEEPSEEK = {"model": "deepseek-v3", "format": "fp8", "hardware": "h800-sxm", "phase": "decode"}
# DeepEP README, low-latency kernels on H800: ranks, dispatch and combine of 128 tokens each, in microseconds.
DEEPEP = [(8, 77, 114), (16, 118, 195), (32, 155, 273), (64, 173, 314), (128, 192, 369), (256, 194, 360)]
SPLITS = st.tuples(st.sampled_from([1, 2, 4, 8]), st.sampled_from([2, 4, 16]), st.sampled_from([1, 2, 8, 16]))


def ask(formulas: Formulas, *names: str, **givens: object) -> list[float]:
    result = formulas.evaluate(only=list(names), **givens)
    return [float(result[name].value) for name in names]


@pytest.mark.parametrize(("ranks", "dispatch", "combine"), DEEPEP)
def test_low_latency_kernels_as_published(ranks: int, dispatch: float, combine: float, formulas: Formulas) -> None:
    names = ("communication.dispatch_time", "communication.combine_time")
    job = {"attention_dp": ranks, "ep": ranks, "batch": 128, "expert_imbalance": 1}
    ours = ask(formulas, *names, **DEEPSEEK, **job)
    assert ours == pytest.approx([dispatch * 1e-6, combine * 1e-6], rel=0.25 if ranks == 8 else 0.15)


def test_wide_prefill_as_published(formulas: Formulas) -> None:
    """SGLang, 4 nodes of 8 H100: 52.3 thousand prompt tokens per second and node, two batches overlapped."""
    job = {"model": "deepseek-v3", "format": "fp8", "hardware": "h100-sxm", "attention_dp": 32, "ep": 32}
    (rate,) = ask(
        formulas,
        "inference.prompt_tokens_per_second",
        **job,
        batch=8,
        prompt=2000,
        expert_nodes=4,
        overlap_ep=True,
    )
    assert rate / 4 == pytest.approx(52.3e3, rel=0.35)


@settings(max_examples=samples(30))
@given(
    split=SPLITS, batch=st.integers(1, 500), model=st.sampled_from(["mixtral-8x7b", "deepseek-v3", "qwen3-235b-a22b"])
)
def test_what_is_sent_arrives(split: tuple[int, int, int], batch: int, model: str, formulas: Formulas) -> None:
    tp, groups, ep = split
    assume((tp * groups) % ep == 0 and (ep <= 8 or model != "mixtral-8x7b"))
    names = ("communication.own_rows", "operators.routed_rows", "operators.expert_split", "operators.visit_chance")
    own, rows, parts, chance = ask(
        formulas,
        *names,
        model=model,
        tp=tp,
        attention_dp=groups,
        ep=ep,
        batch=batch,
        expert_imbalance=1,
        phase="decode",
    )
    (experts,) = ask(formulas, "params.router_rows", model=model)
    ranks = tp * groups
    assert ranks * own * chance * experts * parts == pytest.approx(ranks * rows)


def test_tensor_parallel_ranks_send_each_row_once(formulas: Formulas) -> None:
    wide = {**DEEPSEEK, **BARE, "ep": 32, "expert_imbalance": 1}
    for phase, prompt in (("decode", 1), ("prefill", 64)):
        job = {**wide, "phase": phase, "prompt": prompt}
        alone = ask(formulas, "communication.expert_time", **job, tp=1, attention_dp=32, batch=64)
        shared = ask(formulas, "communication.expert_time", **job, tp=8, attention_dp=4, batch=512)
        assert shared == pytest.approx(alone, rel=1e-12)


@pytest.mark.parametrize("phase", ["decode", "prefill"])
def test_the_busiest_accelerator_sets_the_time(phase: str, formulas: Formulas) -> None:
    job = {**DEEPSEEK, **BARE, "phase": phase, "prompt": 128, "attention_dp": 64, "ep": 64, "batch": 64}
    names = ("communication.expert_time", "operators.routed_rows")
    even, uneven = (ask(formulas, *names, **job, expert_imbalance=each) for each in (1, 1.5))
    assert uneven == pytest.approx([1.5 * each for each in even], rel=1e-12)
    chance = ask(formulas, *names, **job)
    assert all(1 < by_chance / mean < 1.5 for by_chance, mean in zip(chance, even, strict=True))
    tokens, ep = job["batch"] * (128 if phase == "prefill" else 1) * 64, 64
    assert even[1] == pytest.approx(tokens * 8 / ep)


def test_chance_averages_out(formulas: Formulas) -> None:
    loads = [
        ask(formulas, "operators.rank_load", **DEEPSEEK, attention_dp=64, ep=64, batch=batch)[0]
        for batch in (1, 16, 256, 4096, 65536)
    ]
    assert loads == sorted(loads, reverse=True)
    assert loads[-1] == pytest.approx(1, abs=0.01)


def test_one_place_has_no_exchange(formulas: Formulas) -> None:
    for model in ("mixtral-8x7b", "deepseek-v3", "llama2-70b"):
        assert ask(formulas, "communication.expert_time", model=model, tp=8, phase="decode") == [0]


@settings(max_examples=samples(30))
@given(
    model=st.sampled_from(["mixtral-8x7b", "deepseek-v3", "qwen3-235b-a22b", "qwen3-next-80b-a3b", "gpt-oss-120b"]),
    groups=st.sampled_from([2, 4, 8]),
)
def test_places_visited_as_counted(model: str, groups: int, formulas: Formulas) -> None:
    experts, chosen, outer = ask(formulas, "experts", "experts_per_token", "params.expert_outer_dim", model=model)
    exact = groups * (1 - comb(int(experts) * (groups - 1) // groups, int(chosen)) / comb(int(experts), int(chosen)))
    job = {**BARE, "attention_dp": groups, "ep": groups, "batch": 10, "expert_imbalance": 1, "phase": "prefill"}
    (time,) = ask(formulas, "communication.combine_time", model=model, **job, prompt=100, link_bandwidth=1e9)
    copies = time * 1e9 / (1000 * outer * 2) / (1 - 1 / groups)
    assert copies == pytest.approx(exact, rel=0.005)


def test_experts_that_all_share_are_gathered(formulas: Formulas) -> None:
    """Each accelerator receives the rows of all others, once; across nodes each node receives a row once."""
    job = {**BARE, "model": "mixtral-8x7b", "phase": "prefill", "batch": 1, "prompt": 1000}
    row = 4096 * 2
    (inside,) = ask(formulas, "communication.combine_time", **job, attention_dp=8, link_bandwidth=1e9)
    assert inside == pytest.approx(1000 * row * 7 / 1e9)
    (across,) = ask(
        formulas, "communication.combine_time", **job, attention_dp=32, link_bandwidth=1e15, network_bandwidth=1e9
    )
    assert across == pytest.approx(1000 * row * 3 / 1e9)


def _expected_largest(count: int) -> float:
    """Expectation of the largest of `count` normal numbers, by the trapezoidal rule."""
    steps, reach = 20_000, 9.0
    grid = [-reach + 2 * reach * each / steps for each in range(steps + 1)]
    below = [(0.5 * (1 + erf(each / sqrt(2)))) ** count for each in grid]
    mean = [(high - low) * (a + b) / 2 for low, high, a, b in zip(below, below[1:], grid, grid[1:], strict=False)]
    return sum(mean)


@pytest.mark.parametrize("ranks", [4, 8, 16, 32, 64])
def test_the_largest_of_many_sums(ranks: int, formulas: Formulas) -> None:
    tokens, chosen, experts = 4096, 8, 256
    variance = (ranks - 1) / (chosen * tokens) * (experts - chosen) / (experts - 1)
    (load,) = ask(formulas, "operators.rank_load", **DEEPSEEK, tp=ranks, ep=ranks, batch=tokens)
    assert (load - 1) / sqrt(variance) == pytest.approx(_expected_largest(ranks), rel=0.02)
