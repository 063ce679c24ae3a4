"""CONTRIBUTING.md: the files that it names are there, and so are the names in them."""

import re
from pathlib import Path

import pytest

from counted import seen

ROOT = Path(__file__).resolve().parents[2]
ENGINE = ROOT / "engine" / "formula_eval"
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
# A file in the place of which a reader puts his own, such as `presets/launch/PROGRAM.toml`.
OWN = re.compile(r"[A-Z]{3,}\.|<")
FILES = sorted(
    name
    for name in set(re.findall(r"`([\w./<>-]+/[\w./<>-]*|[\w-]+\.(?:py|lark|js|toml))`", TEXT))
    if not OWN.search(name) and name != "library.toml"
)
# A folder that is named once, and then the files in it.
FOLDERS = (ROOT, ENGINE, ENGINE / "printing", ENGINE / "export", ENGINE / "export/terminal", ROOT / "formulas")
MORE = (ENGINE / "language", ENGINE / "resolve", ENGINE / "export/site", ROOT / "formulas/operators", ROOT / "reports")
NAMES = sorted(set(re.findall(r"`(\w+)`\s+(?:of|in)\s+`([\w./-]+\.(?:py|js))`", TEXT)))


def places(name: str) -> list[Path]:
    """Where a file or folder of this name is."""
    paths = (folder / each for folder in (*FOLDERS, *MORE) for each in (name, f"{name}.formula"))
    return [path for path in paths if path.exists()]


def test_what_it_names_is_there() -> None:
    assert [name for name in seen(FILES, 40) if not places(name)] == []


@pytest.mark.parametrize(("name", "file"), NAMES)
def test_a_name_in_a_file_is_there(name: str, file: str) -> None:
    assert any(re.search(rf"\b{name}\b", path.read_text(encoding="utf-8")) for path in places(file))
