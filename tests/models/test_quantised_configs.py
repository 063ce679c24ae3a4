"""What a config says of its checkpoint's weights, whatever its family."""

import json
from pathlib import Path
from typing import Any

import pytest

from formula_eval import FormulaError, Formulas, load

LLAMA = {
    "model_type": "llama",
    "num_hidden_layers": 2,
    "hidden_size": 256,
    "num_attention_heads": 4,
    "vocab_size": 1000,
    "intermediate_size": 512,
}


def bits(formulas: Formulas, path: Path, quantization: Any) -> float:
    path.write_text(json.dumps({**LLAMA, "quantization_config": quantization}), encoding="utf-8")
    return float(formulas.evaluate(only=["published_weight_bits"], model=str(path))["published_weight_bits"].value)


@pytest.mark.parametrize(
    ("quantization", "expected"),
    [
        ({"quant_method": "fp8", "weight_block_size": [128, 128]}, 8),
        ({"quant_method": "mxfp4"}, 4),
        ({"quant_method": "gptq", "bits": 3}, 3),
        ({"quant_method": "compressed-tensors", "config_groups": {"group_0": {"weights": {"num_bits": 4}}}}, 4),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True, "load_in_8bit": False}, 4),
        ({"quant_method": "bitsandbytes", "load_in_8bit": True}, 8),
        ({"quant_method": "a method of tomorrow"}, 16),
        (None, 16),
        ([], 16),
    ],
)
def test_published_bits(formulas: Formulas, tmp_path: Path, quantization: Any, expected: float) -> None:
    assert bits(formulas, tmp_path / "config.json", quantization) == expected


def test_bits_that_are_no_number_are_refused(formulas: Formulas, tmp_path: Path) -> None:
    with pytest.raises(FormulaError, match="no number"):
        bits(formulas, tmp_path / "config.json", {"bits": "few"})


def test_what_a_library_of_ones_own_says_of_all_families_comes_first(tmp_path: Path) -> None:
    common = tmp_path / "own" / "models" / "families" / "common"
    common.mkdir(parents=True)
    (common / "quantization.toml").write_text('[inputs]\npublished_weight_bits = "2"\n', encoding="utf-8")
    assert bits(load(tmp_path / "own", cache=False), tmp_path / "config.json", {"quant_method": "fp8"}) == 2
