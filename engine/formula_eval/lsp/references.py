"""Finds every place where a library writes a given name."""

from collections.abc import Iterator

from formula_eval.core.span import Span
from formula_eval.lsp.snapshot import Snapshot
from formula_eval.lsp.statement_tokens import statements
from formula_eval.lsp.symbol_at import SymbolPlace, Target, targets


def occurrences(snapshot: Snapshot, target: Target) -> Iterator[Span]:
    """The places of this name, its declaration among them; of a dotted name the one part that means it."""
    for chapter in snapshot.chapters:
        text = snapshot.text(chapter.file)
        if target.word not in text:
            continue
        for statement in statements(text):
            for number, token in enumerate(statement.tokens):
                if target.word not in token.parts:
                    continue
                place = SymbolPlace(chapter.file, chapter.namespace, statement, number)
                for part, found in enumerate(targets(snapshot, place)):
                    if found is not None and (found.kind, found.name) == (target.kind, target.name):
                        yield place.span(part)
