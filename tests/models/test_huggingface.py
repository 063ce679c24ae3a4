"""Configs of the Hugging Face hub against the tensors of the classes that read them.

`huggingface_configs.json`: the keys of each config.json that say something of its shape, the number of parameters of
its model class in transformers 5.23, those that one token touches, and how its 16-bit cache grows with each token
(null for the large Falcons, whose class caches a copy of each key for every query head, which no server does).
"""

import json
from pathlib import Path

import pytest

ROWS = json.loads((Path(__file__).parent / "huggingface_configs.json").read_text(encoding="utf-8"))
WANTED = {
    "params.total": "params_total",
    "params.active": "params_active",
    "memory.kv_bytes_per_token": "kv_bytes_per_token",
}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_config(row, formulas, tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(row["config"]), encoding="utf-8")
    result = formulas.evaluate(only=list(WANTED), model=str(path))
    expected = {name: row[key] for name, key in WANTED.items() if row[key] is not None}
    assert {name: result[name].value for name in expected} == expected
