"""Small configs of every family against the classes of transformers 5.23 that read them, and code of its own.

`class_counts.json`: a config with keys left out as a config may, the parameters of its class, those of its routed
experts, and how its 16-bit cache grows with each token (left out where the class has no cache that can be asked).
`published_counts.json`: configs of models that bring their own code, with their published number of parameters.
"""

import json
from pathlib import Path

import pytest

from formula_eval import FormulaError
from formula_eval.libraries import find_library
from formula_eval.text_files import read_toml

HERE = Path(__file__).parent
ROWS = json.loads((HERE / "class_counts.json").read_text(encoding="utf-8"))
PUBLISHED = json.loads((HERE / "published_counts.json").read_text(encoding="utf-8"))
NAMES = {
    "params.total": "params_total",
    "params.experts_total": "routed_experts",
    "memory.kv_bytes_per_token": "kv_bytes_per_token",
}
FAMILIES = {path.stem: read_toml(path, path.name) for _, path in find_library().files("models/families/*.toml")}
FOR_ALL = read_toml(HERE.parents[1] / "models" / "families" / "common" / "without_effect.toml", "without_effect.toml")
UNSUPPORTED = read_toml(HERE.parent / "architectures" / "unsupported.toml", "unsupported.toml")
READ = [each for each, family in FAMILIES.items() if "true" not in family.get("refuse", {})]


@pytest.fixture
def read(formulas, tmp_path):
    def asked(config, names):
        path = tmp_path / "config.json"
        path.write_text(json.dumps(config), encoding="utf-8")
        result = formulas.evaluate(only=list(names), model=str(path), index_key_bits=16)
        return {name: result[name].value for name in names}

    return asked


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["config"]["model_type"])
def test_a_class(row, read):
    expected = {name: row[key] for name, key in NAMES.items() if key in row}
    assert read(row["config"], expected) == expected


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: row["name"])
def test_code_of_its_own(row, read):
    assert read(row["config"], ["params.total"]) == {"params.total": row["params_total"]}


def test_every_family_has_a_config():
    asked = {row["config"]["model_type"] for row in ROWS + PUBLISHED}
    assert asked >= set(READ) - {"longcat_flash"}, "LongCat's class allocates rows that no checkpoint has"


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_is_named_by_its_file(family):
    assert FAMILIES[family]["model_type"] == family
    assert FAMILIES[family]["source"]


@pytest.mark.parametrize("family", UNSUPPORTED)
def test_what_cannot_be_represented_is_refused(family, read):
    with pytest.raises(FormulaError, match=f"cannot be represented: {UNSUPPORTED[family]}"):
        read({"model_type": family}, ["params.total"])


def test_no_family_is_lost():
    assert set(FAMILIES) - set(READ) == set(UNSUPPORTED)


def test_a_decoder_within_a_config_is_read_alone(read):
    inner = {"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4}
    inner |= {"vocab_size": 100, "intermediate_size": 128}
    plain = read(inner, ["params.total"])
    assert read({"model_type": "quantum_vl", "text_config": inner}, ["params.total"]) == plain
    assert read({"model_type": "quantum_chat", "llm_config": inner}, ["params.total"]) == plain
    tied = {"model_type": "quantum_vl", "text_config": inner, "tie_word_embeddings": True}
    assert read(tied, ["params.total"])["params.total"] == plain["params.total"] - 100 * 64


def test_another_name_for_a_family(read):
    row = next(row for row in ROWS if row["config"]["model_type"] == "deepseek_v3")
    named = read(row["config"] | {"model_type": "kimi_k2"}, ["params.total"])
    assert named["params.total"] == row["params_total"]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_gives_reasons_of_its_own(family):
    shared = FOR_ALL["without_effect"]
    known = {key for keys in shared.values() for key in keys}
    own = FAMILIES[family].get("without_effect", {})
    assert not own.keys() & shared.keys(), "it would take the place of the list of all families"
    assert not known & {key for keys in own.values() for key in keys}, "every family knows it"
