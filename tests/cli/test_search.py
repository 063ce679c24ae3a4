"""The verb `search`: what it prints and writes, its command, what it refuses, and an interruption."""

import csv
import json
import shlex

import pytest

from formula_eval.analyse.search import enumeration, search_run
from formula_eval.analyse.search.search_run import Search

GOAL = "training.planned_step_time"
MODEL = ("search", "--training", "--model", "gpt2", "--gpu", "a100-sxm-80gb", "--gpus", "8", "--global-batch", "64")
SPACE = ("--tp", "1,2", "--pp", "1,2", "--micro-batch", "1,2", "--recompute", "none,full", "--zero-stage", "1,3")
FIXED = ("--seq", "1024", "--cp", "1", "--virtual-stages", "1", "--schedule", "one_f_one_b", "--weight-offload", "0")
ASKED = (*MODEL, *SPACE, *FIXED, "--optimizer-offload", "0", "--activation-offload", "0")


def test_the_best_is_told_with_what_is_next_and_a_command_that_gives_it_again(run) -> None:
    done = run(*ASKED, "--top", "3")
    assert done.code == 0
    assert done.err == ""
    assert max(map(len, done.out.splitlines())) <= 80
    assert done.out.startswith("Best: the smallest time of a step\n")
    assert "32 configurations: 24 are valid layouts, 24 are feasible" in done.out
    assert "ZeRO-3 with a pipeline (training.shards_fit_pipeline)" in done.out
    assert "Best of all 32 configurations of this space" in " ".join(done.out.split())
    data = json.loads(run(*ASKED, "--format", "json").out)
    assert len(data["runners_up"]) == 23
    _, *again = shlex.split(data["command"])
    value = json.loads(run(*again, "--only", GOAL, "--format", "json").out)
    assert value["values"][GOAL]["value"] == data["best"][GOAL]


def test_a_file_has_the_best_first(run, tmp_path) -> None:
    target = tmp_path / "best.csv"
    done = run(*ASKED, "-o", str(target))
    assert done.err == f"{target}: the best 24 of 24 that meet every condition.\n"
    rows = list(csv.DictReader(target.read_text().splitlines()))
    times = [float(row[f"{GOAL} (s)"]) for row in rows]
    assert times == sorted(times)
    assert len(rows) == 24


def test_where_nothing_is_good_enough_the_nearest_is_told(run) -> None:
    done = run(*ASKED, "--where", "training.device_bytes <= 1 GB")
    assert done.code == 0
    assert "Nothing meets every condition." in done.out
    assert "training.device_bytes <= 1 GB is missed by" in " ".join(done.out.split())
    done = run("search", "--model", "llama3.1-405b", "--gpu", "l4", "--gpus", "4")
    assert "no memory for a single request: memory.running_capacity >= 1 is missed by 1" in done.out
    done = run(*ASKED, "--tp", "5,7")
    assert done.code == 2
    done = run(*MODEL, *SPACE[2:], *FIXED, "--optimizer-offload", "0", "--activation-offload", "0", "--tp", "5,7")
    assert done.code == 0
    assert "tp = 5 cannot split 12 attention heads evenly." in " ".join(done.out.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--minimise", GOAL, "--maximise", GOAL), "both say what is sought"),
        (("--maximise", "no_such"), "No quantity is named"),
        (("--maximise", "training.fits"), "is a flag"),
        (("--where", "step_time < 8 GB"), "In the condition"),
        (("--format", "parquet"), "written to a file"),
        (("-o", "best.xlsx"), "does not say in what format"),
        (("--top", "0"), "0 is not in the range"),
    ],
)
def test_what_cannot_be_sought_is_told_in_a_sentence(run, arguments: tuple[str, ...], message: str) -> None:
    done = run(*ASKED, *arguments)
    assert done.code == 2
    assert message in done.err
    assert done.out == ""


@pytest.mark.slow
def test_of_a_space_that_is_too_large_the_best_is_proven_by_bounds(run, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = json.loads(run(*ASKED, "--format", "json").out)
    assert whole["proof"] == {
        "is_proven": True,
        "size": 32,
        "computed": 24,
        "excluded": 8,
        "beaten": 0,
        "left": 0,
        "bound": whole["best"][GOAL],
        "by_bounds": False,
    }
    monkeypatch.setattr(search_run, "_MOST", 7)
    done = run(*ASKED)
    assert done.code == 0
    assert "Proven: no configuration of the 32 is better" in " ".join(done.out.split())
    bounded = json.loads(run(*ASKED, "--format", "json").out)
    assert bounded["best"][GOAL] == bounded["proof"]["bound"] == whole["best"][GOAL]
    assert bounded["proof"]["is_proven"]
    assert bounded["proof"]["by_bounds"]
    assert json.loads(run(*ASKED, "--yes", "--format", "json").out) == whole


def test_without_time_nothing_is_proven(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_run, "_MOST", 7)
    done = run(*ASKED, "--seconds", "0")
    assert done.code == 0
    told = " ".join(done.out.split())
    assert "Not proven:" in told
    assert "Best: the smallest" in told
    assert "32 are left" in told


def test_an_interruption_keeps_what_was_found(run, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Search.run

    def run_until_told(self: Search, tell: object) -> None:  # noqa: ARG001 - who is told interrupts
        told = []

        def interrupt(count: int) -> None:
            told.append(count)
            if len(told) > 1:  # the first are those that no condition allows
                raise KeyboardInterrupt

        whole(self, interrupt)

    monkeypatch.setattr(enumeration, "_BOX", 8)
    monkeypatch.setattr(Search, "run", run_until_told)
    done = run(*ASKED)
    assert done.code == 130
    assert "Best: the smallest" in done.out
    assert "Partial: it was interrupted" in " ".join(done.out.split())
    assert "Interrupted: 16 of 32 configurations were decided." in done.err


def test_the_front_is_drawn(run, tmp_path) -> None:
    pytest.importorskip("matplotlib")
    done = run(*ASKED, "--plot", str(tmp_path / "front.svg"))
    assert done.code == 0
    assert "Pareto front" in (tmp_path / "front.svg").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("goal", ["throughput", "serving_tokens_per_second_per_gpu", "cost"])
def test_configurations_share_the_clients_that_are_asked(run, goal: str) -> None:
    way = "--minimise" if goal == "cost" else "--maximise"
    asked = ("search", "--model", "mixtral-8x7b", "--gpu", "h100", "--gpus", "8", "--concurrency", "48", way, goal)
    data = json.loads(run(*asked, "--format", "json").out)
    every = [data["best"], *data["runners_up"]]
    assert {each["inference.fleet_clients"] for each in every} == {48}
    groups = {each["attention_dp"] * each["serving_replicas"] for each in every}
    assert len(groups) > 1
    fixed = json.loads(run(*asked, "--serving-replicas", "2", "--attention-dp", "1", "--format", "json").out)
    assert fixed["best"]["inference.fleet_clients"] == 96


@pytest.mark.slow
def test_a_front_that_beats_the_best_says_why(run) -> None:  # type: ignore[no-untyped-def]
    """Of the same layouts the faster one has cp = 2, which counts as a complication."""
    layout = "--gpus 8 --global-batch 64 --tp 1 --pp 1 --virtual-stages 1 --schedule one_f_one_b --micro-batch 8"
    asked = ["search", "--training", "--model", "gpt2", "--gpu", "a100-sxm-80gb", *shlex.split(layout)]
    asked += shlex.split("--recompute none,full --zero-stage 1,3 --cp 1,2 --where 'training.device_bytes <= 6.5 GB'")
    assert "--simplicity-premium 0 takes the fastest" in " ".join(run(*asked)[1].split())
    assert "takes the fastest" not in " ".join(run(*asked, "--simplicity-premium", "0")[1].split())


@pytest.mark.slow
def test_clients_are_told_only_where_there_are_some(run) -> None:  # type: ignore[no-untyped-def]
    asked = ["search", "--model", "llama3-8b", "--gpu", "h100-sxm", "--tp", "1,2", "--pp", "1"]
    asked += ["--maximise", "inference.serving_tokens_per_second_per_gpu"]
    assert "  clients  " in run(*asked, "--concurrency", "16,32")[1]
    assert "  clients  " not in run(*asked, "--request-rate", "20/s")[1]
