"""A case of tests/language to chapters, findings and graph."""

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from formula_eval.check.notes import completeness
from formula_eval.core.declaration import Chapter
from formula_eval.core.diagnostic import Diagnostic
from formula_eval.core.unit import UnitTable
from formula_eval.core.unit_meaning import meanings_in, unit_table
from formula_eval.language.reader import Reader
from formula_eval.printing.diagnostic import rendered
from formula_eval.resolve.data_files import with_data
from formula_eval.resolve.passes import resolve
from formula_eval.resolve.resolved import Resolved

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SOURCES = {"dao2023": {"pages": 1}, "pope2022": {}}


class Case(NamedTuple):
    """The texts of one case by file name, each with its namespace."""

    texts: dict[str, str]
    namespaces: dict[str, str]
    with_completeness: bool
    folder: Path | None = None  # where it lies, if it is one


@cache
def units(texts: tuple[str, ...] = ()) -> UnitTable:
    """The units of the library, and those that these chapters declare."""
    ours = (ROOT / "formulas" / "units.formula").read_text(encoding="utf-8")
    return unit_table(meaning for text in (ours, *texts) for meaning in meanings_in(text))


def _declaring(case: Case) -> tuple[str, ...]:
    """The chapters of a case that declare units."""
    return tuple(text for text in case.texts.values() if text.startswith("unit ") or "\nunit " in text)


@cache
def reader(texts: tuple[str, ...] = ()) -> Reader:
    """One reader for all tests with these units."""
    return Reader(units(texts))


def case_paths(folder: str) -> list[Path]:
    """The cases of a folder: single files, recipes of large ones, and folders of several chapters."""
    inside = sorted((HERE / folder).iterdir())
    return [path for path in inside if path.is_dir() or path.suffix in {".formula", ".toml"}]


def load(path: Path) -> Case:
    """A file is a chapter of the root; in a folder, its folders are namespaces; a recipe repeats a text."""
    complete = path.parent.name == "completeness"
    if path.is_dir():
        files = sorted(each for each in path.rglob("*") if each.suffix in {".formula", ".csv"})
        texts = {each.relative_to(path).as_posix(): _text(each) for each in files}
        return Case(texts, {name: ".".join(name.split("/")[:-1]) for name in texts}, complete, path)
    name = f"{path.stem}.formula"
    if path.suffix == ".toml":
        recipe = tomllib.loads(path.read_text(encoding="utf-8"))
        parts = (
            str(recipe["repeat"]).replace("{n}", str(n)).replace("{n-1}", str(n - 1))
            for n in range(1, recipe["times"] + 1)
        )
        return Case({name: recipe["before"] + "".join(parts) + recipe["after"]}, {name: ""}, complete)
    return Case({name: _text(path)}, {name: ""}, complete)


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def read(case: Case) -> tuple[list[Chapter], list[Diagnostic]]:
    """All chapters of a case, and what is wrong with their spelling."""
    chapters, findings = [], []
    for name, text in case.texts.items():
        if name.endswith(".csv"):
            continue
        chapter, found = reader(_declaring(case)).chapter(text, name, case.namespaces[name])
        if case.folder is not None:
            chapter, unread = with_data(chapter, case.folder / Path(name).parent, case.folder)
            found = [*found, *unread]
        chapters.append(chapter)
        findings += found
    return chapters, findings


@cache
def checked(path: Path) -> tuple[Case, list[Diagnostic]]:
    """A case and its findings, found once."""
    case = load(path)
    return case, check(case)[1]


def check(case: Case) -> tuple[Resolved, list[Diagnostic]]:
    """What `check` would find, examples apart."""
    chapters, findings = read(case)
    resolved = resolve(chapters, units(_declaring(case)))
    findings += resolved.findings
    if case.with_completeness:
        findings += completeness(resolved, chapters, {each.file for each in chapters}, SOURCES)
    return resolved, findings


def messages(case: Case, findings: list[Diagnostic]) -> str:
    """Every finding as the user sees it."""
    return "\n".join(rendered(finding, case.texts.get) + "\n" for finding in findings)
