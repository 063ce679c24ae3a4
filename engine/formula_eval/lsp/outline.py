"""Outlines a chapter as an editor lists it: the tree of what it declares."""

from collections.abc import Iterator
from typing import NamedTuple

from formula_eval.core import declaration as d
from formula_eval.core.span import Span
from formula_eval.lsp.symbol_at import name_span


class OutlineEntry(NamedTuple):
    """A declared name, its kind, a few words about it, where it stands, and what stands within it."""

    name: str
    kind: str
    about: str
    span: Span  # of the name alone
    whole: Span  # of the statement, up to where the next begins
    inside: tuple["OutlineEntry", ...] = ()  # columns, then rows; empty unless it is a table


def outline(chapter: d.Chapter, last_line: int) -> Iterator[OutlineEntry]:
    """The statements of a chapter in order, each up to where the next one begins."""
    declared = chapter.declarations
    ends = [*(declaration.span.line - 1 for declaration in declared[1:]), last_line]
    for declaration, end in zip(declared, ends, strict=False):
        inside = (*declaration.columns, *declaration.rows) if isinstance(declaration, d.TableDeclaration) else ()
        inner = tuple(_entry(part, part.span.end_line) for part in inside if part.span.file == chapter.file)
        yield _entry(declaration, end)._replace(inside=inner)


def _entry(declared: d.Declaration, end: int) -> OutlineEntry:
    span = declared.span
    end = max(end, span.end_line)
    whole = Span(span.file, span.line, span.column, end, span.end_column if end == span.end_line else 1)
    return OutlineEntry(declared.name, declared.kind, declared.notes.sentence, name_span(declared), whole)
