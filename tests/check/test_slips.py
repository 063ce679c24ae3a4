"""What is said of one slip in a library of vans: what is wrong, where, and what to do, once and in its author's words.

`UPDATE_EXPECTED=1` writes what is said now into slips.toml: read the difference.
"""

import os
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from formula_eval.check.first_causes import first_causes
from formula_eval.check.library import soundness
from formula_eval.cli.errors import text_of

HERE = Path(__file__).parent / "slips"
FILE = HERE / "slips.toml"
SLIPS: list[dict[str, Any]] = tomllib.loads(FILE.read_text(encoding="utf-8"))["slip"]
CHAPTER = "formulas/trip/trip.formula"


def said_of(slip: dict[str, Any], folder: Path) -> list[str]:
    """Each finding with its place and help."""
    library = folder / "vans"
    shutil.copytree(HERE / "vans", library)
    path = library / slip.get("file", CHAPTER)
    text = path.read_text(encoding="utf-8")
    if "old" in slip:
        assert text.count(slip["old"]) == 1
    path.write_text(text.replace(slip["old"], slip["new"]) if "old" in slip else f"{text}\n{slip['new']}")
    findings = first_causes(soundness(str(library)).findings, text_of)
    return [f"{each}\n{each.help}".replace(f"{library}/", "") for each in findings]


@pytest.mark.parametrize("number", range(len(SLIPS)))
def test_what_is_said_of_a_slip(number: int, tmp_path: Path) -> None:
    slip = SLIPS[number]
    said = said_of(slip, tmp_path)
    if os.environ.get("UPDATE_EXPECTED"):
        slip["says"] = said
        FILE.write_text("\n".join(written(each) for each in SLIPS), encoding="utf-8")
    assert said == slip["says"]
    assert said


def written(slip: dict[str, Any]) -> str:
    """A slip as it stands in the file."""
    lines = ["[[slip]]", *(f"{key} = {quoted(slip[key])}" for key in ("file", "old", "new") if key in slip)]
    return "\n".join([*lines, "says = [", *(f"    {quoted(each)}," for each in slip.get("says", ())), "]", ""])


def quoted(text: str) -> str:
    """A text of TOML on one line."""
    inner = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{inner}"'
