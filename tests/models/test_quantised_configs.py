"""What a config says of its checkpoint's weights, whatever its family."""

import json
from pathlib import Path
from typing import Any

import pytest

from formula_eval import FormulaError, Formulas, load

CONFIGS = Path(__file__).parents[1] / "architectures" / "reference" / "configs"
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
        ({"quant_method": "mxfp4"}, 16),
        ({"quant_method": "modelopt", "quant_algo": "NVFP4"}, 4),
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


@pytest.mark.parametrize(
    ("quantization", "expected"), [({"quant_method": "frobnicate"}, True), ({"quant_method": "awq", "bits": 4}, False)]
)
def test_a_method_of_unknown_width_is_told(
    formulas: Formulas, tmp_path: Path, quantization: Any, *, expected: bool
) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps({**LLAMA, "quantization_config": quantization}), encoding="utf-8")
    checks = formulas.evaluate(only=["published_weight_bits"], model=str(path)).checks
    assert any("says no width of weights" in each.message for each in checks) == expected


FP8 = {"quant_method": "fp8", "weight_block_size": [128, 128]}
INTEGERS = {
    "quant_method": "compressed-tensors",
    "config_groups": {"group_0": {"weights": {"num_bits": 8, "type": "int"}, "input_activations": {"num_bits": 8}}},
}
EXPERTS = {
    "quant_method": "compressed-tensors",
    "ignore": ["lm_head", "re:.*self_attn.*"],
    "config_groups": {"group_0": {"weights": {"num_bits": 4, "group_size": 32, "type": "int"}}},
}
NVFP4 = {
    "quant_method": "compressed-tensors",
    "config_groups": {
        "group_0": {"weights": {"num_bits": 4, "type": "float", "group_size": 16}, "input_activations": {"num_bits": 4}}
    },
}
MXFP4 = {
    "quant_method": "compressed-tensors",
    "config_groups": {
        "group_0": {"weights": {"num_bits": 4, "type": "float", "group_size": 32}, "input_activations": {"num_bits": 4}}
    },
}
WIDTHS = ("weight_bits", "weight_group", "expert_weight_bits", "expert_weight_group", "activation_bits")


@pytest.mark.parametrize(
    ("quantization", "hardware", "expected"),
    [
        (FP8, "h100-sxm", (8, 16384, 8, 16384, 8)),
        (FP8, "a100-sxm-80gb", (8, 16384, 8, 16384, 16)),
        (FP8, "v100-sxm-32gb", (8, 16384, 8, 16384, 16)),
        ({"quant_method": "mxfp4"}, "h100-sxm", (16, 0, 4, 32, 16)),
        ({"quant_method": "gptq", "bits": 4, "group_size": 128}, "h100-sxm", (4, 128, 4, 128, 16)),
        ({"quant_method": "gptq", "bits": 4, "group_size": -1}, "h100-sxm", (4, 0, 4, 0, 16)),
        (INTEGERS, "a100-sxm-80gb", (8, 0, 8, 0, 8)),
        (INTEGERS, "v100-sxm-32gb", (8, 0, 8, 0, 16)),
        (EXPERTS, "h100-sxm", (16, 0, 4, 32, 16)),
        ({"quant_method": "modelopt", "quant_algo": "NVFP4"}, "b200-sxm", (4, 16, 4, 16, 4)),
        ({"quant_method": "modelopt", "quant_algo": "NVFP4"}, "h100-sxm", (4, 16, 4, 16, 16)),
        (NVFP4, "b200-sxm", (4, 16, 4, 16, 4)),
        (NVFP4, "h100-sxm", (4, 16, 4, 16, 16)),
        (NVFP4, "mi355x", (4, 16, 4, 16, 16)),
        (MXFP4, "b200-sxm", (4, 32, 4, 32, 4)),
        (MXFP4, "mi355x", (4, 32, 4, 32, 4)),
        (MXFP4, "h200-sxm", (4, 32, 4, 32, 16)),
        ({"quant_method": "modelopt", "quant_algo": "MXFP8"}, "b200-sxm", (8, 32, 8, 32, 8)),
        ({"quant_method": "modelopt", "quant_algo": "MXFP8"}, "h100-sxm", (8, 32, 8, 32, 16)),
        (INTEGERS, "b200-sxm", (8, 0, 8, 0, 16)),
        (FP8, "mi250x-gcd", (8, 16384, 8, 16384, 16)),
        (None, "h100-sxm", (16, 0, 16, 0, 16)),
    ],
)
def test_what_was_published_is_served_as_far_as_the_accelerator_can(
    formulas: Formulas, tmp_path: Path, quantization: Any, hardware: str, expected: tuple[float, ...]
) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps({**LLAMA, "quantization_config": quantization}), encoding="utf-8")
    result = formulas.evaluate(only=WIDTHS, model=str(path), hardware=hardware)
    assert tuple(result[name].value for name in WIDTHS) == expected


MXFP4_EXPERTS = {"quant_method": "fp8", "weight_block_size": [128, 128], "scale_fmt": "ue8m0"}


def test_experts_of_another_width_than_the_rest(formulas: Formulas, tmp_path: Path) -> None:
    row = CONFIGS / "deepseek-v4-flash" / "config.json"
    config = json.loads(row.read_text(encoding="utf-8")) | {"quantization_config": MXFP4_EXPERTS}
    path = tmp_path / "config.json"
    for said, expected in (
        ({"expert_dtype": "fp4"}, (8, 16384, 4, 32, 8)),
        ({"expert_dtype": "fp8"}, (8, 16384) * 2 + (8,)),
    ):
        path.write_text(json.dumps(config | said), encoding="utf-8")
        result = formulas.evaluate(only=WIDTHS, model=str(path), hardware="h100-sxm")
        assert tuple(result[name].value for name in WIDTHS) == expected


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("deepseek-v3", (8, 16384, 8, 16384, 8)),
        ("deepseek-v4-flash", (8, 16384, 4, 32, 8)),
        ("deepseek-v4-flash-base", (8, 16384, 8, 16384, 8)),
        ("mimo-v2-flash", (8, 16384, 8, 16384, 8)),
        ("minimax-m2.5", (8, 16384, 8, 16384, 8)),
        ("kimi-k2-thinking", (16, 0, 4, 32, 16)),
        ("gpt-oss-120b", (16, 0, 4, 32, 16)),
        ("deepseek-v3.2", (8, 16384, 8, 16384, 8)),
        ("kimi-k2", (8, 16384, 8, 16384, 8)),
        ("gpt-oss-20b", (16, 0, 4, 32, 16)),
        ("bitnet-2b", (2, 0, 2, 0, 8)),
        ("mistral-large-3", (8, 0, 8, 0, 8)),
        ("mistralai/Ministral-3-14B-Instruct-2512", (8, 0, 8, 0, 8)),
        ("mistralai/Ministral-3-14B-Base-2512", (16, 0, 16, 0, 16)),
        ("grok-1", (8, 0, 8, 0, 16)),
        ("glm-4.5", (16, 0, 16, 0, 16)),
        ("qwen3-235b-a22b", (16, 0, 16, 0, 16)),
    ],
)
def test_a_model_is_counted_as_it_was_published(formulas: Formulas, model: str, expected: tuple[float, ...]) -> None:
    result = formulas.evaluate(only=WIDTHS, model=model, hardware="h100-sxm")
    assert tuple(result[name].value for name in WIDTHS) == expected


@pytest.mark.parametrize("chosen", [{"format": "bf16"}, {"weight_bits": 16}])
def test_what_somebody_chooses_takes_the_place_of_all_that_was_published(
    formulas: Formulas, tmp_path: Path, chosen: dict[str, Any]
) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps({**LLAMA, "quantization_config": FP8}), encoding="utf-8")
    result = formulas.evaluate(only=WIDTHS, model=str(path), **chosen)
    assert tuple(result[name].value for name in WIDTHS) == (16, 0, 16, 0, 16)


def test_bits_that_are_no_number_are_refused(formulas: Formulas, tmp_path: Path) -> None:
    with pytest.raises(FormulaError, match="not a number"):
        bits(formulas, tmp_path / "config.json", {"bits": "few"})


def test_what_a_library_of_ones_own_says_of_all_families_comes_first(tmp_path: Path) -> None:
    common = tmp_path / "own" / "models" / "families" / "common"
    common.mkdir(parents=True)
    (common / "quantization.toml").write_text('[inputs]\npublished_weight_bits = "2"\n', encoding="utf-8")
    assert bits(load(tmp_path / "own"), tmp_path / "config.json", {"quant_method": "fp8"}) == 2
