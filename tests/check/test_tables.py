"""Tables of a library: `check` reads each, and tells what is wrong in it with the nearest name and its place."""

import tomllib
from pathlib import Path

import pytest

from formula_eval import Formulas
from formula_eval.check.tables import table_findings
from formula_eval.library import find_library
from libraries import checked

CASES = tomllib.loads((Path(__file__).parent / "tables.toml").read_text())["case"]
# Told by the readers of records and of synonyms, and of sources by what cites them.
ELSEWHERE = ("formulas/*", "models/[!/]*.toml", "hardware.toml", "presets/*.toml", "reports/new/*")


def found_in(formulas: Formulas, folder: Path) -> list:
    evaluator = formulas.evaluator
    return list(table_findings(find_library([folder]), [folder], evaluator.resolved, evaluator.schema))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['file']}: {case['says']}"[:90])
def test_a_mistake_is_told(formulas: Formulas, tmp_path: Path, case: dict) -> None:
    path = tmp_path / case["file"]
    path.parent.mkdir(parents=True)
    path.write_text(f"extends = true\n{case['text']}\n" if case["file"].startswith("reports/") else case["text"])
    found = found_in(formulas, tmp_path)
    assert [each for each in found if case["says"] in each.message and case.get("help", "") in each.help], found


def test_a_mistake_has_its_place(formulas: Formulas, tmp_path: Path) -> None:
    (tmp_path / "reports" / "search").mkdir(parents=True)
    (tmp_path / "reports" / "search" / "training.toml").write_text('extends = true\n\nheeds = ["training.no_such"]\n')
    (finding,) = found_in(formulas, tmp_path)
    assert str(finding.labels[0].span).endswith("reports/search/training.toml:3:11")


@pytest.mark.slow
def test_a_library_with_a_mistake_does_not_hold(tmp_path: Path) -> None:
    (tmp_path / "reports" / "search").mkdir(parents=True)
    (tmp_path / "reports" / "search" / "training.toml").write_text('extends = true\nheeds = ["training.no_such"]\n')
    assert [each.code for each in checked(tmp_path).findings] == ["unknown-check"]
