"""The verb `sweep`: what it prints, what it refuses, and what happens when it is interrupted."""

import csv
import io
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from formula_eval.analyse.sweep import sweep_batches
from formula_eval.analyse.sweep.sweep_batches import Batch, Sweep

ASKED = ("sweep", "--model", "llama2-7b,llama2-13b", "--batch", "1..64*2", "--only", "memory.total_bytes")


def test_a_table_has_rows_ends_and_counts(run) -> None:
    done = run(*ASKED, "--tp", "1,3")
    assert done.code == 0
    lines = done.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[1].split() == ["model", "batch", "tp", "GPU"]
    assert lines[2].split() == ["llama2-7b", "1", "1", "15.81", "GB"]
    assert "28 configurations, 14 with an answer" in lines
    assert "14 refused tp = ... cannot split ... attention heads evenly (checks.tp_divides_heads)" in " ".join(
        done.out.split()
    )
    assert done.err == ""


def test_a_long_table_is_shortened_and_says_so(run) -> None:
    done = run(*ASKED, "--tp", "1,2,4")
    assert "... 18 more rows: -o FILE.csv or FILE.parquet has all" in done.out
    assert len(done.out.splitlines()) < 40


def test_a_pipe_gets_all_rows(run) -> None:
    rows = list(csv.DictReader(io.StringIO(run(*ASKED, "--format", "csv").out)))
    data = json.loads(run(*ASKED, "--format", "json").out)
    assert len(rows) == len(data["rows"]) == 14
    assert float(rows[3]["memory.total_bytes (byte)"]) == data["rows"][3]["memory.total_bytes (byte)"]


def test_units_are_those_asked_for(run) -> None:
    done = run(
        "sweep", "--model", "llama2-7b", "--batch", "1,2", "--only", "memory.total_bytes in GiB", "--format", "csv"
    )
    assert done.out.splitlines()[0] == "batch (sequence),memory.total_bytes (GiB)"
    assert 14 < float(done.out.splitlines()[1].split(",")[1]) < 15


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--batch", "8..1"), "runs backwards"),
        (("--batch", "1,,2"), "lacks a value"),
        (("--batch", "1..inf"), "is not a number"),
        (("--model", ""), "lacks a value"),
        (("--model", "llama2-7b,,"), "lacks a value"),
        (("--model", "llama2-7b,no-such-model"), "no-such-model"),
        (("--batch", "1..1000000", "--prompt", "1..1000000"), "1,000,000,000,000 configurations"),
        (("--batch", "1,2", "--where", "tpot < 8 GB"), "In the condition"),
        (("--batch", "1,2", "--format", "parquet"), "written to a file"),
        (("--batch", "1,2", "-o", "x.xlsx"), "does not say in what format"),
        (("--batch", "1,2", "-o", "/no/such/folder/x.csv"), "Cannot write"),
        (("--batch", "1,2", "--sample", "0"), "has none"),
        (("--batch", "1,2", "--tp", "1,2,4", "--zip"), "differ in number"),
        (("--batch", "1,2", "--only", "no_such"), "No quantity"),
    ],
)
def test_what_cannot_be_swept_is_told_in_a_sentence(run, arguments, message: str) -> None:
    model = () if "--model" in arguments else ("--model", "llama2-7b")
    only = () if "--only" in arguments else ("--only", "memory.total_bytes")
    done = run("sweep", *model, *only, *arguments)
    assert done.code == 2
    assert message in done.err
    assert done.out == ""


def test_what_every_configuration_lacks_is_asked_for(run) -> None:
    done = run("sweep", "--batch", "1..3", "--only", "memory.total_bytes")
    assert done.code == 2
    assert "Which model?" in done.err


@pytest.fixture
def one_batch(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Small batches, and an interruption behind the first of them."""
    whole = Sweep.batches

    def batches(self: Sweep, start: int = 0) -> Iterator[Batch]:
        yield from islice(whole(self, start), 1)
        if start < self.size:
            raise KeyboardInterrupt

    monkeypatch.setattr(sweep_batches, "BLOCK", 8)
    with monkeypatch.context() as patch:
        patch.setattr(Sweep, "batches", batches)
        yield


@pytest.mark.usefixtures("one_batch")
def test_an_interrupted_table_shows_what_is_done(run) -> None:
    done = run(*ASKED)
    assert done.code == 130
    assert "Interrupted: 7 of 14 configurations were computed." in done.err
    assert "7 configurations, 7 with an answer" in done.out


@pytest.mark.usefixtures("one_batch")
def test_an_interrupted_file_is_gone_on_with(run, tmp_path) -> None:
    target = str(tmp_path / "x.csv")
    done = run(*ASKED, "-o", target)
    assert done.code == 130
    assert f"7 of 14 configurations are kept in {target}.parts" in done.err
    done = run(*ASKED, "-o", target)
    assert done.code == 130
    assert "7 of 14 configurations are there already." in done.err
    done = run(*ASKED, "-o", target)
    assert done.code == 0
    assert f"{target}: 14 rows." in done.err
    assert len(Path(target).read_text().splitlines()) == 15


def test_a_comma_that_groups_thousands_elsewhere_is_told(run) -> None:
    done = run("sweep", "--model", "llama2-7b", "--batch", "1,200", "--only", "memory.fits")
    assert "2 configurations" in done.out
    assert done.err == "note: --batch: `1,200` is several values here; one is written `1200`.\n"
