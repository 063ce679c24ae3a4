"""Whatever is wrong with a config.json, a message says so: no traceback, exit code 2, nothing on standard output.

`bad_configs.json`: what a case changes in a config of BASES (a llama if it does not say), or its whole text.
"""

import json
from pathlib import Path

import pytest

from formula_eval.cli import main

CASES = json.loads((Path(__file__).parent / "bad_configs.json").read_text(encoding="utf-8"))
LLAMA = {
    "model_type": "llama",
    "num_hidden_layers": 32,
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_key_value_heads": 32,
    "intermediate_size": 11008,
    "vocab_size": 32000,
}
SMALL = LLAMA | {"num_hidden_layers": 4}
BASES = {
    "llama": LLAMA,
    "mixtral": SMALL | {"model_type": "mixtral", "num_local_experts": 8},
    "gemma2": SMALL | {"model_type": "gemma2", "head_dim": 128},
    "jamba": SMALL | {"model_type": "jamba"},
    "hunyuan_v1_moe": SMALL | {"model_type": "hunyuan_v1_moe", "num_experts": 8, "head_dim": 128},
    "nemotron_h": SMALL | {"model_type": "nemotron_h", "hybrid_override_pattern": "M-M*"},
}
NESTED = '{"model_type": ' + "[" * 100_000


def written(case):
    if "text" in case:
        return NESTED if case["text"] == "NESTED" else case["text"]
    config = BASES[case.get("base", "llama")] | case.get("with", {})
    return json.dumps({key: value for key, value in config.items() if key not in case.get("without", ())})


@pytest.fixture
def ask(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "1000")

    def asked(text):
        path = tmp_path / "config.json"
        path.write_text(text, encoding="utf-8")
        return main(["--model", str(path), "--only", "params.total"]), *capsys.readouterr()

    return asked


@pytest.mark.parametrize("base", BASES)
def test_the_configs_are_good_before_they_are_changed(base, ask):
    assert ask(json.dumps(BASES[base]))[0] == 0


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_a_bad_config(case, ask):
    code, out, err = ask(written(case))
    assert code == 2
    assert out == ""
    for text in case["says"]:
        assert text in err
    assert "Traceback" not in err
