"""What an engine sets aside before it counts cache: padded experts, whole prompts, buffers, its context."""

import pytest
from hypothesis import given, settings, strategies as st
from tests.samples import samples

from formula_eval import Formulas

WHOLE = {"model": "llama3.1-8b", "hardware": "rtx-3090", "engine": "vllm-0.6"}


def value(formulas: Formulas, name: str, **givens: object) -> float:
    return float(formulas.evaluate(only=[name], **givens)[name].value)


@pytest.mark.parametrize("model", ["gpt-oss-20b", "gpt-oss-120b"])
@pytest.mark.parametrize("tp", [1, 2, 4, 8])
def test_padding_adds_to_mxfp4_alone_and_never_twice(formulas, model, tp):
    plain, padded, bf16 = (
        value(formulas, "memory.expert_padding", model=model, tp=tp, **given)
        for given in ({}, {"padded_hidden": 256, "padded_width": 128}, {"padded_hidden": 256, "format": "bf16"})
    )
    assert plain == bf16 == 1
    assert 1 < padded < 2


def test_padded_experts_are_what_vllm_loads(formulas):
    """vllm-project/vllm issue 23278: 65.97 GiB of GPT-OSS 120B, 13.72 of 20B."""
    for model, loaded in (("gpt-oss-120b", 65.97), ("gpt-oss-20b", 13.72)):
        found = value(formulas, "memory.resident_weights_bytes", model=model, engine="vllm-1", hardware="h100-sxm")
        assert found / 2**30 == pytest.approx(loaded, rel=0.01)


def test_longer_sequences_leave_less_until_prompts_come_in_chunks(formulas):
    left = [
        value(formulas, "memory.cache_capacity", max_model_len=n, **WHOLE) for n in (20_000, 29_000, 32_768, 65_536)
    ]
    assert left[0] > left[1] > left[2] < left[3]
    assert left[:2] == pytest.approx([31_232, 23_648], rel=0.02)  # vllm-project/vllm issue 10517


def test_freed_buffers_and_an_uncounted_context_never_leave_less(formulas):
    found = value(formulas, "memory.cache_capacity", max_model_len=20_000, **WHOLE)
    assert value(formulas, "memory.cache_capacity", max_model_len=20_000, frees_buffers=False, **WHOLE) < found
    assert (
        value(formulas, "memory.cache_capacity", max_model_len=20_000, counted_context_bytes="0 byte", **WHOLE) > found
    )


@settings(max_examples=samples(30), deadline=None)
@given(largest=st.integers(4, 4096))
def test_graphs_are_the_sizes_that_vllm_lists(formulas, largest):
    """vllm/config/vllm.py, _set_cudagraph_sizes: 1, 2 and 4, each eighth to 256, each sixteenth to 512."""
    listed = [*(1, 2, 4), *range(8, 256, 8), *range(256, 513, 16)]
    sizes = [sum(size <= most for size in listed) for most in (2 * largest, largest)]
    found = value(
        formulas,
        "memory.graphs_bytes",
        sampled_sequences=largest,
        first_graph_bytes=0,
        further_graph_bytes="1 MiB",
    )
    assert found == 0  # none are counted where the first is not
    found = value(
        formulas,
        "memory.graphs_bytes",
        sampled_sequences=largest,
        first_graph_bytes="1 MiB",
        further_graph_bytes="1 MiB",
    )
    assert found == sum(sizes) * 2**20


@pytest.mark.parametrize("engine", ["sglang-0.4", "sglang-0.5"])
def test_the_share_of_weights_and_cache_is_filled_whatever_else_runs(formulas, engine):
    asked = {"model": "llama3.1-8b", "hardware": "h100-sxm", "engine": engine, "memory_fraction": 0.88}
    found = [
        value(formulas, "memory.cache_capacity", **asked, **other)
        for other in ({}, {"chunk_tokens": 1024}, {"workspace_bytes": "4 GB"}, {"sampler_word_bytes": "30 byte"})
    ]
    assert found == [found[0]] * 4
    assert found[0] == pytest.approx(444_500, rel=0.005)  # docs.sglang.ai, sending requests: a start of 0.4


def test_a_size_of_the_cache_is_kept_where_the_share_is_of_weights_and_cache(formulas):
    asked = {"model": "llama3.1-8b", "hardware": "h100-sxm", "engine": "sglang-0.5", "kv_pool_bytes": "10 GB"}
    found = value(formulas, "memory.cache_capacity", **asked) * value(formulas, "memory.kv_bytes_per_token", **asked)
    assert found == pytest.approx(10e9, rel=0.02)


def test_what_an_engine_may_fill_is_the_same_for_every_batch(formulas):
    """All that follows from the places of a server would else be worked out anew for each batch that it runs."""
    graph = formulas.evaluator.graph
    assert "batch" not in graph.ancestors(["memory.usable_bytes"])
