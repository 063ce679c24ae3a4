"""CONTRIBUTING.md and ARCHITECTURE.md: the files, folders and cache entries that they name are those of the project."""

import re
from functools import cache
from pathlib import Path

import pytest

from counted import seen

ROOT = Path(__file__).resolve().parents[2]
ENGINE = ROOT / "engine" / "formula_eval"
PAGES = {each: (ROOT / each).read_text(encoding="utf-8") for each in ("CONTRIBUTING.md", "ARCHITECTURE.md")}
ROOMS = sorted(each.name for each in ENGINE.iterdir() if (each / "__init__.py").exists())
# A file or folder: `cli/show.py`, `params/layers`, `html/`; not one that a reader or the build makes.
NAMED = re.compile(r"`([\w-]+(?:/[\w.-]+)+/?|[\w-]+/|[\w-]+\.(?:py|lark|js|toml|formula))`")
MADE = re.compile(r"[A-Z]{3,}\.|^library\.toml$|^docs/reference/$")
# `_VERBS` of `cli/command.py`.
IN_A_FILE = re.compile(r"`(\w+)`\s+(?:of|in)\s+`([\w./-]+\.(?:py|js))`")
KEEPING = re.compile(r"\b(?:cache|kept)\.put(?:_object)?\(")


@cache
def known() -> dict[str, list[Path]]:
    """The files and folders of engine, formulas and reports, by name; modules and chapters without ending too."""
    found: dict[str, list[Path]] = {}
    for folder in (ENGINE, ROOT / "formulas", ROOT / "reports"):
        for path in folder.rglob("*"):
            for name in {path.name, path.stem if path.suffix in (".py", ".formula") else path.name}:
                found.setdefault(name, []).append(path)
    return found


def places(name: str) -> list[Path]:
    """The files and folders that a page may call so: a path from the root, or the end of one."""
    *above, leaf = Path(name).parts
    return [*[ROOT / name] * (ROOT / name).exists()] + [
        path for path in known().get(leaf, []) if not above or list(path.parent.parts[-len(above) :]) == above
    ]


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_names_is_there(page: str) -> None:
    names = {each for each in NAMED.findall(PAGES[page]) if not MADE.search(each)}
    assert [name for name in seen(sorted(names), 40) if not places(name)] == []


@pytest.mark.parametrize(
    ("name", "file"), sorted({each for page in PAGES.values() for each in IN_A_FILE.findall(page)})
)
def test_a_name_in_a_file_is_there(name: str, file: str) -> None:
    assert any(re.search(rf"\b{name}\b", path.read_text(encoding="utf-8")) for path in places(file))


def test_the_picture_and_the_table_have_every_room() -> None:
    text = PAGES["ARCHITECTURE.md"]
    drawn = set(re.findall(r"\w+", text.partition("```mermaid")[2].partition("```")[0]))
    rows = set(re.findall(r"^\| `(\w+)/` \|", text, re.MULTILINE))
    assert [room for room in seen(ROOMS, 10) if room not in drawn and room != "core"] == []
    assert rows == set(ROOMS)


def test_the_table_of_the_cache_has_every_module_that_keeps_an_entry() -> None:
    _, _, rows = PAGES["ARCHITECTURE.md"].partition("| entry | key |")
    told = set(re.findall(r"`([\w/]+\.py)`", rows.partition("\n\n")[0]))
    assert told == {
        str(path.relative_to(ENGINE))
        for path in ENGINE.rglob("*.py")
        if path.name != "cache.py" and KEEPING.search(path.read_text(encoding="utf-8"))
    }
