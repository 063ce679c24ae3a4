"""`validate` prints its tables in four forms, writes them to a file, and says what is wrong with what it is given."""

import csv
import io
import json
import shlex
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

POINTS = str(Path(__file__).parents[1] / "measured")
SOURCE = ("--source", "korthikanti*t*5*")


def test_every_point_has_a_row_and_every_source_a_line(run):
    code, out, err = run("validate", POINTS, *SOURCE, "--points")
    assert (code, err) == (0, "")
    assert "korthikanti-t5-175B-full" in out
    assert "Korthikanti 2022  iteration_time_s" in out
    assert "Calculon" in out


def test_the_summary_is_one_screen_in_words(run, monkeypatch):
    for columns in (80, 120):
        monkeypatch.setenv("COLUMNS", str(columns))
        code, out, err = run("validate", POINTS, "--source", "*[Kk]orthikanti*", "--worst", "3")
        assert (code, err) == (0, "")
        lines = out.splitlines()
        assert len(lines) <= 60
        assert max(map(len, lines)) <= columns
        assert "training step" in out
        assert "iteration_time_s" not in out
        assert "-0.0" not in out
        assert len(out.split("Points that are furthest off\n")[1].split("\n\n")[0].splitlines()) == 4


def test_every_row_at_a_terminal_is_no_wider_than_it(run, monkeypatch):
    monkeypatch.setattr("formula_eval.cli.validate.is_terminal", lambda: True)
    out = run("validate", POINTS, *SOURCE, "--points").out
    assert "korthikanti-t5" in out
    assert max(map(len, out.splitlines())) <= 80


def test_rows_as_data(run):
    rows = list(csv.DictReader(io.StringIO(run("validate", POINTS, *SOURCE, "--format", "csv").out)))
    data = json.loads(run("validate", POINTS, *SOURCE, "--format", "json").out)
    assert [each["id"] for each in rows] == [each["id"] for each in data["rows"]]
    assert {"sources", "totals", "peers"} <= set(data)
    timed = next(each for each in rows if each["metric"] == "iteration_time_s")
    error = 100 * (float(timed["predicted"]) / float(timed["measured"]) - 1)
    assert float(timed["error_percent"]) == pytest.approx(error)
    assert "dropout = true" in timed["assumed"]


def test_only_the_worst(run):
    data = json.loads(run("validate", POINTS, *SOURCE, "--worst", "2", "--format", "json").out)
    first, second = (abs(each["error_percent"]) for each in data["rows"])
    assert first >= second


def test_a_report_is_written_to_a_file(run, tmp_path):
    target = tmp_path / "report.md"
    code, out, _ = run("validate", POINTS, *SOURCE, "--metric", "iter*", "--format", "md", "-o", str(target))
    assert (code, out) == (0, "")
    assert "| Korthikanti 2022 | iteration_time_s |" in target.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("nowhere", "There is no `nowhere`"),
        ("{folder}", "holds no `measured.json`"),
        ("{broken}", "is not valid JSON"),
        ("{points} --source nobody", "No point of"),
        ("{points} --metric nothing", "No point has a figure named `nothing`"),
        ("{points} --format yaml", "'yaml' is not one of"),
        ("{points} --worst many", "'many' is not a valid integer"),
        ("", "Missing argument"),
    ],
)
def test_what_is_wrong_is_said(run, tmp_path, line, says):
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken.json").write_text("{,}", encoding="utf-8")
    names = {"folder": tmp_path / "empty", "broken": tmp_path / "broken.json", "points": POINTS}
    code, out, err = run("validate", *shlex.split(line.format(**names)))
    assert (code, out) == (2, "")
    assert says in err
    assert "Traceback" not in err
