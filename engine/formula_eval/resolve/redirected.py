"""Redirects the names of an extended input in the author's text of a node to the sum that is read in its place."""

from dataclasses import replace

from formula_eval.core import expression as e
from formula_eval.core.graph import Node
from formula_eval.resolve.scope import Scope


def redirected(node: Node, scope: Scope) -> Node:
    """The node with its text as it is computed, so that every notation shows what is added."""
    if node.author is None or node.name in scope.plain:
        return node

    def change(x: e.Expression) -> e.Expression:
        if isinstance(x, e.Name) and x.span in scope.redirected:
            return e.Name(tuple(scope.redirected[x.span].split(".")), span=x.span)
        return e.rebuild(x, change)

    author = change(node.author)
    return node if author is node.author else replace(node, author=author)
