"""Widens the checks that say what a library changed to all copies under other inputs that feel the change."""

from collections.abc import Mapping, Sequence

from formula_eval.core import expression as e
from formula_eval.core.graph import Node, changed_node
from formula_eval.core.namespace import is_change_note
from formula_eval.core.needed_inputs import NeededInputs, Reads


def speaking_for_copies(nodes: Mapping[str, Node], reads: Reads) -> dict[str, Node]:
    """The checks that change: each also compares those copies of the node it is about that need no further inputs.

    `reads` says what each node reads.
    """
    needed = NeededInputs(reads, [name for name, node in nodes.items() if node.kind == "input"])
    copies: dict[str, list[str]] = {}
    for name, node in nodes.items():
        if node.original:
            copies.setdefault(node.original, []).append(name)
    changed: dict[str, Node] = {}
    for name, node in nodes.items():
        written = node.expression
        read = list(e.references(written)) if written is not None and is_change_note(name) else []
        if written is None or not read:
            continue
        expression, known = written, frozenset().union(*(needed[each] for each in read))
        for copy in copies.get(read[0], ()):
            if needed[copy] <= known:
                expression = e.Logical("and", expression, _about(_beside(copy, read, nodes, reads), written))
        changed[name] = changed_node(node, expression=expression)
    return changed


def _beside(copy: str, read: Sequence[str], nodes: Mapping[str, Node], reads: Reads) -> dict[str, str]:
    """What stands for the nodes that a check reads where a copy stands for the first: what is read beside that copy.

    A limit stands beside what it limits in the formula that is limited, whose name begins that of both.
    """
    first, *others = read
    target = first.rpartition(".")[0]
    readers = (name for name, each in reads.items() if others and name.startswith(target) and copy in each)
    beside = {nodes[name].base: name for reader in readers for name in reads[reader]}
    return {first: copy, **{other: beside.get(other, other) for other in others}}


def _about(others: Mapping[str, str], x: e.Expression) -> e.Expression:
    """What is said of some nodes, said of others in their place."""
    if isinstance(x, e.Reference):
        return e.Reference(others[x.node], others[x.node])
    return e.rebuild(x, lambda part: _about(others, part))
