"""A library that stands alone: the command, Python and every document speak of it and of nothing of ours."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from formula_eval import FormulaError, load
from formula_eval.cli.command import cli
from formula_eval.export.formats import FORMATS
from formula_eval.libraries import find_library
from formula_eval.library import OURS
from libraries import DOCUMENTS, text_of

LIBRARY = Path(__file__).parent / "trip_library"
TITLE = "An electric car's trip"
OF_OURS = re.compile(r"llama|h100|inference\.|memory\.|language model|Accelerator|Models", re.IGNORECASE)


def command(*arguments: str) -> Result:
    return CliRunner().invoke(cli, [*arguments, "--library", str(LIBRARY)], catch_exceptions=False)


def copied(tmp_path: Path, **files: str) -> Path:
    """The library with other files in it; two underscores stand for a slash."""
    for path in LIBRARY.rglob("*.*"):
        target = tmp_path / path.relative_to(LIBRARY)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    for name, text in files.items():
        target = tmp_path / f"{name.replace('__', '/')}.toml"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return tmp_path


def test_it_gives_its_own_answer() -> None:
    out = command("--trip.season", "winter").stdout
    for text in ("Assumed", "season", "winter", "Trip", "energy", "trip.stretches", "motorway"):
        assert text in out
    assert not OF_OURS.search(out)


def test_its_data_hold_its_inputs_and_checks_alone() -> None:
    data = json.loads(command("--format", "json").stdout)
    assert set(data["inputs"]) == {"trip.battery", "trip.reserve", "trip.season"}
    assert [each["name"] for each in data["checks"]] == ["trip.no_stop"]


def test_help_and_lists_know_nothing_else() -> None:
    out = command("--help").stdout
    assert TITLE in out
    assert "--trip.battery" in out
    assert "--model" not in out
    assert "--gpu" not in out
    assert len(out.splitlines()) < 50
    assert len(json.loads(command("list", "inputs", "--format", "json").stdout)) == 3
    with pytest.raises(FormulaError, match="no list of `models`"):
        command("list", "models")


def test_it_is_checked_without_our_formulas(monkeypatch: pytest.MonkeyPatch) -> None:
    chapters: list[str] = []

    def read(path: Path, shown: str) -> str:
        chapters.append(shown)
        return path.read_text(encoding="utf-8")

    monkeypatch.setattr("formula_eval.resolve.load.read_text", read)
    done = CliRunner().invoke(cli, ["check", str(LIBRARY)], catch_exceptions=False)
    assert "3 formulas, 3 examples hold" in done.output
    assert all("trip" in each or "units" in each for each in chapters)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_document_speaks_of_it_alone(name: str, tmp_path: Path) -> None:
    target = tmp_path / f"trip{FORMATS[name].ending}"
    assert command("export", name, "-o", str(target)).exit_code == 0
    if name == "excel":
        return
    text = text_of(target)
    if name != "json":
        assert TITLE in text.replace("&#39;", "'")
    said = text.partition("<script>")[0] if name in ("html", "site") else text
    assert not OF_OURS.search(said)


def test_a_library_without_programs_launches_none() -> None:
    with pytest.raises(FormulaError, match=r"which program is to be launched\nhelp: This library knows none"):
        command("export", "launch", "-o", "trip.sh")


def test_python_takes_it_alone() -> None:
    formulas = load(LIBRARY)
    assert list(formulas) == list(formulas.evaluate())
    assert formulas.evaluate(only="energy", **{"trip.season": "winter"})["trip.energy"].value == 107_136_000
    assert formulas["usable"].name == "trip.usable"
    assert "inference.ttft" not in formulas


def test_a_question_of_its_own_hears_its_checks() -> None:
    asked = command("--only", "energy", "--trip.battery=10kWh")
    assert asked.stdout == "trip.energy  89.28 MJ\n"
    assert "The trip needs 2 stops" in asked.stderr


def test_with_ours_beside_it_both_answer(tmp_path: Path) -> None:
    library = copied(tmp_path, library='title = "Trips"\nanswer = "trip"\n')
    assert OURS in find_library([library]).folders
    assert not find_library([library]).is_alone


def test_a_library_may_use_another_one(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    copied(first)
    second.mkdir()
    (second / "library.toml").write_text('uses = ["../first"]\ntitle = "Both"\n')
    found = find_library([second])
    assert [each.name for each in found.folders] == ["first", "second"]
    assert (found.title, found.answer, found.is_alone) == ("Both", "", True)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('uses = ["."]', "A library uses itself"),
        ('uses = ["../nowhere"]', "is not a folder"),
        ('uses = "builtin"', "is not understood"),
        ('titel = "x"', "`titel` is not a key of a library"),
        ("title = 3", "Write a text in quotes"),
        ("title = ", "is not valid TOML"),
        ('uses = []\nanswer = "tripp"', "There is no namespace `tripp`"),
    ],
)
def test_a_library_file_that_is_wrong(text: str, says: str, tmp_path: Path) -> None:
    library = copied(tmp_path / "own", library=text)
    with pytest.raises(FormulaError) as caught:
        load(library).evaluate()
    shown = "\n".join(f"{each.message} {each.help}" for each in caught.value.diagnostics)
    assert says in shown


def test_two_libraries_that_use_each_other(tmp_path: Path) -> None:
    for name, other in (("one", "two"), ("two", "one")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "library.toml").write_text(f'uses = ["../{other}"]')
    with pytest.raises(FormulaError, match="uses itself"):
        find_library([tmp_path / "one"])


def test_a_first_library_passes_its_check(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    run = CliRunner()
    made = run.invoke(cli, ["new", str(folder)], catch_exceptions=False)
    assert (folder / "library.toml").is_file()
    assert made.exit_code == 0
    checked = run.invoke(cli, ["check", str(folder)], catch_exceptions=False)
    assert "2 formulas, 2 examples hold" in checked.output
    assert run.invoke(cli, ["fmt", "--check", str(folder)], catch_exceptions=False).exit_code == 0
    shown = run.invoke(cli, ["--library", str(folder)], catch_exceptions=False).stdout
    assert "kitchen.appliances" in shown
    with pytest.raises(FormulaError, match="is there already"):
        run.invoke(cli, ["new", str(folder)], catch_exceptions=False)
