"""A library of a user's own adds a namespace, a model and an accelerator, and is checked like ours."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from openpyxl import load_workbook

from formula_eval import Formulas, load
from formula_eval.cli.command import cli

pytestmark = pytest.mark.slow

LIBRARY = Path(__file__).parent / "carbon_library"


def answer(*arguments: str) -> dict:
    done = CliRunner().invoke(cli, [*arguments, "--format", "json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_its_namespace_model_and_accelerator_answer() -> None:
    asked = ["--library", str(LIBRARY), "--model", "house-3b", "--gpu", "house-chip"]
    values = answer(*asked, "--only", "params.total", "--only", "carbon.*")["values"]
    assert values["params.total"]["value"] == 3_125_947_392
    assert values["carbon.kilowatt_hours"]["unit"] == "J"
    assert values["carbon.kilograms"]["value"] > 0


def test_the_environment_variable_names_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORMULA_EVAL_LIBRARY", str(LIBRARY))
    listed = answer("list", "models", "house")
    assert [each["id"] for each in listed] == ["house-3b"]
    inputs = answer("--model", "house-3b", "--grid-intensity", "0.1", "--only", "carbon.kilograms")["inputs"]
    assert inputs["carbon.grid_intensity"] == {"value": 0.1, "unit": "", "origin": "--carbon.grid-intensity"}


def test_python_takes_it() -> None:
    formulas = load(LIBRARY)
    few, many = (formulas.evaluate(only=["carbon.kilograms"], model="house-3b", tp=1, batch=batch) for batch in (1, 64))
    assert many["carbon.kilograms"].value < few["carbon.kilograms"].value


def test_it_is_checked_like_ours() -> None:
    done = CliRunner().invoke(cli, ["check", str(LIBRARY)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert "2 formulas, 2 examples hold" in done.output


def test_an_unused_library_changes_nothing(formulas: Formulas) -> None:
    ours, theirs = formulas, load(LIBRARY)
    for name in ("params.total", "inference.ttft"):
        one, other = (each.evaluate(only=[name], model="llama2-7b")[name].value for each in (ours, theirs))
        assert one == other


def test_the_screen_shows_its_own_inputs_and_counts_defaults_of_ours() -> None:
    def shown(*arguments: str) -> str:
        line = ["--library", str(LIBRARY), "--model", "house-3b", *arguments]
        return CliRunner().invoke(cli, line, catch_exceptions=False).stdout

    short, whole = shown("--answer", "carbon", "--batch", "4"), shown("--answer", "carbon", "--batch", "4", "--all")
    assert "batch " in short
    assert "grid intensity " in short
    assert " defaults of what it builds on: --all\n" in short
    assert "oversubscription " not in short
    assert "oversubscription " in whole
    assert "--all" not in whole
    assert "oversubscription " not in shown()
    assert "oversubscription " in shown("--all")


def test_its_workbook_begins_with_its_own_inputs(tmp_path: Path) -> None:
    file = tmp_path / "carbon.xlsx"
    line = ["export", "excel", "--library", str(LIBRARY), "--model", "house-3b", "--answer", "carbon", "-o", str(file)]
    assert CliRunner().invoke(cli, line, catch_exceptions=False).exit_code == 0
    names = [row[0] for row in load_workbook(file, read_only=True)["Inputs"].iter_rows(max_col=1, values_only=True)]
    assert names.index("carbon.grid_intensity") < names.index("tp") < names.index("oversubscription")
