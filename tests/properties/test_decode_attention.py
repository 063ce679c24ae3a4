"""Attention of a decode step: groups of query heads share what is read, and each computes with it."""

import pytest
from hypothesis import given, settings, strategies as st

from samples import samples

LAYER = {"model": "llama2-7b", "hardware": "a100-sxm-80gb", "phase": "decode", "decode_kernel_time": 0}
TIME = "operators.pass_operators.attention_core.time"
SLOW = 0.002


def core(formulas, **given):
    return formulas.evaluate(only=[TIME], **{**LAYER, **given})[TIME].value


@settings(max_examples=samples(20))
@given(context=st.integers(1, 100_000), batch=st.integers(1, 256), group=st.sampled_from([1, 2, 4, 8, 32]))
def test_outside_matrix_units_every_query_head_takes_its_time(formulas, context, batch, group):
    plain = core(formulas, step_context=context, batch=batch, decode_attention_efficiency=SLOW)
    grouped = core(formulas, step_context=context, batch=batch, kv_heads=32 // group, decode_attention_efficiency=SLOW)
    assert grouped == pytest.approx(plain)


@pytest.mark.parametrize("group", [2, 4, 8])
def test_where_reading_takes_longer_a_group_reads_once(formulas, group):
    plain, grouped = core(formulas), core(formulas, kv_heads=32 // group)
    assert grouped == pytest.approx(plain / group)


def test_narrow_caches_save_reading_and_no_arithmetic(formulas):
    assert core(formulas, kv_bits=8) == pytest.approx(core(formulas) / 2)
    slow = {"decode_attention_efficiency": SLOW}
    assert core(formulas, kv_bits=8, **slow) == pytest.approx(core(formulas, **slow))


def test_a_prefill_computes_at_the_rate_of_its_own_kernel(formulas):
    prefill = {"phase": "prefill", "prompt": 4096, "prefill_kernel_time": 0}
    assert core(formulas, **prefill, decode_attention_efficiency=SLOW) == core(formulas, **prefill)


@settings(max_examples=samples(20))
@given(doublings=st.integers(0, 6), batch=st.integers(1, 512))
def test_every_doubling_of_the_group_waits_as_long(formulas, doublings, batch):
    def host(tp, wait):
        asked = {"model": "llama2-70b", "phase": "decode", "batch": batch, "tp": tp, "rank_wait_time": wait}
        return formulas.evaluate(only=["inference.engine_time"], **asked)["inference.engine_time"].value

    waited = host(2**doublings, 7e-6) - host(2**doublings, 0)
    assert waited == pytest.approx(80 * 2 * 7e-6 * doublings, abs=1e-12)
