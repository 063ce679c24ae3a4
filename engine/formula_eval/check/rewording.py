"""Remembers the chapters that were last found sound, so that other words in their sentences cost only to be read."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from formula_eval.cache import Cache
from formula_eval.check.notes import dangling_sentences
from formula_eval.check.soundness import Soundness
from formula_eval.core import declaration as d
from formula_eval.file_hash import text_hash
from formula_eval.kept_results import stamp_of_records
from formula_eval.library import Library
from formula_eval.resolve.graph_cache import our_library

_WORDS = "Words."


class _Sound(NamedTuple):
    """What else there was when these chapters held, their words left out, and what was found of them."""

    beside: str
    chapters: tuple[d.Chapter, ...]
    found: Soundness


def found_unless_reworded(
    library: Library, cache: Cache, chapters: Sequence[d.Chapter], find: Callable[[], Soundness]
) -> Soundness:
    """What `find` finds of these chapters, or found of them when all but the words of sentences and remarks was as now.

    Found anew where a sentence leans on another one.
    """
    key, beside = f"sound-{text_hash(repr(library.folders))}", _beside(library)
    wordless = tuple(map(_wordless, chapters))
    held: _Sound | None = cache.get_object(key, _Sound) if beside else None
    if held is not None and (held.beside, held.chapters) == (beside, wordless) and not any(map(_leans, chapters)):
        return held.found
    found = find()
    if beside and not found.findings and not found.accepted.lines and beside == _beside(library):
        cache.put_object(key, _Sound(beside, wordless, found))
    return found


def _leans(chapter: d.Chapter) -> bool:
    return any(leaning for declared in chapter.declarations for leaning in dangling_sentences(declared))


def _beside(library: Library) -> str:
    """A hash of the engine, our own library, records and data as they stand; empty if one is so new as to change."""
    ours, records = our_library().stamp(), stamp_of_records(library)
    return text_hash(f"{ours}{records}") if ours and records else ""


def _wordless(chapter: d.Chapter) -> d.Chapter:
    """A chapter with the same words in every sentence, and no remarks."""
    declarations = tuple(map(_worded_alike, chapter.declarations))
    return replace(chapter, docstring=chapter.docstring and _WORDS, declarations=declarations)


def _worded_alike(declared: Any) -> Any:  # noqa: ANN401 - a declaration of any sort, and the same sort
    parts = {name: tuple(map(_worded_alike, getattr(declared, name, ()))) for name in ("columns", "rows")}
    notes = replace(declared.notes, sentence=declared.notes.sentence and _WORDS, remarks=())
    return replace(declared, notes=notes, **{name: each for name, each in parts.items() if each})
