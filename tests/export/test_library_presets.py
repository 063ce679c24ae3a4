"""Scenarios to start from on the pages of the shipped libraries: each is of what its page is about, and is answered."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from formula_eval import load

pytestmark = pytest.mark.slow

LIBRARIES = Path(__file__).parents[2] / "libraries"
PRESETS = [
    pytest.param(page.parents[1].name, preset, id=f"{page.parents[1].name}: {preset['title']}")
    for page in sorted(LIBRARIES.glob("*/reports/page.toml"))
    for preset in tomllib.loads(page.read_text())["preset"]
]


@pytest.mark.parametrize(("library", "preset"), PRESETS)
def test_a_preset_of_a_library_is_answered(library: str, preset: dict[str, Any]) -> None:
    answer = load(library).evaluate(**preset["records"], **preset["inputs"])
    broken = [check.name for check in answer.checks if check.level == "refuse" and not check.ok]
    assert not broken
    assert any(name.split(".")[0] not in ("inference", "memory") for name in answer.values)
