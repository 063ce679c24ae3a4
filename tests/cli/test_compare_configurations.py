"""`compare` with several values of an option: columns of configurations, in every form."""

import csv
import io
import json
import shlex

import pytest

from counted import seen

pytestmark = pytest.mark.slow

ASKED = shlex.split("compare --model llama2-7b --gpu h100-sxm,h200-sxm,b200-sxm")
ROWS = ("--only", "tpot", "--only", "fits")


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("more", [(), ("--why",), ("--tp", "1,2,4")])
def test_lines_fit_the_terminal(run, monkeypatch, columns, more):
    monkeypatch.setenv("COLUMNS", str(columns))
    code, out, err = run(*ASKED, *more)
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= columns
    assert out.splitlines()[0].split()[0] == "h100-sxm"


def test_the_screen_names_the_cause(run):
    lines = run(*ASKED, *ROWS).out.splitlines()
    assert lines[0].split() == ["h100-sxm", "h200-sxm", "b200-sxm"]
    assert [line.split()[0] for line in lines[1:3]] == ["time", "fits"]
    assert any(line.split()[:2] == ["h200-sxm", "memory_bandwidth"] for line in lines)


def test_as_data(run):
    data = json.loads(run(*ASKED, *ROWS, "--format", "json").out)
    assert [each["varies"] for each in data["columns"]] == [
        {"hardware": each} for each in ("h100-sxm", "h200-sxm", "b200-sxm")
    ]
    times = data["quantities"][0]["answers"]
    assert times["b200-sxm"]["ratio"] == times["b200-sxm"]["value"] / times["h100-sxm"]["value"]
    assert times["b200-sxm"]["causes"][0]["input"] == "memory_bandwidth"
    rows = list(csv.DictReader(io.StringIO(run(*ASKED, *ROWS, "--format", "csv").out)))
    assert [(each["name"], each["configuration"]) for each in rows[:2]] == [
        ("inference.tpot", "h100-sxm"),
        ("inference.tpot", "h200-sxm"),
    ]
    text = run(*ASKED, *ROWS, "--format", "markdown").out
    assert "|  | h100-sxm | h200-sxm | ratio | b200-sxm | ratio |" in text
    assert "  - memory_bandwidth 4.8 TB/s (3.35 TB/s)" in text


def test_scenario_files_are_columns(run, tmp_path):
    for name, batch in (("small", 1), ("large", 64)):
        (tmp_path / f"{name}.toml").write_text(f'model = "llama2-7b"\nbatch = {batch}\n', encoding="utf-8")
    files = f"{tmp_path}/small.toml,{tmp_path}/large.toml"
    code, out, _ = run("compare", "--inputs", files, "--only", "throughput")
    assert code == 0
    assert out.splitlines()[0].split() == ["small", "large"]
    assert "batch 64 sequences (1 sequence)" in out


def test_files_about_different_things_are_refused(run, tmp_path):
    (tmp_path / "a.toml").write_text('model = "llama2-7b"\n', encoding="utf-8")
    (tmp_path / "b.toml").write_text('model = "llama2-7b"\nanswer = "training"\n', encoding="utf-8")
    code, out, err = run("compare", "--inputs", f"{tmp_path}/a.toml,{tmp_path}/b.toml")
    assert (code, out) == (2, "")
    assert "about training" in err


def test_what_one_configuration_refuses_does_not_stop_the_others(run):
    code, out, _ = run("compare", "--model", "llama2-7b", "--tp", "1,3", *ROWS)
    assert code == 0
    assert "refused" in out
    assert "Not answered" in out


def test_workers_apart_are_compared_without_what_one_pool_would_take(run):
    one = run("compare", "--model", "llama3-8b", "--batch", "1,8").out
    apart = run("compare", "--model", "llama3-8b", "--prefill-tp", "1,2", "--request-rate", "3/s").out
    for title in seen(("GPUs of a replica", "weights per GPU", "KV cache per GPU", "largest batch")):
        assert title in one
        assert title not in apart
    assert "prefill workers" in apart


def test_a_cost_without_a_price_says_so(run):
    told = run("compare", "llama3-8b", "--gpu", "h100,h800").out
    assert "is absent: `price` was not given" in " ".join(told.split())


def test_what_does_not_fit_has_no_times(run):
    code, out, _ = run("compare", "--model", "llama2-70b", "--gpu", "rtx-4090,b200-sxm", "--batch", "8")
    assert code == 0
    rows = {line.strip()[:22].strip(): line.split()[-3:] for line in out.partition("\n\n")[0].splitlines()[1:]}
    assert rows["fits"][-2:] == ["no", "yes"]
    for title in ("time to first token", "throughput", "1M output tokens"):
        assert rows[title][0] == "-", title
    assert "Not answered" not in out
    asked = ("--only", "inference.tpot", "--format", "json")
    _, named, _ = run("compare", "--model", "llama2-70b", "--gpu", "rtx-4090,b200-sxm", *asked)
    answers = json.loads(named)["quantities"][0]["answers"]
    assert all(each["value"] > 0 for each in answers.values())  # who names a quantity is answered


def test_shares_are_shown_in_percent(run) -> None:  # type: ignore[no-untyped-def]
    asked = ["compare", "--training", "llama3.1-8b,qwen3-8b", "--gpus", "8", "--recompute", "full"]
    shown, named = run(*asked)[1], run(*asked, "--only", "training.mfu in percent")[1]
    told = [line.split()[1] for text in (shown, named) for line in text.splitlines() if line.split()[:1] == ["MFU"]]
    assert len(told) == 2
    assert told[0] == told[1]
    assert told[0].endswith("%")


def test_words_of_an_input_are_told_as_plans_tell_them(run) -> None:  # type: ignore[no-untyped-def]
    head = run("compare", "llama2-7b", "h100-sxm", "--price-kind", "on_demand,three_years", *ROWS).out.splitlines()[0]
    assert [each.strip() for each in head.split("  ")[-2:]] == ["price kind on demand", "price kind three years"]


def test_rows_that_nothing_has_are_left_out_where_none_fits(run) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = run("compare", "--model", "deepseek-v3", "--gpu", "h20,h100", "--format", "json")
    assert code == 0
    titles = [row["title"] for row in json.loads(out)["quantities"]]
    assert "fits" in titles
    assert "time to first token" not in titles
    code, out, _ = run("compare", "--model", "deepseek-v3", "--gpu", "h20,h100", "--tp", "8", "--format", "json")
    assert "time to first token" in [row["title"] for row in json.loads(out)["quantities"]]
