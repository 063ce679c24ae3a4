"""Replaces each change that a library makes by the formula that results, so that rules for formulas apply to it."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from formula_eval.core import declaration as d, expression as e
from formula_eval.resolve.scope import Scope


def as_formulas(declared: Iterable[d.Declaration], scope: Scope) -> Iterator[tuple[d.Declaration, d.Declaration]]:
    """Yields each statement with the formula that its extension or replacement results in, or with itself."""
    nodes = {each.declaration.span: each.node for each in scope.changes.values()}
    for written in declared:
        node = nodes.get(written.span, "")
        if node and isinstance(written, d.ExtensionDeclaration | d.ReplacementDeclaration):
            verb = "replace" if isinstance(written, d.ReplacementDeclaration) else "extend"
            yield written, replace(scope.symbols[node].declaration, name=f"{verb} {written.name}")
        else:
            yield written, written


def hands_on(declared: d.Declaration) -> bool:
    """Whether an extension only adds a named formula, which carries its own evidence."""
    return isinstance(declared, d.ExtensionDeclaration) and isinstance(declared.term, e.Name)
