"""Loads the formula files of a library: parses them into chapters, and resolves these into the graph."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from formula_eval.cache import Cache
from formula_eval.core.declaration import Chapter
from formula_eval.core.diagnostic import Diagnostic, FormulaError
from formula_eval.core.unit import UnitTable
from formula_eval.file_hash import sha256
from formula_eval.language.reader import Reader
from formula_eval.library import OURS, Library, engine_fingerprint
from formula_eval.resolve.passes import Resolved, resolve
from formula_eval.resolve.use import spelled_out
from formula_eval.text_files import read_text

Read = tuple[Chapter, tuple[Diagnostic, ...]]  # a chapter, and what is wrong with its spelling
_SAVED: Mapping[Path, str] = {}
# The layers that know nothing of how a chapter is read.
_ABOVE = ("cli", "lsp", "api", "export", "check", "analyse", "evaluate", "records")


def read_chapters(
    library: Library, cache: Cache, unsaved: Mapping[Path, str] = _SAVED
) -> tuple[list[Chapter], list[Diagnostic]]:
    """All chapters, and everything wrong with their spelling; what did not change since comes from the cache.

    Texts of an editor that were not saved stand for the files of these paths, be they on the disk or not.
    """
    chapters: list[Chapter] = []
    findings: list[Diagnostic] = []
    shaping = engine_fingerprint(_ABOVE)
    for folder in library.folders:
        units = _digest(repr(library.units_until(folder).to_data()))
        key = f"chapters-{shaping}-{units}-{'' if folder == OURS else folder}"
        held: dict[str, tuple[str, Read]] = cache.get_object(key) or {}
        reader = _reader(library.units_until(folder), cache)
        kept, unreadable = _folder_chapters(library, folder, held, unsaved, reader)
        if any(shown not in held or held[shown][0] != digest for shown, (digest, _) in kept.items()):
            cache.put_object(key, kept)
        chapters += [chapter for _, (chapter, _) in kept.values()]
        findings += [*unreadable, *(finding for _, (_, found) in kept.values() for finding in found)]
    return chapters, findings


def _folder_chapters(
    library: Library, folder: Path, held: Mapping[str, tuple[str, Read]], unsaved: Mapping[Path, str], reader: Reader
) -> tuple[dict[str, tuple[str, Read]], list[Diagnostic]]:
    """The chapters of one folder by how messages name them, each with the hash of its text; and what cannot be read."""
    kept: dict[str, tuple[str, Read]] = {}
    findings: list[Diagnostic] = []
    new = (path for path in unsaved if path.is_relative_to(folder / "formulas"))
    for path in sorted({*folder.glob("formulas/**/*.formula"), *new}):
        shown = library.shown(folder, path)
        namespace = ".".join(path.relative_to(folder / "formulas").parts[:-1])
        try:
            text = unsaved[path] if path in unsaved else read_text(path, shown)
            digest = _digest(text)
            read = held[shown][1] if shown in held and held[shown][0] == digest else None
            kept[shown] = digest, read or _chapter(text, shown, namespace, reader)
        except FormulaError as error:
            findings += (each._replace(file=shown) for each in error.diagnostics)
    return kept, findings


def load_graph(library: Library, cache: Cache) -> Resolved:
    """The graph of a library, or None and all findings."""
    chapters, findings = read_chapters(library, cache)
    resolved = resolve(chapters, library.units)
    if findings:
        return Resolved(None, resolved.scope, (*findings, *resolved.findings))
    return resolved


def read_file(path: Path, shown: str, namespace: str, library: Library) -> tuple[Chapter, list[Diagnostic]]:
    """One chapter, and everything wrong with its spelling; raises FormulaError if it cannot be read at all."""
    return read_chapter(read_text(path, shown), shown, namespace, library)


def read_chapter(text: str, shown: str, namespace: str, library: Library) -> tuple[Chapter, list[Diagnostic]]:
    """The chapter that a text is in the units of a library, and everything wrong with its spelling."""
    chapter, findings = _reader(library.units, library.cache).chapter(text, shown, namespace)
    return spelled_out(chapter), findings


@lru_cache(maxsize=2048)
def _chapter(text: str, shown: str, namespace: str, reader: Reader) -> tuple[Chapter, tuple[Diagnostic, ...]]:
    """A chapter and what is wrong with it; a text that did not change is read once."""
    chapter, findings = reader.chapter(text, shown, namespace)
    return spelled_out(chapter), tuple(findings)


@lru_cache(maxsize=8)
def _reader(units: UnitTable, cache: Cache) -> Reader:
    """The reader of these units; a chapter that it has read is not read again."""
    return Reader(units, cache)


def _digest(text: str) -> str:
    return str(sha256(text.encode()).hexdigest())
