"""Loads the formula files of a library: parses them into chapters, and resolves these into the graph."""

import json
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from formula_eval.cache import NOWHERE, Cache
from formula_eval.core.declaration import Chapter
from formula_eval.core.diagnostic import Diagnostic, FormulaError
from formula_eval.core.unit import UnitTable
from formula_eval.file_hash import all_files, sha256, text_hash
from formula_eval.gc_pause import uncollected
from formula_eval.language.reader import Reader
from formula_eval.library import OURS, Library, engine_fingerprint
from formula_eval.resolve.data_files import with_data
from formula_eval.resolve.graph_cache import keep_graph, kept_graph, our_library, stands_on_ours
from formula_eval.resolve.passes import resolve, resolve_on
from formula_eval.resolve.patch import Before, patched
from formula_eval.resolve.resolved import NOTHING, Resolved
from formula_eval.resolve.use import spelled_out
from formula_eval.text_files import read_text

Read = tuple[Chapter, tuple[Diagnostic, ...]]  # a chapter, and what is wrong with its spelling
_DATA = ".csv"
_SAVED: Mapping[Path, str] = {}
# The layers that know nothing of how a chapter is read.
_ABOVE = ("cli", "lsp", "api", "check", "export", "ask", "analyse", "launch", "evaluate", "records")


class _Latest(NamedTuple):
    """What was kept last of a library: the fingerprint of its graph, and the hash of each of its files."""

    graph: str
    files: Mapping[str, str]


def read_chapters(
    library: Library, cache: Cache, unsaved: Mapping[Path, str] = _SAVED
) -> tuple[list[Chapter], list[Diagnostic]]:
    """All chapters, and everything wrong with their spelling; what did not change since comes from the cache.

    Texts of an editor that were not saved stand for the files of these paths, be they on the disk or not.
    """
    return _read_folders(library, library.folders, cache, unsaved)


def read_own_chapters(library: Library, cache: Cache) -> tuple[list[Chapter], list[Diagnostic]]:
    """The same of a library without those of ours that it stands on."""
    return _read_folders(library, library.folders[1:] if stands_on_ours(library) else library.folders, cache)


def _read_folders(
    library: Library, folders: Sequence[Path], cache: Cache, unsaved: Mapping[Path, str] = _SAVED
) -> tuple[list[Chapter], list[Diagnostic]]:
    chapters: list[Chapter] = []
    findings: list[Diagnostic] = []
    shaping = _reading_engine()
    for folder in folders:
        units = text_hash(repr(library.units_until(folder).to_data()))
        key = f"chapters-{shaping}-{units}-{'' if folder == OURS else folder}"
        held: dict[str, tuple[str, Read]] = cache.get_object(key, dict) or {}
        reader = _reader(library.units_until(folder), cache)
        kept, unreadable = _folder_chapters(library, folder, held, unsaved, reader)
        if any(shown not in held or held[shown][0] != digest for shown, (digest, _) in kept.items()):
            cache.put_object(key, kept)
        for _, (chapter, _) in kept.values():
            beside = folder.joinpath("formulas", *filter(None, chapter.namespace.split(".")))
            whole, found = with_data(chapter, beside, folder / "formulas")
            chapters.append(whole)
            findings += found
        findings += [*unreadable, *(finding for _, (_, found) in kept.values() for finding in found)]
    return chapters, findings


@cache
def _reading_engine() -> str:
    """The hash of what of the engine knows how a chapter is read; it does not change while it runs."""
    return engine_fingerprint(_ABOVE)


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
            digest = text_hash(text)
            read = held[shown][1] if shown in held and held[shown][0] == digest else None
            kept[shown] = digest, read or _chapter(text, shown, namespace, reader)
        except FormulaError as error:
            findings += (diagnostic._replace(file=shown) for diagnostic in error.diagnostics)
    return kept, findings


def _load(library: Library, cache: Cache) -> tuple[Resolved, str]:
    """The graph, or None and all findings, and the key of what was last kept of the library, whatever its chapters say.

    Of one that was seen before, only what changed is resolved; of one that stands on ours, only its own chapters are.
    """
    on_ours = stands_on_ours(library)
    shaping = our_library().fingerprint() if on_ours else engine_fingerprint()
    latest = f"latest-{shaping}-{library.folders}"
    base = NOTHING
    if on_ours:
        base = (None if cache == NOWHERE else _ours(cache, shaping)) or NOTHING
    chapters, findings = _read_folders(library, library.folders[1:] if base is not NOTHING else library.folders, cache)
    is_whole = on_ours and base is NOTHING
    before = None if findings or is_whole else _before(library, cache, latest)
    if before is None and not chapters and not findings and base is not NOTHING:
        before = Before(base, shaping, ())  # a library of data alone
    resolved = None if before is None else patched(before, base, chapters, library.units)
    if resolved is None and base is not NOTHING:
        resolved = resolve_on(base, chapters, library.units)
        if resolved is None:
            chapters, findings = read_chapters(library, cache)
    return _with_findings(resolved or resolve(chapters, library.units), findings), latest


def _before(library: Library, cache: Cache, latest: str) -> Before | None:
    """What the library resolved to when it was last kept."""
    held = cache.get_made(latest, lambda payload: _Latest(**json.loads(payload)))
    resolved = None if held is None else kept_graph(cache, held.graph)
    if held is None or resolved is None:
        return None
    now = _digests(library)
    files = {file for file in held.files.keys() | now.keys() if held.files.get(file) != now.get(file)}
    if any(file.endswith(_DATA) for file in files):  # which any table may take its cells from
        files |= now.keys()
    return Before(resolved, held.graph, files)


def _digests(library: Library) -> dict[str, str]:
    """The hash of each chapter and file of data that is not ours; of our own library, of each."""
    folders = library.folders[1:] if stands_on_ours(library) else library.folders
    places = (
        (folder, path) for folder in folders for path in all_files(folder / "formulas", endings=(".formula", _DATA))
    )
    shown = ((library.shown(folder, Path(path)), Path(path)) for folder, path in places)
    return {name: str(sha256(path.read_bytes()).hexdigest()) for name, path in shown}


def resolve_chapters(chapters: Sequence[Chapter], library: Library) -> Resolved:
    """The same of chapters that were read from a library and others behind them."""
    own = [chapter for chapter in chapters if not library.is_ours(chapter.file)]
    on_ours = _are_on_ours(own, library) and len(own) < len(chapters)
    base = _ours(library.cache, our_library().fingerprint()) if on_ours else None
    resolved = None if base is None else resolve_on(base, own, library.units)
    return resolve(chapters, library.units) if resolved is None else resolved


def resolve_with(
    resolved: Resolved, chapters: Sequence[Chapter], more: Sequence[Chapter], library: Library
) -> Resolved:
    """What the chapters of a library resolve to with others behind them, given what they do without these.

    Those of ours need not be among them.
    """
    own = [chapter for chapter in chapters if not library.is_ours(chapter.file)]
    on_ours = _are_on_ours(own, library)
    base = _ours(library.cache, our_library().fingerprint()) if on_ours else NOTHING
    own = own if on_ours else [*chapters]
    before = Before(resolved, "", {chapter.file for chapter in more})
    found = None if base is None else patched(before, base, [*own, *more], library.units)
    if found is None and on_ours and len(own) == len(chapters):
        chapters = [*_read_folders(library, library.folders[:1], library.cache)[0], *chapters]
    return resolve_chapters([*chapters, *more], library) if found is None else found


def _are_on_ours(own: Sequence[Chapter], library: Library) -> bool:
    """Whether these chapters of a library, or of a file beside it, can be resolved on our graph as the cache has it."""
    return library.cache != NOWHERE and (stands_on_ours(library) or (library.is_builtin and bool(own)))


def _ours(cache: Cache, fingerprint: str) -> Resolved | None:
    """Our own graph, made and kept where the cache has none; None where it cannot be made, or changes meanwhile."""
    resolved = kept_graph(cache, fingerprint) or load_and_keep(our_library(), cache, fingerprint)
    return resolved if resolved is not None and resolved.graph is not None else None


def load_and_keep(library: Library, cache: Cache, fingerprint: str) -> Resolved | None:
    """What the library with this fingerprint resolves to, its graph kept in the cache; None if it changes meanwhile."""
    with uncollected():
        resolved, latest = _load(library, cache)
        files = {} if resolved.graph is None else _digests(library)
        if library.fingerprint() != fingerprint:
            return None
        if resolved.graph is not None:
            keep_graph(resolved, library, cache, fingerprint)
            cache.put(latest, json.dumps(_Latest(fingerprint, files)._asdict()).encode())
        return resolved


def _with_findings(resolved: Resolved, findings: Sequence[Diagnostic]) -> Resolved:
    return Resolved(None, resolved.scope, (*findings, *resolved.findings)) if findings else resolved


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
