"""Widens the checks that say what a library changed to all copies under other inputs that feel the change."""

from collections.abc import Mapping

from formula_eval.core import expression as e
from formula_eval.core.graph import Node, changed_node
from formula_eval.core.namespace import is_change_note
from formula_eval.resolve.order import reads


def speaking_for_copies(nodes: Mapping[str, Node]) -> dict[str, Node]:
    """All nodes; such a check also compares those copies of the node it is about that need no further inputs."""
    copies: dict[str, list[str]] = {}
    for name, node in nodes.items():
        if node.original:
            copies.setdefault(node.original, []).append(name)
    return {name: _widened(node, nodes, copies) if is_change_note(name) else node for name, node in nodes.items()}


def _widened(node: Node, nodes: Mapping[str, Node], copies: Mapping[str, list[str]]) -> Node:
    written = node.expression
    (own, *_) = (*e.references(written), "") if written is not None else ("",)
    if written is None or not own:
        return node
    known, expression = _inputs(own, nodes), written
    for copy in copies.get(own, ()):
        if _inputs(copy, nodes) <= known:
            expression = e.Logical("and", expression, _about(copy, written))
    return changed_node(node, expression=expression)


def _about(copy: str, x: e.Expression) -> e.Expression:
    """What is said of the only node that an expression reads, said of a copy of it."""
    return e.Reference(copy, copy) if isinstance(x, e.Reference) else e.rebuild(x, lambda part: _about(copy, part))


def _inputs(name: str, nodes: Mapping[str, Node]) -> set[str]:
    """The inputs that a node's value may depend on."""
    seen, pending = {name}, [name]
    while pending:
        more = [each for each in reads(nodes[pending.pop()]) if each not in seen]
        seen.update(more)
        pending += more
    return {each for each in seen if nodes[each].kind == "input"}
