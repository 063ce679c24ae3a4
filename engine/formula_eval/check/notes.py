"""A resolved library to what it still lacks: sentences, sources, examples, readers, and names that Excel can bear."""

from collections.abc import Collection, Iterable, Iterator

from formula_eval.check.example_givens import wrong_examples
from formula_eval.check.excel_names import excel_collisions
from formula_eval.check.ranges import wrong_ranges
from formula_eval.check.unused import unused
from formula_eval.core import declaration as d
from formula_eval.core.diagnostic import Diagnostic, Label, nearest
from formula_eval.core.span import Span
from formula_eval.resolve.passes import Resolved


def completeness(resolved: Resolved, chapters: Iterable[d.Chapter], source_keys: Collection[str]) -> list[Diagnostic]:
    """All that does not stop use but that a reader would miss, in the order of the text."""
    chapters = list(chapters)
    found: list[Diagnostic] = []
    for chapter in chapters:
        found += notes_of_chapter(chapter, resolved, source_keys)
    if not any(chapter.broken for chapter in chapters):
        found += _never_cited(chapters, source_keys)
        found += unused(resolved, chapters)
    found += excel_collisions(resolved)
    return found


def notes_of_chapter(chapter: d.Chapter, resolved: Resolved, source_keys: Collection[str]) -> Iterator[Diagnostic]:
    """What one chapter lacks by itself, whoever reads it."""
    if not chapter.docstring:
        place = Span(chapter.file, 1, 1, 1, 2)
        help_ = 'Begin the file with """one sentence that says what these formulas are about.""".'
        yield Diagnostic("no-docstring", "This chapter does not say what it is about", (Label(place),), help_)
    for declared in chapter.declarations:
        yield from _missing_notes(declared)
        yield from _unknown_sources(declared, source_keys)
        yield from wrong_ranges(declared)
        yield from wrong_examples(declared, resolved.scope, chapter.namespace)


def _missing_notes(declared: d.Declaration) -> Iterator[Diagnostic]:
    if isinstance(declared, d.ChoiceDeclaration):
        return
    if isinstance(declared, d.CheckDeclaration):
        if not declared.message:
            help_ = 'Write beneath it what the user should know: "tp = {tp} must divide ...".'
            yield _at(declared, "no-sentence", f"The check `{declared.name}` says nothing when it fails", help_)
        return
    if not declared.notes.sentence:
        help_ = "Write one beneath it, in quotes: what it is, in words that its reader knows."
        yield _at(declared, "no-sentence", f"`{declared.name}` has no sentence", help_)
    if isinstance(declared, d.TableDeclaration):
        yield from _missing_in_table(declared)
    yield from _missing_evidence(declared)


def _missing_in_table(table: d.TableDeclaration) -> Iterator[Diagnostic]:
    for column in table.columns:
        if column.supplier and not column.notes.sentence:
            help_ = "Write one beneath it, in quotes: it is an input of every row."
            yield _at(column, "no-sentence", f"The column `{column.name}` has no sentence", help_)
    for row in table.rows:
        if not row.notes.sentence:
            help_ = f'Write it behind the name: `row {row.name} "what it is"`.'
            yield _at(row, "no-sentence", f"The row `{row.name}` has no sentence", help_)


def _missing_evidence(declared: d.Declaration) -> Iterator[Diagnostic]:
    if isinstance(declared, d.FormulaDeclaration | d.FunctionDeclaration):
        if not (declared.notes.sources or declared.notes.derived):
            help_ = (
                'Write `source key "where in it"` beneath it, or `derived "why"` where it follows from other formulas.'
            )
            yield _at(declared, "no-source", f"`{declared.name}` has no source", help_)
        if not declared.notes.examples:
            help_ = "Write `example input = value -> result` beneath it: a value that can be checked elsewhere."
            yield _at(declared, "no-example", f"`{declared.name}` has no example", help_)


def _at(declared: d.Declaration, code: str, message: str, help_: str) -> Diagnostic:
    return Diagnostic(code, message, (Label(declared.span),), help_)


def _unknown_sources(declared: d.Declaration, source_keys: Collection[str]) -> Iterator[Diagnostic]:
    for source in _sources(declared):
        if source.key not in source_keys:
            help_ = nearest(source.key, source_keys) or "Add it to sources.toml: title, authors, year, url."
            message = f"The source `{source.key}` is not in sources.toml"
            yield Diagnostic("unknown-source", message, (Label(source.span),), help_)


def _sources(declared: d.Declaration) -> Iterator[d.Source]:
    yield from declared.notes.sources
    if isinstance(declared, d.TableDeclaration):
        for column in declared.columns:
            yield from column.notes.sources


def _never_cited(chapters: list[d.Chapter], source_keys: Collection[str]) -> Iterator[Diagnostic]:
    cited = {source.key for chapter in chapters for each in chapter.declarations for source in _sources(each)}
    for key in sorted(set(source_keys) - cited):
        message = f"Nothing cites `{key}` of sources.toml"
        yield Diagnostic("source-not-cited", message, (), "Cite it where it belongs, or remove it.")
