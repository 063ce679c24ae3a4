"""Combines a library with an editor's unsaved texts into what all requests read: chapters, names, findings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from formula_eval.cache import Cache
from formula_eval.check.chapter_check import Part, findings_of_part, part_of
from formula_eval.core import declaration as d
from formula_eval.core.diagnostic import Diagnostic, FormulaError
from formula_eval.core.namespace import qualified
from formula_eval.core.span import Span
from formula_eval.libraries import find_library
from formula_eval.library import OURS, Library
from formula_eval.resolve.declare import declare
from formula_eval.resolve.load import read_chapter, read_chapters
from formula_eval.resolve.passes import words_in
from formula_eval.resolve.scope import Scope
from formula_eval.text_files import read_text

FOLDER = "formulas"


class MemoryCache(Cache):
    """A cache whose objects are read from the disk once and kept there once: every key press makes new ones."""

    def __init__(self, directory: Path | None, shipped: Path | None = None) -> None:
        """Keep objects here, and the first of each key in that directory too."""
        super().__init__(directory, shipped)
        self._kept: dict[str, Any] = {}

    def get_object(self, key: str, *kinds: type) -> Any:  # noqa: ANN401 - whatever was put there
        """The object, from the disk only the first time."""
        if key not in self._kept:
            self._kept[key] = super().get_object(key, *kinds)
        return self._kept[key]

    def put_object(self, key: str, value: object) -> None:
        """Keep an object here; on the disk too, if there was none."""
        if self._kept.get(key) is None:
            super().put_object(key, value)
        self._kept[key] = value


def root_of(path: Path) -> Path | None:
    """The library folder that a chapter stands in; None for a file outside any."""
    inside = [parent for parent in path.parents if parent.name == FOLDER]
    return inside[-1].parent if inside else None


@dataclass
class Snapshot:
    """A library at one moment, its chapters by how messages name them.

    `beside` is a chapter outside any library, which is read as one of the root.
    """

    library: Library
    cache: Cache
    unsaved: Mapping[Path, str]
    beside: Path | None = None
    _parts: dict[str, Part] = field(default_factory=dict)

    @cached_property
    def _read(self) -> tuple[list[d.Chapter], list[Diagnostic]]:
        chapters, findings = read_chapters(self.library, self.cache, self.unsaved)
        if self.beside is not None:
            shown = str(self.beside)
            text = self.unsaved.get(self.beside)
            text = read_text(self.beside, shown) if text is None else text
            chapter, found = read_chapter(text, shown, "", self.library.keeping(self.cache))
            chapters, findings = [*chapters, chapter], [*findings, *found]
        return chapters, findings

    @property
    def chapters(self) -> list[d.Chapter]:
        """All chapters that could be read."""
        return self._read[0]

    @cached_property
    def by_file(self) -> Mapping[str, d.Chapter]:
        """The chapters by their files."""
        return {chapter.file: chapter for chapter in self.chapters}

    @cached_property
    def paths(self) -> Mapping[str, Path]:
        """Where each chapter lies."""
        found = {self.library.shown(folder, path): path for folder, path in self.library.files("formulas/**/*.formula")}
        for path in self.unsaved:
            folder = next((each for each in self.library.folders if path.is_relative_to(each / FOLDER)), None)
            if folder is not None:
                found[self.library.shown(folder, path)] = path
        return found if self.beside is None else {**found, str(self.beside): self.beside}

    @cached_property
    def files(self) -> Mapping[Path, str]:
        """How messages name each file."""
        return {path: shown for shown, path in self.paths.items()}

    def shown(self, path: Path) -> str:
        """How messages name a file, which may be none of its chapters."""
        return self.files.get(path, str(path))

    def text(self, shown: str) -> str:
        """The text of a chapter, unsaved if the editor has changed it; empty if it cannot be read."""
        path = self.paths.get(shown)
        if path is None:
            return ""
        try:
            return self.unsaved[path] if path in self.unsaved else read_text(path, shown)
        except FormulaError:
            return ""

    @cached_property
    def scope(self) -> Scope:
        """All names."""
        return declare(self.chapters, self.library.units)

    @cached_property
    def units(self) -> Mapping[str, d.UnitDeclaration]:
        """The statements of units by name."""
        every = (declaration for chapter in self.chapters for declaration in chapter.declarations)
        return {declaration.name: declaration for declaration in every if isinstance(declaration, d.UnitDeclaration)}

    @cached_property
    def choices(self) -> Mapping[str, d.ChoiceDeclaration]:
        """The choices by their qualified names."""
        return {
            qualified(chapter.namespace, declaration.name): declaration
            for chapter in self.chapters
            for declaration in chapter.declarations
            if isinstance(declaration, d.ChoiceDeclaration)
        }

    @cached_property
    def words(self) -> frozenset[Span]:
        """Where a word of a choice stands, whatever else bears that name."""
        return words_in(self.chapters, self.library.units)

    def part(self, shown: str) -> Part:
        """A chapter with what it needs, resolved once."""
        if shown not in self._parts:
            self._parts[shown] = part_of(self.chapters, {shown}, self.library)
        return self._parts[shown]

    def spelling(self, shown: str) -> list[Diagnostic]:
        """What is wrong with the spelling of a chapter."""
        return [
            diagnostic for diagnostic in self._read[1] if any(label.span.file == shown for label in diagnostic.labels)
        ]

    def findings(self, shown: str) -> list[Diagnostic]:
        """Everything wrong with a chapter that its own text and what it needs can tell."""
        if shown not in self.by_file:
            return [diagnostic for diagnostic in self._read[1] if diagnostic.file == shown]
        spelling = self.spelling(shown)
        if spelling and not self.by_file[shown].declarations:
            return spelling
        part, _ = findings_of_part(self.part(shown), spelling, self.library)
        found = [*spelling, *part]
        return [diagnostic for diagnostic in found if any(label.span.file == shown for label in diagnostic.labels)]


def snapshot_of(path: Path, cache: Cache, unsaved: Mapping[Path, str]) -> Snapshot:
    """The library that a file belongs to; raises FormulaError if there is none."""
    root = root_of(path)
    if root is not None and root.resolve() == OURS.resolve():
        return Snapshot(find_library(), cache, unsaved)
    if root is not None and root.is_dir():
        return Snapshot(find_library([root]), cache, unsaved)
    return Snapshot(find_library(), cache, unsaved, beside=path)
