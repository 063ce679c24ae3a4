"""A library's formula files to chapters and graph."""

from functools import lru_cache
from pathlib import Path

from formula_eval.core.declaration import Chapter
from formula_eval.core.diagnostic import Diagnostic, FormulaError
from formula_eval.core.unit import UnitTable
from formula_eval.language.reader import Reader
from formula_eval.library import Library, read_text
from formula_eval.resolve.passes import Resolved, resolve


def read_chapters(library: Library) -> tuple[list[Chapter], list[Diagnostic]]:
    """All chapters, and everything wrong with their spelling."""
    chapters: list[Chapter] = []
    findings: list[Diagnostic] = []
    for folder, path in library.files("formulas/**/*.formula"):
        shown = library.shown(folder, path)
        namespace = ".".join(path.relative_to(folder / "formulas").parts[:-1])
        try:
            chapter, found = _chapter(read_text(path, shown), shown, namespace, library.units)
        except FormulaError as error:
            findings += error.diagnostics
            continue
        chapters.append(chapter)
        findings += found
    return chapters, findings


def load_graph(library: Library) -> Resolved:
    """The graph of a library, or None and all findings."""
    chapters, findings = read_chapters(library)
    resolved = resolve(chapters, library.units)
    if findings:
        return Resolved(None, resolved.scope, (*findings, *resolved.findings))
    return resolved


def read_file(path: Path, shown: str, namespace: str, units: UnitTable) -> tuple[Chapter, list[Diagnostic]]:
    """One chapter, and everything wrong with its spelling; raises FormulaError if it cannot be read at all."""
    return _reader(units).chapter(read_text(path, shown), shown, namespace)


@lru_cache(maxsize=2048)
def _chapter(text: str, shown: str, namespace: str, units: UnitTable) -> tuple[Chapter, tuple[Diagnostic, ...]]:
    """A chapter and what is wrong with it; a text that did not change is read once."""
    chapter, findings = _reader(units).chapter(text, shown, namespace)
    return chapter, tuple(findings)


@lru_cache(maxsize=8)
def _reader(units: UnitTable) -> Reader:
    """The reader of these units; to build one takes longer than to read a chapter."""
    return Reader(units)
