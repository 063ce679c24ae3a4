"""A change that a library makes to the formula that it comes to, so that what holds for formulas holds for it."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from formula_eval.core import declaration as d, expression as e
from formula_eval.resolve.scope import Scope


def as_formulas(declared: Iterable[d.Declaration], scope: Scope) -> Iterator[tuple[d.Declaration, d.Declaration]]:
    """Each statement with the formula of an extension or a replacement, named as written; others with themselves."""
    nodes = {each.declaration.span: each.node for each in scope.changes.values()}
    for written in declared:
        node = nodes.get(written.span, "")
        if node and isinstance(written, d.ExtensionDeclaration | d.ReplacementDeclaration):
            verb = "replace" if isinstance(written, d.ReplacementDeclaration) else "extend"
            yield written, replace(scope.symbols[node].declaration, name=f"{verb} {written.name}")
        else:
            yield written, written


def hands_on(declared: d.Declaration) -> bool:
    """Whether it only says where a named formula is added: the evidence stands with that one."""
    return isinstance(declared, d.ExtensionDeclaration) and isinstance(declared.term, e.Name)
