"""Tables of a library: `check` reads each, and tells what is wrong in it with the nearest name and its place."""

import shutil
import tomllib
from pathlib import Path

import pytest

from formula_eval import FormulaError, Formulas
from formula_eval.check.toml_tables import TABLE_FILES, table_findings
from formula_eval.libraries import find_library
from formula_eval.library import OURS
from libraries import checked

CASES = tomllib.loads((Path(__file__).parent / "tables.toml").read_text())["case"]
# What other readers tell of: synonyms, citations; the template of a new library; reports of one that stands alone; what
# no library replaces: the spelling of untrusted letters.
ELSEWHERE = (
    *("formulas/synonyms.toml", "formulas/**/sources.toml", "reports/new/**/*.toml", "reports/alone/*.toml"),
    "reports/latex/letters.toml",
)


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


def test_a_copy_of_our_library_is_told_in_one_sentence(tmp_path: Path) -> None:
    shutil.copytree(OURS / "formulas", tmp_path / "formulas")
    with pytest.raises(FormulaError, match="is a copy of the built-in library") as refused:
        checked(tmp_path)
    assert len(refused.value.diagnostics) == 1


def test_every_table_of_ours_is_read(formulas: Formulas) -> None:
    kinds = formulas.evaluator.schema.kinds.values()
    records = [f"{each.path}*.toml" if each.is_folder else each.path for each in kinds]
    patterns = [*(each.pattern for each in TABLE_FILES), *records, *ELSEWHERE]
    files = {path for pattern in patterns for path in OURS.glob(pattern)}
    folders = ("formulas", "models", "presets", "reports")
    ours = [OURS / "hardware.toml", *(path for folder in folders for path in (OURS / folder).rglob("*.toml"))]
    unread = sorted(str(path.relative_to(OURS)) for path in ours if path not in files)
    assert unread == []
    assert len(ours) > 400
