"""Widens the checks that say what a library changed to all copies under other inputs that feel the change."""

from collections.abc import Mapping, Sequence

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
    read = [] if written is None else list(e.references(written))
    if written is None or not read:
        return node
    expression, known = written, set().union(*(_inputs(each, nodes) for each in read))
    for copy in copies.get(read[0], ()):
        if _inputs(copy, nodes) <= known:
            expression = e.Logical("and", expression, _about(_beside(copy, read, nodes), written))
    return changed_node(node, expression=expression)


def _beside(copy: str, read: Sequence[str], nodes: Mapping[str, Node]) -> dict[str, str]:
    """What stands for the nodes that a check reads where a copy stands for the first: what is read beside that copy.

    A limit stands beside what it limits in the formula that is limited, whose name begins that of both.
    """
    first, *others = read
    target = first.rpartition(".")[0]
    readers = (each for name, each in nodes.items() if others and name.startswith(target) and copy in reads(each))
    beside = {nodes[each].base: each for reader in readers for each in reads(reader)}
    return {first: copy, **{each: beside.get(each, each) for each in others}}


def _about(others: Mapping[str, str], x: e.Expression) -> e.Expression:
    """What is said of some nodes, said of others in their place."""
    if isinstance(x, e.Reference):
        return e.Reference(others[x.node], others[x.node])
    return e.rebuild(x, lambda part: _about(others, part))


def _inputs(name: str, nodes: Mapping[str, Node]) -> set[str]:
    """The inputs that a node's value may depend on."""
    seen, pending = {name}, [name]
    while pending:
        more = [each for each in reads(nodes[pending.pop()]) if each not in seen]
        seen.update(more)
        pending += more
    return {each for each in seen if nodes[each].kind == "input"}
