"""Serving figures that were worked out elsewhere, by the same laws without the traffic of the embedding table."""

import pytest

HABITS = {
    "engine": "trtllm",
    "decode_kernel_time": 2.4e-6,
    "host_step_time": 0.5e-3,
    "host_sequence_time": 5e-6,
    "host_request_time": 43e-3,
    "loaded_request_time": 43e-3,
    "prefill_factor": 0.9,
    "prefill_interference": 0.93,
    "kept_output_share": 0.75,
}
TENSORRT = {"model": "llama3-8b", "hardware": "h100-sxm", "format": "fp8-kv8", "clock_factor": 1, **HABITS}
FASTER = {
    "model": "llama2-7b",
    "hardware": "a100-sxm-80gb",
    "engine": "fastertransformer",
    "decode_kernel_time": 11e-6,
    "prefill_factor": 1.05,
}
SOCKET = {
    "model": "llama2-7b",
    "hardware": "xeon-8480",
    "weight_bits": 4.5,
    "embedding_bits": 4.5,
    "memory_bandwidth": 80e9,
    "decode_memory_efficiency": 0.75,
    "decode_kernel_time": 0,
    "host_step_time": 0,
    "host_sequence_time": 0,
    "step_context": 0,
}
WORKED = [
    ("inference.decode_time", {**TENSORRT, "batch": 64, "step_context": 1023}, 6.5351e-3),
    ("inference.ttft", {**TENSORRT, "prompt": 1024}, 59.30e-3),
    ("inference.latency", {**FASTER, "prompt": 512, "generated": 32}, 0.4188),
    ("operators.experts_touched", {"model": "mixtral-8x7b", "batch": 8, "phase": "decode"}, 7.1991),
    ("inference.expected_tokens", {"drafted_tokens": 4, "drafter": "lookup", "acceptance_rate": 0.8}, 3.3616),
    (
        "inference.transfer_time",
        {"model": "llama2-70b", "hardware": "h100-sxm", "prompt": 4096, "network_latency": 0},
        31.21e-3,
    ),
    (
        "inference.offload_read_time",
        {"model": "llama2-70b", "offloaded_weights": 1, "host_bandwidth": 25e9, "phase": "decode"},
        5.5181,
    ),
]


@pytest.mark.parametrize(("name", "givens", "expected"), WORKED, ids=lambda each: each if isinstance(each, str) else "")
def test_worked_values(name, givens, expected, formulas):
    assert float(formulas.evaluate(only=name, **givens)[name].value) == pytest.approx(expected, rel=2e-4)


def test_a_processor_without_an_accelerator(formulas):
    """Weights of 4.5 bits at three quarters of 80 GB/s: 16.14 tokens a second before anything else is read."""
    time = float(formulas.evaluate(only="inference.decode_time", **SOCKET)["inference.decode_time"].value)
    assert time == pytest.approx(1 / 16.14, rel=3e-3)
