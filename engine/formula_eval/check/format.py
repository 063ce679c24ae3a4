"""Formats formula files: parses each and prints its canonical text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.language.formatter import chapter_text
from formula_eval.language.reader import Reader
from formula_eval.libraries import find_library
from formula_eval.library import Library
from formula_eval.text_files import read_text


@dataclass(frozen=True, slots=True)
class Formatted:
    """A formula file: its path, its name in messages, its text and its canonical form."""

    path: Path
    shown: str
    text: str
    canonical: str


def formatted(library: Library, paths: Sequence[str]) -> Iterator[Formatted]:
    """All formula files of the paths, or of the library; raises FormulaError for one that is wrong."""
    readers: dict[Path | None, Reader] = {}
    for path, shown in _files(library, paths):
        text = read_text(path, shown)
        folder = _library_of(path)
        if folder not in readers:
            readers[folder] = Reader(find_library([folder]).units if folder else library.units, library.cache)
        chapter, findings = readers[folder].chapter(text, shown, "")
        if findings:
            raise FormulaError(*findings)
        yield Formatted(path, shown, text, chapter_text(chapter))


def _library_of(path: Path) -> Path | None:
    """The library folder that contains a chapter, whose units it may use; None for one outside any."""
    return next((parent.parent for parent in path.absolute().parents if parent.name == "formulas"), None)


def _files(library: Library, paths: Sequence[str]) -> Iterator[tuple[Path, str]]:
    if not paths:
        yield from ((path, library.shown(folder, path)) for folder, path in library.files("formulas/**/*.formula"))
    for name in paths:
        path = Path(name)
        if path.is_dir():
            yield from ((each, str(each)) for each in sorted(path.glob("**/*.formula")))
        elif path.is_file():
            yield path, name
        else:
            raise refuse("unreadable", f"Cannot read `{name}`: no such file or directory")
