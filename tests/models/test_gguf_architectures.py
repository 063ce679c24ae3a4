"""A small file of each architecture: the family and the keys that its table names count every number of its tensors.

Tensors are those that llama.cpp's conversion writes (gguf-py/gguf/constants.py), for two layers and 4 heads of 64, 2
of them for keys and values. What balances the load of experts is not a parameter of theirs.
"""

import math
from pathlib import Path
from typing import Any

import pytest

from formula_eval import FormulaError, Formulas
from formula_eval.libraries import find_library
from models.checkpoint_files import METADATA, Shapes, write_gguf

KNOWN = find_library().last("models/checkpoints/gguf.toml")[1]["architectures"]
Layer = dict[str, list[int]]

ATTENTION: Layer = {"attn_q": [256, 256], "attn_k": [128, 256], "attn_v": [128, 256], "attn_output": [256, 256]}
FEED_FORWARD: Layer = {"ffn_gate": [512, 256], "ffn_up": [512, 256], "ffn_down": [256, 512]}
NORMS: Layer = {"attn_norm": [256], "ffn_norm": [256]}
FOUR_NORMS: Layer = {**NORMS, "post_attention_norm": [256], "post_ffw_norm": [256]}
QKV_BIAS: Layer = {"attn_q.bias": [256], "attn_k.bias": [128], "attn_v.bias": [128]}
HEAD_NORMS: Layer = {"attn_q_norm": [64], "attn_k_norm": [64]}
PLAIN = {**ATTENTION, **FEED_FORWARD, **NORMS}


def experts(width: int) -> Layer:
    """A router over 4 experts of this width."""
    inner = {"ffn_gate_exps": [4, width, 256], "ffn_up_exps": [4, width, 256], "ffn_down_exps": [4, 256, width]}
    return {"ffn_gate_inp": [4, 256], **inner}


def shared(width: int) -> Layer:
    """A feed-forward network beside the experts."""
    return {"ffn_gate_shexp": [width, 256], "ffn_up_shexp": [width, 256], "ffn_down_shexp": [256, width]}


ROUTED = {"expert_count": 4, "expert_used_count": 2}
LATENT: Layer = {
    "attn_q_a": [96, 256],
    "attn_q_a_norm": [96],
    "attn_q_b": [4 * 96, 96],
    "attn_kv_a_mqa": [128 + 32, 256],
    "attn_kv_a_norm": [128],
    "attn_k_b": [4, 128, 64],
    "attn_v_b": [4, 64, 128],
    "attn_output": [256, 4 * 64],
}
LATENT_KEYS = {
    "attention.q_lora_rank": 96,
    "attention.kv_lora_rank": 128,
    "attention.key_length_mla": 96,
    "attention.value_length_mla": 64,
    "attention.key_length": 160,
    "attention.value_length": 128,
    "rope.dimension_count": 32,
}
BERT: Layer = {
    **{f"attn_{name}": [256, 256] for name in ("q", "k", "v", "output")},
    **{f"attn_{name}.bias": [256] for name in ("q", "k", "v", "output")},
    **{f"{norm}{part}": [256] for norm in ("attn_output_norm", "layer_output_norm") for part in ("", ".bias")},
    "ffn_up": [512, 256],
    "ffn_up.bias": [512],
    "ffn_down": [256, 512],
    "ffn_down.bias": [256],
}
NOMIC_BERT: Layer = {
    "attn_qkv": [768, 256],
    "attn_output": [256, 256],
    **{f"{norm}{part}": [256] for norm in ("attn_output_norm", "layer_output_norm") for part in ("", ".bias")},
    **FEED_FORWARD,
}
GPT2: Layer = {
    "attn_qkv": [768, 256],
    "attn_qkv.bias": [768],
    "attn_output": [256, 256],
    "attn_output.bias": [256],
    "ffn_up": [512, 256],
    "ffn_up.bias": [512],
    "ffn_down": [256, 512],
    "ffn_down.bias": [256],
    **NORMS,
    "attn_norm.bias": [256],
    "ffn_norm.bias": [256],
}
GPT_OSS: Layer = {
    **ATTENTION,
    **QKV_BIAS,
    "attn_output.bias": [256],
    "attn_sinks": [4],
    **experts(512),
    "ffn_gate_inp.bias": [4],
    "ffn_gate_exps.bias": [4, 512],
    "ffn_up_exps.bias": [4, 512],
    "ffn_down_exps.bias": [4, 256],
    "attn_norm": [256],
    "post_attention_norm": [256],
}
DEEPSEEK: Layer = {**LATENT, **NORMS, **experts(128), **shared(256)}
DEEPSEEK_KEYS = {
    **LATENT_KEYS,
    **ROUTED,
    "expert_feed_forward_length": 128,
    "expert_shared_count": 2,
    "leading_dense_block_count": 0,
}
QWEN2_MOE: Layer = {**ATTENTION, **QKV_BIAS, **NORMS, **experts(128), **shared(256), "ffn_gate_inp_shexp": [256]}
QWEN2_MOE_KEYS = {**ROUTED, "expert_feed_forward_length": 128, "expert_shared_feed_forward_length": 256}
OLMO2: Layer = {
    **ATTENTION,
    **FEED_FORWARD,
    "attn_q_norm": [256],
    "attn_k_norm": [128],
    "post_attention_norm": [256],
    "post_ffw_norm": [256],
}
FUSED: Layer = {"ffn_up": [1024, 256], "ffn_down": [256, 512]}

CASES: list[tuple[str, Layer, dict[str, Any]]] = [
    ("llama", PLAIN, {}),
    ("llama", {**ATTENTION, **NORMS, **experts(512)}, ROUTED),
    ("bert", BERT, {"attention.head_count_kv": 4, "attention.causal": False}),
    ("nomic-bert", NOMIC_BERT, {"attention.head_count_kv": 4, "attention.causal": False, "rope.freq_base": 1000.0}),
    ("gemma-embedding", {**ATTENTION, **FEED_FORWARD, **FOUR_NORMS, **HEAD_NORMS}, {"attention.sliding_window": 64}),
    ("qwen2", {**PLAIN, **QKV_BIAS}, {}),
    ("qwen2vl", {**PLAIN, **QKV_BIAS}, {}),
    ("qwen3vl", {**PLAIN, **HEAD_NORMS}, {"n_deepstack_layers": 3}),
    ("qwen3vlmoe", {**ATTENTION, **HEAD_NORMS, **NORMS, **experts(128)}, {**ROUTED, "expert_feed_forward_length": 128}),
    ("qwen2moe", QWEN2_MOE, QWEN2_MOE_KEYS),
    ("qwen3", {**PLAIN, **HEAD_NORMS}, {}),
    ("qwen3moe", {**ATTENTION, **HEAD_NORMS, **NORMS, **experts(128)}, {**ROUTED, "expert_feed_forward_length": 128}),
    ("gemma", PLAIN, {}),
    ("gemma2", {**ATTENTION, **FEED_FORWARD, **FOUR_NORMS}, {"attention.sliding_window": 64}),
    ("gemma3", {**ATTENTION, **FEED_FORWARD, **FOUR_NORMS, **HEAD_NORMS}, {"attention.sliding_window": 64}),
    ("phi3", {"attn_qkv": [512, 256], "attn_output": [256, 256], **FUSED, **NORMS}, {}),
    ("gpt2", GPT2, {}),
    ("gpt-oss", GPT_OSS, {**ROUTED, "expert_feed_forward_length": 512, "attention.sliding_window": 64}),
    ("deepseek2", {**DEEPSEEK, "exp_probs_b.bias": [4]}, {**DEEPSEEK_KEYS, "expert_gating_func": 2}),
    ("deepseek2", DEEPSEEK, {**DEEPSEEK_KEYS, "expert_gating_func": 1}),
    ("olmo2", OLMO2, {}),
    ("granite", PLAIN, {}),
    ("glm4", {**ATTENTION, **QKV_BIAS, **FUSED, **FOUR_NORMS}, {}),
    ("seed_oss", {**ATTENTION, **QKV_BIAS, **FEED_FORWARD, "attn_norm": [256], "post_attention_norm": [256]}, {}),
    ("smollm3", PLAIN, {}),
    ("ernie4_5", PLAIN, {}),
]
TIED = {"bert", "nomic-bert", "gpt2", "gemma", "gemma2", "gemma3", "gemma-embedding", "smollm3", "ernie4_5"}
OUTER: dict[str, Layer] = {
    "bert": {
        "position_embd": [4096, 256],
        "token_types": [2, 256],
        "token_embd_norm": [256],
        "token_embd_norm.bias": [256],
    },
    "nomic-bert": {"token_types": [2, 256], "token_embd_norm": [256], "token_embd_norm.bias": [256]},
    "gpt2": {"position_embd": [4096, 256], "output_norm.bias": [256]},
}


def shapes_of(architecture: str, layer: Layer) -> Shapes:
    outer = {"token_embd": [1000, 256], "output_norm": [256], **OUTER.get(architecture, {})}
    if architecture in {"bert", "nomic-bert"}:
        del outer["output_norm"]
    if architecture not in TIED:
        outer["output"] = [1000, 256]
    inner = {f"blk.{n}.{name}": shape for n in range(2) for name, shape in layer.items()}
    whole = {name if name.endswith(".bias") else f"{name}.weight": shape for name, shape in {**outer, **inner}.items()}
    return {name: ("F16" if len(shape) > 1 else "F32", shape) for name, shape in whole.items()}


@pytest.mark.parametrize(("architecture", "layer", "keys"), CASES, ids=[case[0] for case in CASES])
def test_every_number_is_counted(
    architecture: str, layer: Layer, keys: dict[str, Any], formulas: Formulas, tmp_path: Path
) -> None:
    base = {key.removeprefix("llama."): value for key, value in METADATA.items() if key.startswith("llama.")}
    own = {f"{architecture}.{key}": value for key, value in {**base, "attention.key_length": 64, **keys}.items()}
    if architecture == "gpt2":
        del own["gpt2.attention.head_count_kv"]
    shapes = shapes_of(architecture, layer)
    path = write_gguf(tmp_path / "small.gguf", {"general.architecture": architecture, **own}, shapes)
    result = formulas.evaluate(only=["params.total", "checkpoint_params"], model=str(path))
    counted = {name: math.prod(shape) for name, (_, shape) in shapes.items()}
    assert result["checkpoint_params"].value == sum(counted.values())
    assert result["params.total"].value == sum(n for name, n in counted.items() if "exp_probs_b" not in name)


def test_every_architecture_has_a_file() -> None:
    assert {case[0] for case in CASES} == set(KNOWN) - {"clip"}  # no language model: refused, as below


def test_an_encoder_beside_a_language_model_is_told_of(formulas: Formulas, tmp_path: Path) -> None:
    encoder = write_gguf(
        tmp_path / "mmproj-f16.gguf", {"general.architecture": "clip"}, {"v.patch_embd.weight": ("F32", [4])}
    )
    with pytest.raises(FormulaError, match="without its language model"):
        formulas.evaluate(only=["params.total"], model=str(encoder))
    write_gguf(tmp_path / "small.gguf", METADATA, shapes_of("llama", PLAIN))
    for named in (tmp_path, tmp_path / "small.gguf"):
        result = formulas.evaluate(only=["params.total"], model=str(named))
        told = " ".join(each.message for each in result.checks if not each.ok)
        assert "`mmproj-f16.gguf`, the encoder beside it, is not counted" in told
