"""Names without their folders, tables and checks of what is named, and what `--answer` asks."""

import json

import pytest


def test_a_name_is_found_by_its_last_part(run):
    for verb in ((), ("explain",)):
        names = ("--only", "tpot") if not verb else ("tpot",)
        assert run(*verb, *names, "--model", "llama2-7b").out.startswith("inference.tpot ")
    assert run("show", "kv_bytes_per_token").out.startswith("memory.kv_bytes_per_token")


@pytest.mark.parametrize("name", ["generation", "encoder"])
def test_a_quantity_may_bear_part_of_the_name_of_a_record(run, name):
    assert run("explain", name, "--model", "llama2-7b").out.startswith(f"flops.{name} ")


@pytest.mark.parametrize("verb", [("--only",), ("show",), ("explain",)])
def test_a_name_that_several_bear_tells_them_all(run, verb):
    code, _, err = run(*verb, "weights_bytes", *(() if verb == ("show",) else ("--model", "llama2-7b")))
    assert code == 2
    assert "2 quantities are named `weights_bytes`: `memory.weights_bytes` and `training.weights_bytes`" in err
    assert "Spell out which" in err
    assert "memory.weights_bytes" in err.split("help:")[1]


@pytest.mark.parametrize(
    ("people", "ours"),
    [("ttft", "inference.ttft"), ("ITL", "inference.tpot"), ("e2e-latency", "inference.latency")],
)
def test_a_name_that_people_use_is_found(run, people, ours):
    assert run("--only", people, "--model", "llama2-7b").out.startswith(f"{ours} ")
    assert run("show", people).out.startswith(f"{ours} ")


def test_commas_may_stand_between_names(run):
    one, each = ("--only", "tpot, memory.fits"), ("--only", "tpot", "--only", "memory.fits")
    assert run(*one, "--model", "llama2-7b").out == run(*each, "--model", "llama2-7b").out
    copied = "memory.fits@tp=2,pp=4"  # the name of a copy holds commas
    assert f"`{copied}`" in run("--only", copied, "--model", "llama2-7b").err


def test_names_of_the_root_and_of_the_asked_namespace_go_first(run):
    assert run("--only", "batch", "--model", "llama2-7b").out == "batch  1 sequence\n"
    asked = ("--model", "llama2-7b", "--gpu", "a100-sxm-40gb", "--tp", "1")
    assert run("--only", "prefill_time", "--answer", "published.genz", *asked).out.startswith(
        "published.genz.prefill_time"
    )


def test_tables_are_printed_as_tables(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    out = run("--only", "training.step_parts", "--only", "params.total", "--model", "llama2-7b").out.splitlines()
    assert out[0].startswith("params.total")
    assert out[1] == ""
    assert out[2].startswith("training.step_parts")
    assert out[2].endswith("fraction")
    assert out[3].split()[0] == "forward"


def test_a_wide_table_is_parted(run):
    out = run("--only", "published.genz.products", "--model", "llama2-7b").out.splitlines()
    assert max(map(len, out)) <= 80
    assert sum(line.startswith("published.genz.products") for line in out) > 1


def test_checks_of_what_is_named_are_told(run):
    code, out, err = run("--only", "memory.total_bytes", "--model", "llama3.1-405b")
    assert code == 0
    assert out.startswith("memory.total_bytes")
    assert "warn" in err
    data = json.loads(run("--only", "params.total", "--model", "llama2-7b", "--format", "json").out)
    assert not any(each["name"].startswith("inference.") for each in data["checks"])


@pytest.mark.parametrize(
    ("new", "old"),
    [
        (("--answer", "training"), ("--training",)),
        (("--answer", "published.genz"), ("--namespace", "published.genz")),
        (("--answer", "published.llm_analysis.training"), ("--namespace", "published.llm_analysis", "--training")),
        (("--answer", "serving"), ()),
    ],
)
def test_an_answer_is_asked_by_one_word(run, new, old):
    asked = ("--model", "llama2-7b", "--gpu", "a100-sxm-40gb", "--format", "json")
    assert run(*new, *asked) == run(*old, *asked)


def test_a_namespace_without_a_file_shows_all_that_it_has(run):
    code, out, _ = run("--answer", "arrivals", "--model", "llama2-7b", "--request-rate", "1/s", "--concurrency", "4")
    assert code == 0
    assert out.startswith("Assumed")
    assert "Arrivals" in out


def test_it_is_asked_once(run):
    code, _, err = run("--answer", "training", "--training", "--model", "llama2-7b")
    assert code == 2
    assert "already says what is asked" in err
    assert "Did you mean `published.genz`" in run("--answer", "genz", "--model", "llama2-7b").err


def test_a_scenario_says_it_too(run, tmp_path):
    path = tmp_path / "job.toml"
    path.write_text('answer = "training"\nmodel = "llama2-7b"\n', encoding="utf-8")
    assert run("--inputs", str(path)).out == run("--answer", "training", "--inputs", str(path)).out
    path.write_text("answer = 3\n", encoding="utf-8")
    assert "is not a name" in run("--inputs", str(path)).err
