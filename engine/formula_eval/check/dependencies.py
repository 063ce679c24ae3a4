"""Slices a library into what is checked together: each folder with those before it, some files with what they need."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from formula_eval.core import declaration as d
from formula_eval.core.namespace import qualified
from formula_eval.core.unit import UnitTable
from formula_eval.library import Library
from formula_eval.resolve.declare import declare
from formula_eval.resolve.mentions import paths_of
from formula_eval.resolve.scope import Scope
from formula_eval.resolve.use import spelled_out

# What a record or a user gives is checked against all of these, whoever reads them.
_ALWAYS = (d.RecordDeclaration, d.InputDeclaration, d.ChoiceDeclaration, d.SituationDeclaration)


def chosen_files(chapters: Iterable[d.Chapter], pattern: str) -> set[str]:
    """The files of the chapters that hold a statement which the pattern names, by its whole name or its last part."""
    return {
        chapter.file
        for chapter in chapters
        for declaration in chapter.declarations
        if fnmatchcase(declaration.name, pattern)
        or fnmatchcase(qualified(chapter.namespace, declaration.name), pattern)
    }


def sliced(chapters: Sequence[d.Chapter], files: set[str], units: UnitTable) -> list[d.Chapter]:
    """The chapters of these files whole, and of all others only what those need, with what changes any of it.

    What bears the name of something in these files stays too, so that it is found to be declared twice.
    """
    scope = unchanged_scope(chapters, units)
    chapters = [chapter if chapter.file in files else replace(spelled_out(chapter), uses=()) for chapter in chapters]
    everything = [(declaration, chapter) for chapter in chapters for declaration in chapter.declarations]
    spaces = {id(declaration): chapter.namespace for declaration, chapter in everything}
    own = {
        qualified(chapter.namespace, declaration.name) for declaration, chapter in everything if chapter.file in files
    }
    needed: set[int] = set()
    changes = changes_by_target(chapters, scope)
    pending = [
        declaration
        for declaration, chapter in everything
        if qualified(chapter.namespace, declaration.name) in own or _always(declaration)
    ]
    while pending:
        declared = pending.pop()
        if id(declared) not in needed:
            needed.add(id(declared))
            pending += [*_read_by(declared, spaces[id(declared)], scope), *changes.get(id(declared), ())]
    return [
        replace(
            chapter,
            declarations=tuple(declaration for declaration in chapter.declarations if id(declaration) in needed),
        )
        for chapter in chapters
    ]


def unchanged_scope(chapters: Iterable[d.Chapter], units: UnitTable) -> Scope:
    """The scope of all names as first declared, without changes."""
    return declare([replace(chapter, declarations=_unchanged(chapter)) for chapter in chapters], units)


def _unchanged(chapter: d.Chapter) -> tuple[d.Declaration, ...]:
    return tuple(
        declaration for declaration in chapter.declarations if not isinstance(declaration, d.ChangeDeclaration)
    )


def changes_by_target(chapters: Sequence[d.Chapter], scope: Scope) -> dict[int, list[d.Declaration]]:
    """The changes of each declaration that has some, by its identity."""
    found: dict[int, list[d.Declaration]] = {}
    for chapter in chapters:
        for declaration in chapter.declarations:
            target = scope.lookup(tuple(declaration.name.split(".")), chapter.namespace)
            if isinstance(declaration, d.ChangeDeclaration) and target is not None:
                found.setdefault(id(target[0].declaration), []).append(declaration)
    return found


def _always(declared: d.Declaration) -> bool:
    return isinstance(declared, _ALWAYS) or (isinstance(declared, d.TableDeclaration) and bool(declared.supplier))


def _read_by(declared: d.Declaration, namespace: str, scope: Scope) -> Iterator[d.Declaration]:
    """Yields the declarations that a statement names, as far as its names resolve."""
    for path in paths_of(declared):
        found = scope.lookup(path, namespace)
        if found is not None:
            symbol = scope.original(found[0])
            yield symbol.written or symbol.declaration


class Layer(NamedTuple):
    """A layer: folders with their files, and all chapters that these may use, their own and earlier ones."""

    folders: tuple[Path, ...]
    files: frozenset[str]
    chapters: tuple[d.Chapter, ...]


def layers(library: Library, chapters: Sequence[d.Chapter]) -> list[Layer]:
    """A single layer, plus one for each later folder that changes what earlier ones declare."""
    last = len(library.folders) - 1
    folder_of = {
        library.shown(folder, path): number
        for number, folder in enumerate(library.folders)
        for path in folder.glob("formulas/**/*.formula")
    }
    numbers = [folder_of.get(chapter.file, last) for chapter in chapters]
    changing = {
        number
        for number, chapter in zip(numbers, chapters, strict=True)
        if any(isinstance(declaration, d.ChangeDeclaration) for declaration in chapter.declarations)
    }
    starts = sorted({0, *changing})
    found = []
    for start, end in zip(starts, [*starts[1:], last + 1], strict=True):
        files = (chapter.file for chapter, number in zip(chapters, numbers, strict=True) if start <= number < end)
        below = (chapter for chapter, number in zip(chapters, numbers, strict=True) if number < end)
        found.append(Layer(library.folders[start:end], frozenset(files), tuple(below)))
    return found
