"""Checks some files of a library, with only what they need around them."""

from collections.abc import Collection, Sequence, Set as AbstractSet
from typing import NamedTuple

from formula_eval.check.computable import Faults, outcomes_of
from formula_eval.check.dependencies import layers, sliced
from formula_eval.check.example_givens import Situations
from formula_eval.check.examples import Case, ExampleOutcome, outcomes, with_calls
from formula_eval.check.notes import notes_of_chapter
from formula_eval.core.declaration import Chapter
from formula_eval.core.diagnostic import Diagnostic
from formula_eval.library import Library
from formula_eval.resolve.declare import declare
from formula_eval.resolve.passes import resolve
from formula_eval.resolve.resolved import Resolved


class Part(NamedTuple):
    """The files to check, the parts of all chapters that they need, and the result of resolving these."""

    files: Collection[str]
    chapters: Sequence[Chapter]
    cases: Sequence[Case]
    resolved: Resolved


def part_of(chapters: Sequence[Chapter], files: AbstractSet[str], library: Library) -> Part:
    """Resolves these files with what they need of others, except those that extend them; includes their examples."""
    below = next(each for each in layers(library, chapters) if files <= {chapter.file for chapter in each.chapters})
    part = sliced(below.chapters, set(files), library.units)
    changes = declare(part, library.units).changes.values()
    situations = Situations((chapter.namespace, each) for chapter in part for each in chapter.declarations)
    calls, cases = with_calls((chapter for chapter in part if chapter.file in files), situations, changes)
    return Part(files, part, cases, resolve([*part, *calls], library.units))


def findings_of_part(
    part: Part, spelling: Sequence[Diagnostic], library: Library
) -> tuple[list[Diagnostic], list[ExampleOutcome]]:
    """The findings of its files, except those that only the whole library can have, and the outcomes of its examples.

    `spelling` are the findings of reading, which stop some statements from being computed.
    """
    noted: list[Diagnostic] = []
    for chapter in part.chapters:
        if chapter.file in part.files:
            noted += notes_of_chapter(chapter, part.resolved, library.citations)
    resolved, faults = part.resolved, Faults(spelling, noted)
    if resolved.graph is None or spelling or faults.examples:
        ran = outcomes_of(part.chapters, resolved, faults, library, part.files)
    else:
        ran = list(outcomes(part.cases, resolved.graph, library))
    return [*resolved.findings, *noted, *(each.finding for each in ran if each.finding)], ran
