"""Splits a library into layers, so that each folder is checked with those before it, not with what extends it."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from formula_eval.core import declaration as d
from formula_eval.library import Library


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
    changing = {number for number, chapter in zip(numbers, chapters, strict=True) if _changes(chapter)}
    starts = sorted({0, *changing})
    found = []
    for start, end in zip(starts, [*starts[1:], last + 1], strict=True):
        files = (each.file for each, number in zip(chapters, numbers, strict=True) if start <= number < end)
        below = (each for each, number in zip(chapters, numbers, strict=True) if number < end)
        found.append(Layer(library.folders[start:end], frozenset(files), tuple(below)))
    return found


def _changes(chapter: d.Chapter) -> bool:
    return any(isinstance(each, d.ChangeDeclaration) for each in chapter.declarations)
