"""What the reader of a config.json is told: sizes left to the family, keys misspelt, parts that are not counted."""

import json

import pytest

from formula_eval import FormulaError
from formula_eval.records.record_files import find_record

LLAMA = {
    "model_type": "llama",
    "num_hidden_layers": 80,
    "hidden_size": 8192,
    "num_attention_heads": 64,
    "num_key_value_heads": 8,
    "intermediate_size": 28672,
    "vocab_size": 32000,
    "max_position_embeddings": 4096,
}


@pytest.fixture
def remark(formulas, tmp_path):
    def read(config):
        (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
        evaluator = formulas.evaluator
        return find_record(evaluator.library, evaluator.schema, "model", str(tmp_path)).remark

    return read


def renamed(old, new):
    return {new if key == old else key: value for key, value in LLAMA.items()}


def test_a_whole_config_says_nothing(remark):
    assert remark(LLAMA) == ""
    assert remark({**LLAMA, "bos_token_id": 1, "initializer_range": 0.02, "sliding_window": None}) == ""


def test_a_size_left_to_the_family_is_told(remark):
    config = {key: value for key, value in LLAMA.items() if key != "intermediate_size"}
    assert "does not state intermediate_size = 11,008: the default of its family is used" in remark(config)


@pytest.mark.parametrize(
    ("key", "written"),
    [
        ("intermediate_size", "intermediate_sise"),
        ("intermediate_size", "Intermediate_Size"),
        ("num_key_value_heads", "num_kv_heads"),
        ("num_key_value_heads", "num_key_value_head"),
    ],
)
def test_a_misspelt_key_is_told(key, written, remark):
    assert f"`{written}` is not a key of its family: did you mean `{key}`?" in remark(renamed(key, written))


def test_what_changes_nothing_is_not_told(remark):
    qwen = {**LLAMA, "model_type": "qwen2", "use_sliding_window": False}
    assert "sliding_window" not in remark(qwen)


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ({"vision_config": {"depth": 32}}, "a vision encoder"),
        ({"audio_config": {"layers": 2}, "vision_config": {"depth": 32}}, "a vision encoder and an audio encoder"),
    ],
)
def test_parts_that_are_not_counted_are_told(parts, told, remark):
    assert f"describes {told} too, not counted here" in remark({"model_type": "some_vl", "text_config": LLAMA, **parts})
    assert f"describes {told} too, not counted here" in remark({**LLAMA, **parts})


def test_a_denoiser_is_no_family_of_language_models(remark):
    with pytest.raises(FormulaError, match="`FluxTransformer2DModel`, which has no table"):
        remark({"_class_name": "FluxTransformer2DModel", "num_layers": 19})


def test_a_negative_size_is_refused(remark):
    glm = {**LLAMA, "model_type": "glm4_moe", "first_k_dense_replace": -7}
    with pytest.raises(FormulaError, match="`first_k_dense_replace` is -7"):
        remark(glm)
