"""What the main command writes for programs: JSON, CSV, Markdown, single quantities, files."""

import csv
import io
import json
import tomllib

from formula_eval.export.terminal.json_csv import safe
from formula_eval.libraries import find_library


def test_json(run):
    code, out, err = run("--model", "llama2-70b", "--format", "json")
    assert (code, err) == (0, "")
    data = json.loads(out)
    assert list(data) == ["inputs", "values", "checks"]
    assert data["values"]["params.total"] == {"value": 68_976_648_192, "unit": "param"}
    assert data["values"]["memory.kv_bytes_per_token"] == {"value": 327_680, "unit": "byte/token"}
    assert data["inputs"]["layers"] == {"value": 80, "unit": "layer", "origin": "models/llama2-70b.toml"}
    assert data["inputs"]["tp"] == {"value": 1, "unit": "GPU", "origin": "default"}
    assert data["inputs"]["model"]["value"] == "llama2-70b"
    assert data["inputs"]["hardware"] == {"value": "h100-sxm", "unit": "", "origin": "default"}
    assert all(set(each) == {"name", "level", "ok", "message"} for each in data["checks"])


def test_json_holds_all_that_the_table_shows(run):
    data = json.loads(run("--model", "llama2-70b", "--format", "json").out)
    values = data["values"]
    assert data["checks"]
    assert all(bool(each["message"]) != each["ok"] for each in data["checks"])
    answers = find_library().folders[0] / "reports" / "answers"
    layout = tomllib.loads((answers / "serving.toml").read_text(encoding="utf-8"))
    shown = [section for section in layout["section"] if "with" not in section]
    entries = [each for section in shown for each in section.get("entries", ())]
    assert all(each["name"] in values for each in entries if "name" in each and "with" not in each)


def test_markdown_goes_by_two_names(run):
    asked = ("--model", "gpt2", "--only", "params.*", "--format")
    assert run(*asked, "md") == run(*asked, "markdown")
    assert run(*asked, "md").out.startswith("| name | value |")


def test_only(run):
    out = run("--model", "llama2-70b", "--only", "params.total").out
    assert out == "params.total  68,976,648,192 params\n"
    asked = "--model", "llama2-70b", "--only", "operators.pass_operators.*.time", "--format", "json"
    assert len(json.loads(run(*asked, "--phase", "decode").out)["values"]) == 35


def test_csv(run):
    rows = list(csv.reader(io.StringIO(run("--model", "llama2-70b", "--format", "csv").out)))
    assert rows[0] == ["name", "value", "unit", "kind"]
    for row in (["params.total", "68976648192", "param", "result"], ["tp", "1", "GPU", "default"]):
        assert row in rows
    assert ["tp", "8", "GPU", "input"] in list(
        csv.reader(io.StringIO(run("--model", "llama2-70b", "--tp", "8", "--format", "csv").out))
    )


def test_csv_cells_are_no_formulas():
    assert [safe(each) for each in ("=1", "+x", "-x", "@x", "\tx", "x")] == ["'=1", "'+x", "'-x", "'@x", "'\tx", "x"]
    assert [safe(each) for each in (-1.5, 3, True, None)] == ["-1.5", "3", "true", ""]


def test_markdown(run):
    out = run("--model", "llama2-70b", "--format", "markdown").out
    assert "## Parameters" in out
    assert "| total | 68,976,648,192 |" in out


def test_output_to_a_file(run, tmp_path):
    path = tmp_path / "answer.txt"
    printed = run("--model", "gpt2").out
    assert run("--model", "gpt2", "-o", str(path)) == (0, "", "")
    assert path.read_text(encoding="utf-8") == printed
    assert [each.name for each in tmp_path.iterdir()] == ["answer.txt"]


def test_scenario_file(run, tmp_path):
    path = tmp_path / "scenario.toml"
    path.write_text('model = "llama2-70b"\ngpu = "a100-sxm-80gb"\ntp = 4\n', encoding="utf-8")
    data = json.loads(run("--inputs", str(path), "--batch", "7", "--format", "json").out)["inputs"]
    assert (data["tp"]["value"], data["tp"]["origin"]) == (4, str(path))
    assert (data["batch"]["value"], data["batch"]["origin"]) == (7, "--batch")
    assert data["hardware"]["value"] == "a100-sxm-80gb"
    assert data["memory_bandwidth"]["origin"] == "hardware.toml [a100-sxm-80gb]"
