"""A sweep to a file: what it holds, and that an interruption neither loses nor doubles any of it."""

import csv
import json
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from formula_eval import FormulaError, Formulas
from formula_eval.analyse.sweep.sweep_batches import Batch, Sweep, SweepQuantities
from formula_eval.export.sweep.parts import SweepParts
from formula_eval.export.sweep.row_formats import FORMATS, format_of
from formula_eval.records.givens import Question

ROOT = Path(__file__).resolve().parents[2]
QUESTION = Question({"model": "llama2-7b,llama2-13b"}, {"batch": "1..9", "price": "1..2 USD/hour:3"})


class Slow(Sweep):
    """A sweep of small batches that may be interrupted."""

    left = 1000

    def batches(self, start: int = 0, most: int | None = 4):
        for batch in super().batches(start, most):
            if not self.left:
                raise KeyboardInterrupt
            self.left -= 1
            yield batch


def slow(formulas: Formulas, question: Question = QUESTION) -> Slow:
    return Slow(formulas.evaluator, question, SweepQuantities(("memory.total_bytes", "memory.fits")))


def written(sweep: Sweep, target: Path) -> bytes:
    parts = SweepParts(str(target), sweep, FORMATS[target.suffix[1:]](sweep.columns))
    parts.write()
    return target.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["x.csv", "x.json", "x.parquet"])
def test_an_interruption_loses_nothing_and_doubles_nothing(formulas: Formulas, tmp_path: Path, name: str) -> None:
    whole = written(slow(formulas), tmp_path / f"whole{Path(name).suffix}")
    for done in (3, 2):
        sweep = slow(formulas)
        sweep.left = done
        with pytest.raises(KeyboardInterrupt):
            written(sweep, tmp_path / name)
        assert not (tmp_path / name).exists()
    rest = slow(formulas)
    assert SweepParts(str(tmp_path / name), rest, FORMATS[Path(name).suffix[1:]](rest.columns)).done > 0
    assert written(rest, tmp_path / name) == whole
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted([name, f"whole{Path(name).suffix}"])


def test_a_part_without_its_counts_is_done_again(formulas: Formulas, tmp_path: Path) -> None:
    whole = written(slow(formulas), tmp_path / "whole.csv")
    sweep = slow(formulas)
    sweep.left = 2
    with pytest.raises(KeyboardInterrupt):
        written(sweep, tmp_path / "x.csv")
    last = max((tmp_path / "x.csv.parts").glob("*.counts"))
    last.unlink()
    last.with_suffix(".csv").write_text("half a row")
    assert written(slow(formulas), tmp_path / "x.csv") == whole


def interrupted(sweep: Slow, target: Path, after: int) -> None:
    sweep.left = after
    with pytest.raises(KeyboardInterrupt):
        written(sweep, target)


def flipped(path: Path) -> None:
    held = bytearray(path.read_bytes())
    held[len(held) // 2] ^= 1
    path.write_bytes(held)


@pytest.fixture(scope="module")
def begun(formulas: Formulas, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a whole file, and with another one that is begun."""
    folder = tmp_path_factory.mktemp("begun")
    written(slow(formulas), folder / "whole.csv")
    interrupted(slow(formulas), folder / "x.csv", 4)
    return folder


@pytest.mark.parametrize("ending", ["csv", "counts"])
@pytest.mark.parametrize("damage", ["emptied", "flipped", "shortened", "removed"])
def test_a_damaged_part_is_computed_again(
    formulas: Formulas, begun: Path, tmp_path: Path, ending: str, damage: str
) -> None:
    shutil.copytree(begun, tmp_path, dirs_exist_ok=True)
    whole, target = (tmp_path / "whole.csv").read_bytes(), tmp_path / "x.csv"
    part = sorted((tmp_path / "x.csv.parts").glob(f"*.{ending}"))[1]
    match damage:
        case "emptied":
            part.write_bytes(b"")
        case "flipped":
            flipped(part)
        case "shortened":
            part.write_bytes(part.read_bytes()[:-5])
        case _:
            part.unlink()
    rest = slow(formulas)
    rest.left = 18 - 4 + 1  # what is not done of all, and the damaged one
    parts = SweepParts(str(target), rest, FORMATS["csv"](rest.columns))
    assert [Path(each).stem for each in parts.damaged] == (
        [] if (ending, damage) == ("counts", "removed") else [part.stem]
    )
    done = parts.done
    parts.write()
    assert done > 0
    assert target.read_bytes() == whole


MODEL = ROOT / "models" / "llama2-7b.toml"


def test_records_that_were_edited_are_not_gone_on_with(
    formulas: Formulas, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    two = Path("two.toml")
    two.write_text(MODEL.read_text())
    question = Question({"model": "llama2-7b,two.toml"}, {"batch": "1..9"})
    target = tmp_path / "x.csv"
    interrupted(slow(formulas, question), target, 2)
    two.write_text(MODEL.read_text().replace("layers = 32", "layers = 50"))
    with pytest.raises(FormulaError, match=r"model `two.toml` has `layers` = 32 layers there, 50 layers now"):
        written(slow(formulas, question), target)
    two.write_text(MODEL.read_text())
    whole = written(slow(formulas, question), tmp_path / "whole.csv")
    assert written(slow(formulas, question), target) == whole


def test_records_that_are_edited_meanwhile_stay_as_they_were(
    formulas: Formulas, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    two = Path("two.toml")
    two.write_text(MODEL.read_text())
    question = Question({"model": "llama2-7b,two.toml"}, {"batch": "1..9"})
    whole = written(slow(formulas, question), tmp_path / "whole.csv")
    sweep = slow(formulas, question)
    parts = SweepParts(str(tmp_path / "x.csv"), sweep, FORMATS["csv"](sweep.columns))
    parts.write(lambda _: two.write_text(MODEL.read_text().replace("layers = 32", "layers = 50")))
    assert (tmp_path / "x.csv").read_bytes() == whole


def test_what_is_done_counts_once(formulas: Formulas, tmp_path: Path) -> None:
    target, sweep, told = tmp_path / "x.csv", slow(formulas), list[int]()
    interrupted(slow(formulas), target, 2)
    SweepParts(str(target), sweep, FORMATS["csv"](sweep.columns)).write(told.append)
    assert sum(told) == sweep.size
    assert len([count for count in told if count]) > 1


def test_a_large_file_is_asked_about_first(formulas: Formulas, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = written(slow(formulas), tmp_path / "whole.csv")
    monkeypatch.setattr("formula_eval.export.sweep.parts._MOST", len(whole) / 2)
    with pytest.raises(FormulaError, match=r"`.*x\.csv` will take about"):
        written(slow(formulas), tmp_path / "x.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["whole.csv"]
    sweep = slow(formulas)
    sweep.asked = sweep.asked._replace(anyway=True)
    assert written(sweep, tmp_path / "x.csv") == whole


def test_one_process_writes_a_file_at_a_time(formulas: Formulas, tmp_path: Path) -> None:
    sweep = slow(formulas)
    first = SweepParts(str(tmp_path / "x.csv"), sweep, FORMATS["csv"](sweep.columns))
    with pytest.raises(FormulaError, match=r"Another process is writing `.*x.csv.parts`"):
        SweepParts(str(tmp_path / "x.csv"), slow(formulas), FORMATS["csv"](sweep.columns))
    first.write()
    assert written(slow(formulas), tmp_path / "x.csv") == (tmp_path / "x.csv").read_bytes()


def test_a_folder_of_other_things_is_left_alone(formulas: Formulas, tmp_path: Path) -> None:
    (tmp_path / "x.csv.parts").mkdir()
    (tmp_path / "x.csv.parts" / "mine.txt").write_text("mine")
    with pytest.raises(FormulaError, match="holds no parts of a sweep"):
        written(slow(formulas), tmp_path / "x.csv")
    assert [each.name for each in (tmp_path / "x.csv.parts").iterdir()] == ["mine.txt"]


def test_what_is_done_of_another_sweep_is_not_gone_on_with(formulas: Formulas, tmp_path: Path) -> None:
    sweep = slow(formulas)
    sweep.left = 1
    with pytest.raises(KeyboardInterrupt):
        written(sweep, tmp_path / "x.csv")
    other = QUESTION._replace(values={**QUESTION.values, "batch": "1..8"})
    with pytest.raises(FormulaError, match="another sweep"):
        written(slow(formulas, other), tmp_path / "x.csv")
    with pytest.raises(FormulaError, match="another sweep"):
        SweepParts(str(tmp_path / "x.csv"), sweep, FORMATS["json"](sweep.columns))


def test_all_formats_hold_the_same(formulas: Formulas, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    for name in FORMATS:
        written(slow(formulas), tmp_path / f"x.{name}")
    with (tmp_path / "x.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    data = json.loads((tmp_path / "x.json").read_text())
    table = parquet.read_table(tmp_path / "x.parquet")
    headers = ["model", "batch (sequence)", "price (USD/hour)", "memory.total_bytes (byte)", "memory.fits"]
    assert list(rows[0]) == [each["header"] for each in data["columns"]] == table.column_names == headers
    assert len(rows) == len(data["rows"]) == table.num_rows == data["counts"]["kept"] == 54
    for row, same, other in zip(rows, data["rows"], table.to_pylist(), strict=True):
        assert same == other
        assert {name: json.loads(text) if name != "model" else text for name, text in row.items()} == same
    assert {each["price (USD/hour)"] for each in data["rows"]} == {1, 1.5, 2}
    assert table.schema.field("memory.total_bytes (byte)").metadata == {
        b"quantity": b"memory.total_bytes",
        b"unit": b"byte",
    }


def test_a_file_of_no_rows_is_one(formulas: Formulas, tmp_path: Path) -> None:
    sweep = Sweep(
        formulas.evaluator,
        QUESTION,
        SweepQuantities(("memory.total_bytes", "memory.fits"), where=("memory.total_bytes < 1 byte",)),
    )
    assert json.loads(written(sweep, tmp_path / "x.json"))["rows"] == []
    assert len(written(sweep, tmp_path / "x.csv").splitlines()) == 1
    assert written(sweep, tmp_path / "x.parquet")


def test_a_stream_is_the_file(formulas: Formulas, tmp_path: Path) -> None:
    for name in ("csv", "json"):
        sweep = slow(formulas)
        with (tmp_path / "stream").open("wb") as target:
            rows = FORMATS[name](sweep.columns)
            rows.stream(sweep.each(rows.counted), target, lambda _: None)
        assert (tmp_path / "stream").read_bytes() == written(slow(formulas), tmp_path / f"x.{name}")


def test_the_name_says_the_format() -> None:
    assert format_of("a.CSV", None) == "csv"
    assert format_of("a", "json") == "json"
    with pytest.raises(FormulaError, match="does not say in what format"):
        format_of("a.xlsx", None)


@pytest.mark.slow
def test_a_full_disk_is_told_and_what_is_done_stays(kept: Path, tmp_path: Path) -> None:
    script = "import sys; from formula_eval.cli import main; sys.exit(main())"
    wanted = ["sweep", "--model", "llama2-7b", "--batch", "1..20000", "--only", "memory.total_bytes", "-o", "x.csv"]

    def smaller() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    environment = {"PYTHONPATH": str(ROOT / "engine"), "FORMULA_EVAL_CACHE": str(kept)}
    done = subprocess.run(
        [sys.executable, "-c", script, *wanted],
        cwd=tmp_path,
        env=environment,
        preexec_fn=smaller,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "Cannot write" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "x.csv").exists()
    assert not [each for each in tmp_path.rglob(".*") if each.is_file()]


def test_batches_say_their_places(formulas: Formulas) -> None:
    batches: list[Batch] = list(slow(formulas).batches())
    assert [place for each in batches for place in each.places.tolist()] == list(range(54))
