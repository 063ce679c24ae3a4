"""Checks single files of a library, and computes the examples that other findings leave computable."""

from collections.abc import Collection, Iterable, Iterator, Sequence, Set as AbstractSet
from dataclasses import replace
from typing import NamedTuple

from formula_eval.check.dependencies import changes_by_target, layers, sliced, unchanged_scope
from formula_eval.check.example_cases import Case, with_calls
from formula_eval.check.example_givens import Situations
from formula_eval.check.examples import ExampleOutcome, outcomes, run_examples
from formula_eval.check.held_graph import HeldGraph, held_of
from formula_eval.check.notes import notes_of_chapter
from formula_eval.core import declaration as d
from formula_eval.core.closure import closure
from formula_eval.core.diagnostic import Diagnostic
from formula_eval.core.notes import Example
from formula_eval.core.span import Span
from formula_eval.core.unit import UnitTable
from formula_eval.library import Library
from formula_eval.resolve.declare import declare
from formula_eval.resolve.load import resolve_chapters
from formula_eval.resolve.mentions import paths_of
from formula_eval.resolve.passes import resolve
from formula_eval.resolve.resolved import Resolved
from formula_eval.resolve.scope import Scope

_OF_EXAMPLES = ("bad-example", "unknown-input", "unknown-situation")


class Part(NamedTuple):
    """The files to check, the parts of all chapters that they need, and the result of resolving these."""

    files: Collection[str]
    chapters: Sequence[d.Chapter]
    cases: Sequence[Case]
    resolved: Resolved


def part_of(chapters: Sequence[d.Chapter], files: AbstractSet[str], library: Library) -> Part:
    """Resolves these files with what they need of others, except those that extend them; includes their examples."""
    below = next(layer for layer in layers(library, chapters) if files <= {chapter.file for chapter in layer.chapters})
    part = sliced(below.chapters, set(files), library.units)
    changes = declare(part, library.units).changes.values()
    situations = Situations(
        (chapter.namespace, declaration) for chapter in part for declaration in chapter.declarations
    )
    calls, cases = with_calls((chapter for chapter in part if chapter.file in files), situations, changes)
    return Part(files, part, cases, resolve([*part, *calls], library.units))


def findings_of_part(
    part: Part, spelling: Sequence[Diagnostic], library: Library
) -> tuple[list[Diagnostic], list[ExampleOutcome]]:
    """The findings of its files, except those that only the whole library can have, and the outcomes of its examples.

    `spelling` are the findings of reading, which stop some statements from being computed.
    """
    looked_at = (chapter for chapter in part.chapters if chapter.file in part.files)
    noted = [note for chapter in looked_at for note in notes_of_chapter(chapter, part.resolved, library.citations)]
    resolved, faults = part.resolved, Faults(spelling, noted)
    if resolved.graph is None or spelling or faults.examples:
        ran = outcomes_of(part.chapters, resolved, faults, library, part.files)
    else:
        ran = list(outcomes(part.cases, resolved.graph, library))
    return [*resolved.findings, *noted, *(outcome.finding for outcome in ran if outcome.finding)], ran


class Faults(NamedTuple):
    """What is wrong with chapters before any example runs: findings of parsing and of their notes."""

    reading: Sequence[Diagnostic]
    noted: Sequence[Diagnostic]

    @property
    def examples(self) -> set[Span]:
        """The places of examples that cannot even be asked for."""
        return {
            label.span for diagnostic in self.noted if diagnostic.code in _OF_EXAMPLES for label in diagnostic.labels
        }


def outcomes_of(
    chapters: Sequence[d.Chapter], resolved: Resolved, faults: Faults, held: Library | HeldGraph, files: Collection[str]
) -> list[ExampleOutcome]:
    """Runs the examples of these files that can be computed despite the faults, of a library or of what holds one."""
    library = held.library if isinstance(held, HeldGraph) else held
    if resolved.graph is None or faults.reading or faults.examples:
        places = [label.span for finding in (*faults.reading, *resolved.findings) for label in finding.labels[:1]]
        chapters = _sound(chapters, places, faults.examples, library.units)
        resolved = resolve_chapters(chapters, library)
        held = library
    if resolved.graph is None:
        return []
    held = held if isinstance(held, HeldGraph) else held_of(resolved.graph, library)
    return list(run_examples(chapters, resolved, held, files))


def _sound(
    chapters: Sequence[d.Chapter], places: Sequence[Span], examples: set[Span], units: UnitTable
) -> list[d.Chapter]:
    """The chapters without the statements at these places, without their readers, and without these examples."""
    wrong = {id(declaration) for chapter in chapters for declaration in _at(chapter, places)}
    wrong |= _readers(chapters, wrong, unchanged_scope(chapters, units))
    return [
        replace(
            chapter,
            declarations=tuple(
                _without(declaration, examples) for declaration in chapter.declarations if id(declaration) not in wrong
            ),
            broken=(),
        )
        for chapter in chapters
    ]


def _at(chapter: d.Chapter, places: Iterable[Span]) -> Iterator[d.Declaration]:
    """Yields the statements that contain one of these places."""
    places = list(places)
    data = {span.file for span in places if span.file != chapter.file}
    yield from (
        declaration
        for declaration in chapter.declarations
        if isinstance(declaration, d.TableDeclaration)
        and declaration.file is not None
        and declaration.file.shown in data
    )
    lines = sorted(span.line for span in places if span.file == chapter.file)
    if not lines:
        return
    starts = [declaration.span.line for declaration in chapter.declarations]
    for declared, start, end in zip(chapter.declarations, starts, [*starts[1:], lines[-1] + 1], strict=False):
        if any(start <= line < end for line in lines):
            yield declared


def _readers(chapters: Sequence[d.Chapter], wrong: Collection[int], scope: Scope) -> set[int]:
    """The statements that read one of these, or one that could not be read, or a reader of one.

    A reader of a changed statement also counts as a reader of the change.
    """
    readers: dict[int, list[int]] = {}
    pending = list(wrong)
    for target, changes in changes_by_target(chapters, scope).items():
        for change in changes:
            readers.setdefault(id(change), []).append(target)
    for chapter in chapters:
        for declared in chapter.declarations:
            for path in paths_of(declared):
                found = scope.lookup(path, chapter.namespace)
                if found is not None:
                    readers.setdefault(id(found[0].written or found[0].declaration), []).append(id(declared))
                elif scope.is_broken(path, chapter.namespace):
                    pending.append(id(declared))
    return set(closure(pending, lambda number: readers.get(number, ())))


def _without(declared: d.Declaration, examples: set[Span]) -> d.Declaration:
    kept = tuple(example for example in declared.notes.examples if not (examples & _places(example)))
    return (
        declared if kept == declared.notes.examples else replace(declared, notes=replace(declared.notes, examples=kept))
    )


def _places(example: Example) -> set[Span]:
    return {example.span} | ({example.expected.span} if example.expected is not None else set())
