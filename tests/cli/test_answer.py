"""What the main command prints."""

import csv
import io
import json
import os
import tomllib
from pathlib import Path

import pytest

from formula_eval.export.terminal.json_csv import safe
from formula_eval.export.terminal.screen import screen
from formula_eval.library import find_library

GOLDEN = Path(__file__).parent / "golden"
QUESTIONS = {
    "llama2-70b": "--model llama2-70b --tp 8",
    "does-not-fit": "--model llama3.1-405b",
    "experts": "--model mixtral-8x7b --tp 2 --batch 32 --gpu a100-sxm-80gb",
    "latent-experts": "--model deepseek-v3 --tp 8 --ep 8 --weight-bits 8 --gpu h200-sxm --batch 32",
    "state-space": "--model mamba-2.8b --batch 16",
    "encoder-decoder": "--model t5-base --batch 8 --prompt 1 --encoder-prompt 512",
    "training": "--training --model llama3.1-405b --gpus 16384 --tp 8 --pp 16 --global-batch 2048 --seq 8192"
    " --training-tokens 15.6e12",
    "training-fits": "--training --model mixtral-8x7b --gpus 128 --tp 4 --pp 4 --ep 8 --global-batch 512",
}


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("name", QUESTIONS)
def test_golden(name, columns, run, monkeypatch):
    """`UPDATE_GOLDEN=1 pytest tests/cli` writes the files anew; read the difference."""
    monkeypatch.setenv("COLUMNS", str(columns))
    code, out, err = run(*QUESTIONS[name].split())
    assert (code, err) == (0, "")
    assert max(len(line) for line in out.splitlines()) <= columns
    path = GOLDEN / f"{name}.{columns}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(out, encoding="utf-8")
    assert out == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("model", ["gpt2", "gemma2-9b", "llama3.1-405b", "falcon-180b"])
@pytest.mark.parametrize("more", ["", "--batch 100000", "--tp 4 --pp 2", "--prompt 1000000"])
def test_no_line_is_too_wide(model, more, run):
    if model == "gpt2" and "tp 4" in more:
        more = "--tp 3"
    code, out, err = run("--model", model, *more.split())
    if code == 0:
        assert max(len(line) for line in out.splitlines()) <= 80
    else:
        assert err


def test_without_blocks_where_the_encoding_lacks_them():
    assert screen(80, "ascii", lambda text, _: text).glyphs.parts == "#=+"
    assert screen(80, "utf-8", lambda text, _: text).glyphs.parts == "█▓▒"


def test_what_does_not_fit_names_the_smallest_tp_that_does(run):
    out = run("--model", "llama3.1-405b").out
    assert "does not fit" in out
    (tp,) = [word for word in out.splitlines()[-1].split() if word.isdigit()]
    assert out.splitlines()[-1].endswith(f"--tp {tp}")
    assert run("--model", "llama3.1-405b", "--tp", tp, "--only", "memory.fits").out.split()[-1] == "yes"
    half = str(int(tp) // 2)
    assert run("--model", "llama3.1-405b", "--tp", half, "--only", "memory.fits").out.split()[-1] == "no"


def test_a_job_that_fits_nowhere_is_answered_and_says_so(run):
    code, out, err = run("--training", "--model", "llama3.1-405b", "--gpu", "rtx-4090")
    assert (code, err) == (0, "")
    assert "warn  Does not fit: 7.969 TB of 24 GB per GPU, most of it states." in out
    assert json.loads(run("--training", "--model", "llama3.1-405b", "--format", "json").out)["values"]


def test_the_largest_batch_of_the_hint_fits_and_one_more_does_not(run):
    last = run("--model", "llama2-70b", "--tp", "8").out.splitlines()[-1]
    most = int(last.split("--batch ")[1].split()[0])
    fits = ("--model", "llama2-70b", "--tp", "8", "--only", "memory.fits", "--batch")
    assert run(*fits, str(most)).out.split()[-1] == "yes"
    assert run(*fits, str(most + 1)).out.split()[-1] == "no"


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
    values = json.loads(run("--model", "llama2-70b", "--format", "json").out)["values"]
    answers = find_library().folders[0] / "reports" / "answers"
    layout = tomllib.loads((answers / "serving.toml").read_text(encoding="utf-8"))
    entries = [each for section in layout["section"] for each in section.get("entries", ())]
    assert all(each["name"] in values for each in entries if "name" in each)


def test_options_that_change_nothing_are_told(run):
    code, out, err = run("--model", "llama2-70b", "--gpus", "8", "--request-rate", "3 request/s", "--tp", "8")
    assert (code, out) == (0, run("--model", "llama2-70b", "--tp", "8").out)
    first, second, help_ = err.splitlines()
    assert first.startswith("note: --gpus changes nothing in this answer: Accelerators of the whole job")
    assert second.startswith("note: --request-rate changes nothing")
    assert help_ == "help: Ask for what reads it: --only 'arrivals.*'"
    assert run("--training", "--model", "llama2-70b", "--gpus", "8").err == ""
    assert "--batch changes nothing" in run("--training", "--model", "llama2-70b", "--set", "batch=4").err


def test_drafts_and_offload_are_answered_where_they_are_asked_for(run):
    plain = run("--model", "llama2-70b", "--tp", "8")
    drafted = run("--model", "llama2-70b", "--tp", "8", "--drafted-tokens", "4", "--drafter", "lookup")
    offloaded = run("--model", "llama2-70b", "--gpu", "t4", "--offloaded-weights", "0.95")
    assert "The same with drafts" not in plain.out
    assert "offloaded" not in plain.out
    assert "drafted 4 tokens" in " ".join(drafted.out.split())
    assert "times as fast" in drafted.out
    assert "weights offloaded 0.95" in " ".join(offloaded.out.split())
    assert "The same with reading what is offloaded" in offloaded.out
    assert plain.err == drafted.err == offloaded.err == ""


def test_an_encoder_has_no_figures_of_generation(run):
    out = run("--model", "bert-base").out
    assert "time to first token" in out
    assert not any(each in out for each in ("generated  ", "KV cache", "output token", "throughput", "whole request"))


def test_markdown_goes_by_two_names(run):
    asked = ("--model", "gpt2", "--only", "params.*", "--format")
    assert run(*asked, "md") == run(*asked, "markdown")
    assert run(*asked, "md").out.startswith("| name | value |")


def test_only(run):
    out = run("--model", "llama2-70b", "--only", "params.total").out
    assert out == "params.total  68,976,648,192 params\n"
    cells = json.loads(
        run("--model", "llama2-70b", "--only", "operators.pass_operators.*.time", "--format", "json").out
    )
    assert len(cells["values"]) == 24


def test_options_and_set_mean_the_same(run):
    as_option = run("--model", "llama2-70b", "--tp", "8", "--kv-bits", "8", "--only", "memory.*").out
    assert as_option == run("--model", "llama2-70b", "--set", "tp=8", "--set", "kv_bits=8", "--only", "memory.*").out


def test_flags(run):
    def matrices(*more: str) -> str:
        return run("--model", "llama2-70b", "--only", "params.ffn_matrices", *more).out.split()[1]

    assert matrices() == "3"
    assert matrices("--no-gated") == matrices("--gated", "false") == matrices("--gated=no") == "2"
    assert matrices("--gated") == "3"


def test_csv(run):
    rows = list(csv.reader(io.StringIO(run("--model", "llama2-70b", "--format", "csv").out)))
    assert rows[0] == ["name", "value", "unit"]
    assert ["params.total", "68976648192", "param"] in rows


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


def test_every_accelerator_evaluates(run):
    for line in run("list", "hardware", "--format", "json").out.split('"id": "')[1:]:
        accelerator = line.partition('"')[0]
        code, _, err = run("--model", "llama2-7b", "--gpu", accelerator, "--only", "inference.tpot")
        assert (code, err) == (0, ""), accelerator
