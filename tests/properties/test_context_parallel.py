"""What must hold where ranks share the tokens of a sequence: no hop hides behind more than one block of attention."""

import pytest
from hypothesis import given, settings, strategies as st

from formula_eval import Formulas
from samples import samples

SHARES = st.fixed_dictionaries(
    {
        "model": st.sampled_from(["llama2-7b", "llama3-70b"]),
        "tp": st.sampled_from([1, 4]),
        "cp": st.sampled_from([2, 4, 16]),
        "seq": st.sampled_from([4096, 32768, 262144]),
        "hardware": st.sampled_from(["h100-sxm", "a100-sxm-80gb"]),
    }
)
FREE = {"memory_bandwidth": "1e6 TB/s", "training_kernel_time": "0 s"}


@pytest.fixture(scope="module")
def ask(formulas: Formulas):
    def values(names: list[str], **job) -> list[float]:
        wanted = [name if name == "layers" else f"training.{name}" for name in names]
        answer = formulas.evaluate(only=wanted, **job)
        return [answer.values[name].value for name in wanted]

    return values


@settings(max_examples=samples(25))
@given(share=SHARES)
def test_a_hop_hides_behind_one_block_at_most(ask, share) -> None:
    names = ["cp_forward_time", "cp_merge_time", "cp_hop_time", "mixer_kernels.attention_core.forward_time", "layers"]
    forward, joined, hop, core, layers = ask(names, **FREE, **share)
    waited = forward - layers * joined
    hops = share["cp"] - 1
    assert waited <= layers * hops * hop * (1 + 1e-12)
    assert waited >= layers * (hops * hop - core) * (1 - 1e-12) - 1e-12
    if hop <= core / share["cp"]:
        assert waited == pytest.approx(0, abs=1e-12)


@settings(max_examples=samples(25))
@given(share=SHARES)
def test_blocks_are_joined_whatever_hides(ask, share) -> None:
    names = ["cp_forward_time", "cp_gradient_time", "cp_merge_time", "cp_gradient_merge_time", "cp_hop_time", "layers"]
    forward, backward, joined, added, hop, layers = ask(names, **share)
    assert forward >= layers * joined * (1 - 1e-12) > 0
    assert backward >= layers * (added + hop) * (1 - 1e-12) > 0


@settings(max_examples=samples(10))
@given(share=SHARES, kind=st.sampled_from(["ring", "all_gather", "all_to_all", "ring_of_swaps"]))
def test_one_rank_shares_nothing(ask, share, kind) -> None:
    job = share | {"cp": 1, "context_algorithm": kind}
    assert ask(["cp_forward_time", "cp_backward_time"], **job) == [0, 0]


RING = st.fixed_dictionaries(
    {
        "model": st.sampled_from(["llama2-7b", "llama3-70b"]),
        "cp": st.sampled_from([4, 8, 16]),
        "seq": st.sampled_from([32768, 262144]),
        "hardware": st.sampled_from(["h100-sxm", "a100-sxm-80gb"]),
    }
)


@settings(max_examples=samples(15))
@given(ring=RING, swapped=st.sampled_from([2, 4]))
def test_a_ring_of_groups_lies_between_ring_and_swaps(ask, ring, swapped) -> None:
    names = ["cp_forward_time", "cp_gradient_time", "cp_merge_time", "cp_swap_time", "group_swap_time", "layers"]
    ring_forward, ring_backward, joined, _, _, layers = ask(names, **ring)
    groups = ring | {"context_algorithm": "ring_of_swaps"}
    assert ask(names[:2], swap_ranks=1, **groups) == pytest.approx([ring_forward, ring_backward])
    forward, backward, fewer, all_swaps, swaps, _ = ask(names, swap_ranks=swapped, **groups)
    assert fewer == pytest.approx(joined * (ring["cp"] / swapped - 1) / (ring["cp"] - 1))
    assert forward - layers * swaps <= ring_forward * (1 + 1e-12)
    assert backward - layers * swaps <= ring_backward * (1 + 1e-12)
    if ring["model"] == "llama2-7b":
        assert ask(["group_swap_time"], swap_ranks=ring["cp"], **groups) == pytest.approx([all_swaps])
