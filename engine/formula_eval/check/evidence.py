"""Finds formulas without evidence: no source, a source without a place in it, or only trivial examples."""

from collections.abc import Iterator, Mapping
from typing import Any

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.diagnostic import Diagnostic, Label, nearest
from formula_eval.core.notes import Source
from formula_eval.resolve.scope import Scope

Sources = Mapping[str, Mapping[str, Any]]


def missing_evidence(declared: d.Declaration, scope: Scope, namespace: str) -> Iterator[Diagnostic]:
    """Reports a missing source, a missing example, or only examples that would hold for many other formulas."""
    if not isinstance(declared, d.FormulaDeclaration | d.FunctionDeclaration):
        return
    notes = declared.notes
    if not (notes.sources or notes.derived or notes.fitted):
        help_ = (
            'Write `source key "where in it"` beneath it, `derived "why"` where it follows from other formulas, or '
            '`fitted "to which runs"`.'
        )
        yield lacking(declared, "no-source", f"`{declared.name}` has no source", help_)
    if not notes.examples:
        help_ = "Write `example input = value -> result` beneath it: a value that can be checked elsewhere."
        yield lacking(declared, "no-example", f"`{declared.name}` has no example", help_)
    elif all(_is_trivial(each.expected, declared, scope, namespace) for each in notes.examples):
        message = f"Every example of `{declared.name}` gives 0, infinity, false or a default"
        help_ = "Add one whose givens make it give something else: a slip in the formula would show there."
        yield lacking(declared, "trivial-example", message, help_)


def sources_without_place(declared: d.Declaration, sources: Sources) -> Iterator[Diagnostic]:
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


def lacking(declared: d.Declaration, code: str, message: str, help_: str) -> Diagnostic:
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
