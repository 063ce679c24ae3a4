"""Each verb tells what is stated and counts for nothing in what it shows, and nothing of what counts."""

import shlex
import tomllib
from pathlib import Path

import pytest

LINES = tomllib.loads(Path(__file__).with_name("idle_options.toml").read_text(encoding="utf-8"))["line"]


@pytest.mark.slow
@pytest.mark.parametrize("row", LINES, ids=lambda row: row["verb"])
def test_what_counts_for_nothing_is_told(row, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("inputs.toml").write_text(row.get("file", ""), encoding="utf-8")
    written = ["-o", row["written"]] if "written" in row else []
    code, _, err = run(*shlex.split(row["verb"]), *written)
    assert code == (2 if row.get("refused") else 0)
    told = " ".join(err.split())
    assert not [each for each in row["told"] if each not in told]
    assert not [each for each in row.get("silent", ()) if f"{each} " in told or f"`{each}`" in told]
