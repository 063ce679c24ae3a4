"""Finds what a resolved library still lacks: sentences, sources, examples that tell, readers, names for Excel."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from formula_eval.check.bare_numbers import bare_numbers
from formula_eval.check.example_givens import wrong_examples
from formula_eval.check.excel_collisions import excel_collisions
from formula_eval.check.ranges import wrong_ranges
from formula_eval.check.unused import unused
from formula_eval.core import declaration as d, expression as e
from formula_eval.core.diagnostic import Diagnostic, Label, nearest
from formula_eval.core.notes import Source
from formula_eval.core.span import Span
from formula_eval.resolve.resolved import Resolved
from formula_eval.resolve.scope import Scope

# A sentence that begins so speaks of its neighbour; a short one that ends so, of something named elsewhere.
_LEANS = re.compile(
    r"^(the same|those|these|that|they|their|its|it)\b|^(\S+ ){1,4}(them|that|it|these|those)$", re.IGNORECASE
)
Sources = Mapping[str, Mapping[str, Any]]


def completeness(
    resolved: Resolved, chapters: Sequence[d.Chapter], files: Collection[str], sources: Sources
) -> list[Diagnostic]:
    """Everything that does not prevent use but that a reader of these files would miss, in the order of the source."""
    looked_at = [chapter for chapter in chapters if chapter.file in files]
    found: list[Diagnostic] = []
    for chapter in looked_at:
        found += notes_of_chapter(chapter, resolved, sources)
    if not any(chapter.broken for chapter in chapters):
        found += _never_cited(chapters, sources)
        found += unused(resolved, chapters, looked_at)
    found += excel_collisions(resolved)
    return found


def notes_of_chapter(chapter: d.Chapter, resolved: Resolved, sources: Sources) -> Iterator[Diagnostic]:
    """Yields what one chapter lacks, whoever reads it."""
    if not chapter.docstring:
        place = Span(chapter.file, 1, 1, 1, 2)
        help_ = 'Begin the file with """one sentence that says what these formulas are about.""".'
        yield Diagnostic("no-docstring", "This chapter does not say what it is about", (Label(place),), help_)
    mismatched = {
        label.span for finding in resolved.findings if finding.code == "unit-mismatch" for label in finding.labels
    }
    for written, declared in _as_formulas(chapter.declarations, resolved.scope):
        yield from _missing_notes(declared)
        yield from () if _hands_on(written) else _missing_evidence(declared, resolved.scope, chapter.namespace)
        yield from bare_numbers(written)
        yield from _sources_without_place(declared, sources)
        yield from dangling_sentences(declared)
        yield from wrong_ranges(declared, resolved.scope, chapter.namespace)
        yield from wrong_examples(declared, resolved.scope, chapter.namespace, mismatched)


def _missing_notes(declared: d.Declaration) -> Iterator[Diagnostic]:
    if isinstance(declared, d.ChoiceDeclaration):
        return
    if isinstance(declared, d.ChangeDeclaration):
        yield from _missing_in_rows(getattr(declared, "rows", ()))
        return
    if isinstance(declared, d.CheckDeclaration):
        if not declared.message:
            help_ = 'Write beneath it what the user should know: "tp = {tp} must divide ...".'
            yield _lacking(declared, "no-sentence", f"The check `{declared.name}` says nothing when it fails", help_)
        return
    if not declared.notes.sentence:
        help_ = "Write one beneath it, in quotes: what it is, in words that its reader knows."
        yield _lacking(declared, "no-sentence", f"`{declared.name}` has no sentence", help_)
    if isinstance(declared, d.TableDeclaration):
        yield from _missing_in_table(declared)


def _missing_in_table(table: d.TableDeclaration) -> Iterator[Diagnostic]:
    for column in table.columns:
        if column.supplier and not column.notes.sentence:
            help_ = "Write one beneath it, in quotes: it is an input of every row."
            yield _lacking(column, "no-sentence", f"The column `{column.name}` has no sentence", help_)
    if table.rows_of is None:
        yield from _missing_in_rows(table.rows)


def _missing_in_rows(rows: Iterable[d.RowDeclaration]) -> Iterator[Diagnostic]:
    for row in rows:
        if not row.notes.sentence:
            help_ = f'Write it behind the name: `row {row.name} "what it is"`.'
            yield _lacking(row, "no-sentence", f"The row `{row.name}` has no sentence", help_)


def _never_cited(chapters: Sequence[d.Chapter], sources: Sources) -> Iterator[Diagnostic]:
    cited = {
        source.key for chapter in chapters for declaration in chapter.declarations for source in sources_of(declaration)
    }
    for key in sorted(sources.keys() - cited):
        message = f"Nothing cites `{key}` of sources.toml"
        yield Diagnostic("source-not-cited", message, (), "Cite it where it belongs, or remove it.")


def dangling_sentences(declared: d.Declaration) -> Iterator[Diagnostic]:
    """Reports the sentences of a statement, its columns and its rows that lean on another one."""
    if isinstance(declared, d.CheckDeclaration):
        return
    parts = (*getattr(declared, "columns", ()), *getattr(declared, "rows", ()))
    for part in (declared, *parts):
        if _LEANS.search(part.notes.sentence):
            message = f"The sentence of `{part.name}` cannot stand alone: {part.notes.sentence}"
            help_ = "Say what it is: tooltips, lists and cells show it without its neighbours."
            yield _lacking(part, "dangling-sentence", message, help_)


def _as_formulas(declared: Iterable[d.Declaration], scope: Scope) -> Iterator[tuple[d.Declaration, d.Declaration]]:
    """Yields each statement with the formula that its extension or replacement results in, or with itself."""
    nodes = {change.declaration.span: change.node for change in scope.changes.values()}
    for written in declared:
        node = nodes.get(written.span, "")
        if node and isinstance(written, d.ExtensionDeclaration | d.ReplacementDeclaration):
            verb = "replace" if isinstance(written, d.ReplacementDeclaration) else "extend"
            yield written, replace(scope.symbols[node].declaration, name=f"{verb} {written.name}")
        else:
            yield written, written


def _hands_on(declared: d.Declaration) -> bool:
    """Whether an extension only adds a named formula, which carries its own evidence."""
    return isinstance(declared, d.ExtensionDeclaration) and isinstance(declared.term, e.Name)


def _missing_evidence(declared: d.Declaration, scope: Scope, namespace: str) -> Iterator[Diagnostic]:
    """Reports a missing source, a missing example, or only examples that would hold for many other formulas."""
    if not isinstance(declared, d.FormulaDeclaration | d.FunctionDeclaration):
        return
    notes = declared.notes
    if not (notes.sources or notes.derived or notes.fitted):
        help_ = (
            'Write `source key "where in it"` beneath it, `derived "why"` where it follows from other formulas, or '
            '`fitted "to which runs"`.'
        )
        yield _lacking(declared, "no-source", f"`{declared.name}` has no source", help_)
    if not notes.examples:
        help_ = "Write `example input = value -> result` beneath it: a value that can be checked elsewhere."
        yield _lacking(declared, "no-example", f"`{declared.name}` has no example", help_)
    elif all(_is_trivial(example.expected, declared, scope, namespace) for example in notes.examples):
        message = f"Every example of `{declared.name}` gives 0, infinity, false or a default"
        help_ = "Add one whose givens make it give something else: a slip in the formula would show there."
        yield _lacking(declared, "trivial-example", message, help_)


def _sources_without_place(declared: d.Declaration, sources: Sources) -> Iterator[Diagnostic]:
    """Reports unknown sources, and citations of works of several pages without a place in them."""
    for source in sources_of(declared):
        label = (Label(source.span),)
        if source.key not in sources:
            help_ = nearest(source.key, sources) or "Add it to sources.toml: title, authors, year, url."
            yield Diagnostic("unknown-source", f"The source `{source.key}` is not in sources.toml", label, help_)
        elif not source.locator and sources[source.key].get("pages") != 1:
            message = f"`source {source.key}` does not say where in it"
            help_ = f'Name the section, equation or table: `source {source.key} "section 3.2"`; or `derived "why"`.'
            yield Diagnostic("no-locator", message, label, help_)


def sources_of(declared: d.Declaration) -> Iterator[Source]:
    """The sources of a statement and of its columns."""
    yield from declared.notes.sources
    if isinstance(declared, d.TableDeclaration):
        for column in declared.columns:
            yield from column.notes.sources


def _lacking(declared: d.Declaration, code: str, message: str, help_: str) -> Diagnostic:
    """The finding for what a statement, or a part of one, lacks."""
    return Diagnostic(code, message, (Label(declared.span),), help_)


def _is_trivial(
    expected: e.Expression | None, declared: d.FormulaDeclaration | d.FunctionDeclaration, scope: Scope, namespace: str
) -> bool:
    """Whether the result is 0, infinite, false, or just the default of an input that the formula passes on.

    A formula that is just a number has no other value, so its example is not trivial.
    """
    if isinstance(declared.expression, e.Number):
        return False
    match expected:
        case e.Infinity() | e.FlagValue(value=False):
            return True
        case e.Number(value=value):
            return value == 0 or value in _defaults(declared.expression, scope, namespace)
        case e.Name(path):
            return path[-1] in _defaults(declared.expression, scope, namespace)
    return False


def _defaults(expression: e.Expression, scope: Scope, namespace: str) -> Iterator[object]:
    """Yields the literal defaults of inputs that an expression may pass on: numbers in base units, or words."""
    match expression:
        case e.Conditional(then, _, otherwise):
            yield from _defaults(then, scope, namespace)
            yield from _defaults(otherwise, scope, namespace)
        case e.Match():
            for arm in expression.arms:
                yield from _defaults(arm.value, scope, namespace)
        case e.Name(path):
            found = scope.lookup(path, namespace)
            match found[0].declaration if found is not None else None:
                case d.InputDeclaration(default=e.Number(value=value)):
                    yield value
                case d.InputDeclaration(default=e.Name(word)):
                    yield word[-1]
