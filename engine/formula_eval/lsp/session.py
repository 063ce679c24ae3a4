"""Answers questions about an editor's open files; a library is read again only when a text has changed."""

from collections.abc import Iterator
from pathlib import Path

from formula_eval.cache import cache_directory
from formula_eval.core.diagnostic import Diagnostic, refuse
from formula_eval.core.span import Span
from formula_eval.language.formatter import chapter_text
from formula_eval.language.limits import MOST_FILE_BYTES
from formula_eval.library import COMPILED
from formula_eval.lsp.completion import Offer, offers
from formula_eval.lsp.hover import hover_text
from formula_eval.lsp.outline import OutlineEntry, outline
from formula_eval.lsp.rename import Renaming, refuse_unrenamable, renaming
from formula_eval.lsp.snapshot import MemoryCache, Snapshot, root_of, snapshot_of
from formula_eval.lsp.symbol_at import Word, occurrences, word_at
from formula_eval.resolve.load import read_chapter


class Session:
    """What the editor has open; places count lines and columns from 1, in characters."""

    def __init__(self) -> None:
        """Nothing is open yet."""
        self.texts: dict[Path, str] = {}
        self._cache = MemoryCache(cache_directory(), COMPILED)
        self._snapshots: dict[Path, Snapshot] = {}

    def change(self, path: Path, text: str | None) -> None:
        """An open file has this text now; None: it is closed. What was made of the old text is forgotten."""
        if text is None:
            self.texts.pop(path, None)
        else:
            self.texts[path] = text
        self.forget()

    def forget(self) -> None:
        """Files have changed on the disk."""
        self._snapshots.clear()

    def snapshot(self, path: Path) -> Snapshot:
        """The library of a file as it stands now."""
        key = root_of(path) or path
        if key not in self._snapshots:
            inside = {each: text for each, text in self.texts.items() if root_of(each) == root_of(path)}
            unsaved = inside if root_of(path) is not None else {path: self.texts[path]} if path in self.texts else {}
            self._snapshots[key] = snapshot_of(path, self._cache, unsaved)
        return self._snapshots[key]

    def _file(self, path: Path) -> tuple[Snapshot, str, str]:
        """The library of a file, what messages call the file, and its text."""
        snapshot = self.snapshot(path)
        shown = snapshot.shown(path)
        return snapshot, shown, self.texts.get(path) or snapshot.text(shown)

    def _is_readable(self, path: Path) -> bool:
        """Whether a text is of a size that is read at all."""
        return len(self.texts.get(path, "")) <= MOST_FILE_BYTES

    def findings(self, path: Path) -> list[Diagnostic]:
        """What is wrong with a file, as far as it and what it needs can tell."""
        snapshot = self.snapshot(path)
        return snapshot.findings(snapshot.shown(path))

    def word(self, path: Path, line: int, column: int) -> Word | None:
        """What stands at a place."""
        return word_at(*self._file(path), line, column) if self._is_readable(path) else None

    def hover(self, path: Path, line: int, column: int) -> tuple[str, Span] | None:
        """What to say about the word at a place, and where that word stands."""
        word = self.word(path, line, column)
        if word is None:
            return None
        target, span = word
        snapshot = self.snapshot(path)
        text = hover_text(snapshot, snapshot.shown(path), target)
        return (text, span) if text else None

    def places(self, path: Path, line: int, column: int) -> list[Span]:
        """Every place where the name at a place is written."""
        word = self.word(path, line, column)
        return [] if word is None else list(dict.fromkeys(occurrences(self.snapshot(path), word[0])))

    def renamable(self, path: Path, line: int, column: int) -> Word:
        """The word at a place, if it can have another name; raises FormulaError."""
        word = self.word(path, line, column)
        target = refuse_unrenamable(self.snapshot(path), word[0] if word else None)
        return target, word[1] if word else target.span

    def rename(self, path: Path, line: int, column: int, name: str) -> Renaming:
        """All edits that give the name at a place a new one; raises FormulaError."""
        target, _ = self.renamable(path, line, column)
        return renaming(self.snapshot(path), target, name)

    def offers(self, path: Path, line: int, column: int) -> list[Offer]:
        """What could be written at a place."""
        return offers(*self._file(path), line, column) if self._is_readable(path) else []

    def outline(self, path: Path) -> Iterator[OutlineEntry]:
        """What a file declares."""
        snapshot = self.snapshot(path)
        shown = snapshot.shown(path)
        chapter = snapshot.by_file.get(shown)
        return iter(()) if chapter is None else outline(chapter, snapshot.text(shown).count("\n") + 1)

    def formatted(self, path: Path) -> str:
        """The text of a file in its one form; raises FormulaError if it cannot be read."""
        snapshot, shown, text = self._file(path)
        chapter, findings = read_chapter(text, shown, "", snapshot.library.keeping(self._cache))
        if findings:
            help_ = "Fix the findings first."
            raise refuse("unreadable", "This file cannot be formatted as long as it has errors", help=help_)
        return chapter_text(chapter)
