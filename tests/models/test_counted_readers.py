"""Encoders, embedders, rerankers, reward and value models against what their classes count, parameters and FLOPs."""

from pathlib import Path

import pytest

from counted import seen
from formula_eval.text_files import read_toml

COUNTED = read_toml(Path(__file__).parent / "counted_readers.toml", "counted_readers.toml")


@pytest.mark.parametrize("name", COUNTED)
def test_parameters_and_cache(name, formulas):
    counted = COUNTED[name]
    result = formulas.evaluate(
        model=name,
        only=["params.total", "params.parts_total", "memory.kv_bytes_per_token", "inference.reads_only"],
        **counted.get("given", {}),
    )
    assert result["params.total"] == result["params.parts_total"] == counted["total"]
    assert result["memory.kv_bytes_per_token"] == counted.get("cache_of_a_token", 0)
    assert result["inference.reads_only"].value


@pytest.mark.parametrize("name", COUNTED)
def test_flops_of_a_pass(name, formulas):
    counted = COUNTED[name]
    conventions = {"attention_pairs": "full", "logits_of": counted.get("logits_of", "last"), **counted.get("given", {})}
    for each in seen(counted["passes"]):
        result = formulas.evaluate(
            model=name,
            batch=each["batch"],
            prompt=each["prompt"],
            only=["flops.prefill", "flops.prefill_attention"],
            **conventions,
        )
        assert result["flops.prefill"] == each["flops"]
        assert result["flops.prefill_attention"] == each["attention"]
