"""What must hold for what replicas and shard groups exchange: all of what is shared, and nothing else."""

from typing import Any

import pytest
from hypothesis import assume, given, settings, strategies as st

from formula_eval import Formulas
from samples import samples

HARDWARE = {"hardware": "h100-sxm"}
LAYOUTS = st.fixed_dictionaries(
    {
        "model": st.sampled_from(["llama2-7b", "gpt2", "mixtral-8x7b", "deepseek-v3", "qwen3-30b-a3b"]),
        "tp": st.sampled_from([1, 2, 4]),
        "dp": st.sampled_from([2, 16, 64]),
        "cp": st.sampled_from([1, 2]),
        "ep": st.sampled_from([1, 2, 8]),
        "micro_batches": st.sampled_from([1, 4]),
        "recipe": st.sampled_from(["megatron", "fsdp"]),
    }
)
FROZEN = st.sampled_from(["lora", "qlora", "adapter"])
DENSE = {"llama2-7b", "gpt2"}


@pytest.fixture(scope="module")
def ask(formulas: Formulas):
    def values(names: list[str], **job: Any) -> list[float]:
        wanted = [name if name == "layers" or name.startswith("params.") else f"training.{name}" for name in names]
        answer = formulas.evaluate(only=wanted, **(HARDWARE | job))
        return [answer.values[name].value for name in wanted]

    return values


def possible(layout: dict[str, Any]) -> None:
    assume(layout["ep"] == 1 or layout["model"] not in DENSE)
    assume(layout["tp"] * layout["cp"] * layout["dp"] % layout["ep"] == 0)


@settings(max_examples=samples(30))
@given(layout=LAYOUTS)
def test_what_is_gathered_is_what_is_held(ask, layout) -> None:
    """A layer gathered on one rank is the share of all ranks of its groups together, and each byte has one home."""
    possible(layout)
    names = ["layer_dense_params", "layer_expert_params", "replicas", "expert_shard_group", "weight_bytes_per_param"]
    names += ["stages.first.weights_bytes", "layers", "params.layers_total", "params.total"]
    dense, routed, group, expert_group, width, kept, layers, in_layers, total = ask(names, zero_stage=3, **layout)
    tp, ep = layout["tp"], layout["ep"]
    expert_tp = tp if ep == 1 else 1
    assert (dense * tp + routed * ep * expert_tp) * layers == pytest.approx(in_layers)
    # Every rank keeps 1 / group of what it gathers: over all ranks that is the model once, and no byte twice.
    assert kept / width * tp * group == pytest.approx(total)
    gathered = (dense / group + routed / expert_group) * layers
    assert gathered + (total - in_layers) / tp / group == pytest.approx(kept / width)


@settings(max_examples=samples(20))
@given(layout=LAYOUTS)
def test_experts_that_nobody_shares_are_not_gathered(ask, layout) -> None:
    ranks = layout["tp"] * layout["dp"] * layout["cp"]
    layout |= {"model": "deepseek-v3", "ep": min(ranks, 128)}
    assume(ranks <= 128)
    job = layout | {"zero_stage": 3, "shared_expert_hidden": 2048}
    thin, wide = (ask(["shard_gather_time"], **(job | {"expert_hidden": width}))[0] for width in (64, 4096))
    assert 0 < thin == wide


@settings(max_examples=samples(30))
@given(layout=LAYOUTS, tuning=FROZEN, zero_stage=st.sampled_from([0, 1, 2, 3]))
def test_frozen_weights_have_no_gradient_traffic(ask, layout, tuning, zero_stage) -> None:
    possible(layout)
    job = layout | {"tuning": tuning, "zero_stage": zero_stage, "lora_target_widths": 16384, "lora_rank": 0}
    bare = ["shard_scatter_time", "dense_gradient_bytes", "expert_gradient_bytes", "owned_params"]
    assert ask(bare, **job) == [0] * len(bare)
    job["lora_rank"] = 8
    scattered, exchanged, replicas = ask(["shard_scatter_time", "dense_gradient_params", "params.adapters"], **job)
    assert scattered == 0
    assert exchanged == pytest.approx(replicas / layout["tp"])


@settings(max_examples=samples(15))
@given(layout=LAYOUTS)
def test_frozen_embedding_has_no_gradient(ask, layout) -> None:
    possible(layout)
    full, frozen = (ask(["dense_gradient_params"], **(layout | {"tuning": t}))[0] for t in ("full", "frozen_embedding"))
    (embedding,) = ask(["params.embedding"], **layout)
    assert full - frozen == pytest.approx(embedding / layout["tp"])


@settings(max_examples=samples(15))
@given(layout=LAYOUTS)
def test_packed_weights_are_gathered_packed(ask, layout) -> None:
    """QLoRA moves a quarter of the bytes of LoRA, and keeps a quarter of the layers."""
    possible(layout)
    job = layout | {"zero_stage": 3, "lora_target_widths": 16384, "weight_bits": 4}
    names = ["gathered_weight_bytes", "element_bytes"]
    packed, wide = ask(names, **(job | {"tuning": "qlora"}))
    assert packed == wide / 4
    assert ask(["gathered_weight_bytes"], **(job | {"tuning": "lora"})) == [wide]


@settings(max_examples=samples(20))
@given(layout=LAYOUTS, zero_stage=st.sampled_from([0, 1, 2]))
def test_a_dense_model_pays_for_no_experts(ask, layout, zero_stage) -> None:
    layout |= {"model": "llama2-7b", "ep": 1, "zero_stage": zero_stage, "link_latency": "1 s", "network_latency": "1 s"}
    layout |= {"switch_sums": False}
    (late,) = ask(["gradients_time"], **layout)
    (prompt,) = ask(["gradients_time"], **(layout | {"link_latency": "0 s", "network_latency": "0 s"}))
    (scatters,) = ask(["scatters"], **layout)
    nodes = max(1, layout["dp"] * layout["cp"] * layout["tp"] // 8)
    collectives = 1 if zero_stage == 0 else scatters + 1
    hops = 1 if nodes == 1 else 2 * (nodes * 8 - 1)
    assert late - prompt <= collectives * hops * (1 + 1e-9)
    assert late - prompt > 0.9 * collectives


@settings(max_examples=samples(15))
@given(layout=LAYOUTS, share=st.sampled_from([2, 8]))
def test_hybrid_sharding_divides_the_update_by_its_group(ask, layout, share) -> None:
    possible(layout)
    layout |= {"model": "llama2-7b", "ep": 1, "zero_stage": 3}
    replicas = layout["dp"] * layout["cp"]
    assume(replicas % share == 0)
    (alone,) = ask(["owned_params"], **(layout | {"zero_stage": 0}))
    (owned,) = ask(["owned_params"], **(layout | {"shard_group": share}))
    assert owned * share == pytest.approx(alone)


def test_shared_gradients_are_scattered_after_each_micro_batch(ask) -> None:
    job = {"model": "llama2-7b", "dp": 64, "micro_batches": 16}
    (once, gathered) = ask(["gradient_scatter_time", "weight_gather_time"], **job)
    assert ask(["gradients_time"], zero_stage=1, **job) == pytest.approx([once + gathered])
    assert ask(["gradients_time"], zero_stage=2, **job) == pytest.approx([16 * once + gathered])
    (exposed,) = ask(["exposed_gradients_time"], zero_stage=2, overlap_dp=False, **job)
    assert exposed == pytest.approx(16 * once + gathered)


MIXTURES = st.fixed_dictionaries(
    {
        "model": st.sampled_from(["mixtral-8x7b", "deepseek-v3", "qwen3-30b-a3b"]),
        "tp": st.sampled_from([1, 2]),
        "dp": st.sampled_from([64]),
        "ep": st.sampled_from([2, 8, 64]),
        "recompute": st.sampled_from(["none", "full"]),
        "seq": st.sampled_from([512, 4096]),
    }
)


def spread(mixture: dict[str, Any]) -> None:
    assume(mixture["ep"] <= 8 or mixture["model"] != "mixtral-8x7b")


@settings(max_examples=samples(20))
@given(mixture=MIXTURES, overlap=st.booleans())
def test_no_more_hides_than_there_is_to_compute(ask, mixture, overlap) -> None:
    spread(mixture)
    names = ["ep_forward_time", "ep_backward_time", "ep_pass_time", "ep_exchange_passes", "beside_exchange_time"]
    forward, backward, once, passes, beside = ask(names, overlap_ep=overlap, **mixture)
    assert forward + backward <= passes * once * (1 + 1e-12)
    assert forward + backward >= passes * once - beside
    if beside == 0:
        assert forward + backward == pytest.approx(passes * once)
    elif overlap:
        assert forward + backward < passes * once


@settings(max_examples=samples(20))
@given(mixture=MIXTURES)
def test_results_come_back_unquantised(ask, mixture) -> None:
    """Half of the bytes on the way there is three quarters of the exchange."""
    spread(mixture)
    bare = dict.fromkeys(("link_latency", "link_hop_latency", "network_latency"), "0 s") | {"link_half_bytes": "0 byte"}
    wide, narrow = (ask(["ep_pass_time"], dispatch_bits=bits, **bare, **mixture)[0] for bits in (16, 8))
    assert narrow == pytest.approx(0.75 * wide)


@settings(max_examples=samples(20))
@given(mixture=MIXTURES)
def test_a_token_goes_once_to_each_node(ask, mixture) -> None:
    spread(mixture)
    each, once = (ask(["ep_pass_time"], expert_dispatch=kind, **mixture)[0] for kind in ("per_expert", "per_rank"))
    assert once <= each * (1 + 1e-12)
    even, uneven = (ask(["ep_pass_time"], expert_imbalance=load, **mixture)[0] for load in (1, 2))
    assert even < uneven <= 2 * even
    assert even <= once  # chance alone makes a router uneven


@pytest.mark.parametrize("model", ["llama2-7b", "mixtral-8x7b"])
def test_weights_gathered_in_eight_bits_take_half_the_memory_and_less_time(ask, model) -> None:
    names = ["shard_gather_time", "stages.first.gathered_bytes", "shard_scatter_time"]
    job = {"model": model, "recipe": "fsdp", "zero_stage": 3, "dp": 16}
    wide, narrow = (ask(names, **job, gather_bits=bits) for bits in (16, 8))
    assert wide == ask(names, **job)
    assert wide[0] / 2 < narrow[0] < wide[0]  # the latency of a gather stays
    assert wide[1] / 2 <= narrow[1] < wide[1]  # tables stay in 16 bits
    assert narrow[2] == wide[2]
