"""A library's formula files to chapters and graph."""

import os
from functools import lru_cache
from pathlib import Path

from formula_eval.cache import Cache
from formula_eval.core.declaration import Chapter
from formula_eval.core.diagnostic import Diagnostic, FormulaError
from formula_eval.core.unit import UnitTable
from formula_eval.digest import sha256
from formula_eval.language.reader import Reader
from formula_eval.library import Library, engine_fingerprint, read_text
from formula_eval.resolve.passes import Resolved, resolve

Read = tuple[Chapter, tuple[Diagnostic, ...]]


def read_chapters(library: Library, cache: Cache) -> tuple[list[Chapter], list[Diagnostic]]:
    """All chapters, and everything wrong with their spelling; what did not change since comes from the cache."""
    key = f"chapters-{engine_fingerprint()}-{_digest(repr(library.units))}-{os.pathsep.join(map(str, library.folders))}"
    held: dict[str, tuple[str, Read]] = cache.get_object(key) or {}
    kept: dict[str, tuple[str, Read]] = {}
    findings: list[Diagnostic] = []
    for folder, path in library.files("formulas/**/*.formula"):
        shown = library.shown(folder, path)
        namespace = ".".join(path.relative_to(folder / "formulas").parts[:-1])
        try:
            text = read_text(path, shown)
            digest = _digest(text)
            read = held[shown][1] if shown in held and held[shown][0] == digest else None
            kept[shown] = digest, read or _chapter(text, shown, namespace, library.units)
        except FormulaError as error:
            findings += error.diagnostics
    if any(shown not in held or held[shown][0] != digest for shown, (digest, _) in kept.items()):
        cache.put_object(key, kept)
    return [chapter for _, (chapter, _) in kept.values()], [
        *findings,
        *(f for _, (_, own) in kept.values() for f in own),
    ]


def load_graph(library: Library, cache: Cache) -> Resolved:
    """The graph of a library, or None and all findings."""
    chapters, findings = read_chapters(library, cache)
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


def _digest(text: str) -> str:
    return str(sha256(text.encode()).hexdigest())
