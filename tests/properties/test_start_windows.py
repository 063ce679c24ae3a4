"""The cache that a server sets aside for its longest sequence: whole, but for windows and the chunk that is read."""

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from samples import samples

NAMES = [
    "memory.longest_sequence_bytes",
    "memory.windowed_kv_bytes_per_token",
    "memory.full_kv_bytes_per_token",
    "window",
]


@settings(max_examples=samples(30), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    model=st.sampled_from(["gemma2-9b", "gpt-oss-20b", "gemma-4-e2b", "mistral-7b"]),
    length=st.integers(1, 8192),
    chunk=st.integers(1, 16384),
)
def test_a_window_keeps_itself_and_a_chunk(formulas, model, length, chunk):
    found = formulas.evaluate(only=NAMES, model=model, max_model_len=length, chunk_tokens=chunk, page=1)
    held, windowed, full, window = (found[name].value for name in NAMES)
    # As in vLLM's SlidingWindowSpec: the window before a chunk and the chunk, and never more than the sequence.
    kept = min(length, window + chunk)
    assert held == pytest.approx(full * length + windowed * kept, abs=2 * windowed)


def test_a_start_of_vllm_as_published(formulas):
    """An L4 with Gemma 4 E2B printed 9.92 GiB and 129.66 sequences of 8,192 tokens."""
    found = formulas.evaluate(only=NAMES[:1], model="gemma-4-e2b", max_model_len=8192, chunk_tokens=2048)
    assert found[NAMES[0]].value == pytest.approx(9.92 * 2**30 / 129.66, rel=0.01)
