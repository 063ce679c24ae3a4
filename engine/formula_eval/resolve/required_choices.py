"""Computes which choices without a default each node needs, but for those that a `with` makes on the way."""

from collections.abc import Mapping, Sequence

from formula_eval.core import expression as e
from formula_eval.core.graph import Node, changed_node
from formula_eval.core.namespace import is_change_note

_NONE: frozenset[str] = frozenset()


def with_needs(nodes: Mapping[str, Node], parents: Mapping[str, Sequence[str]]) -> dict[str, Node]:
    """The nodes, each with what it needs; one that reads an input whose own default lacks a choice needs that input.

    `parents` are the nodes that each reads.
    """
    needs: dict[str, frozenset[str]] = {}
    if not any(node.is_open_choice for node in nodes.values()):
        return dict(nodes)
    found = {}
    for name, written in nodes.items():
        if not written.is_open_choice and needs.keys().isdisjoint(parents[name]):
            found[name] = written
            continue
        node = _spoken_if_chosen(written, needs) if is_change_note(name) else written
        own = _of(node.expression, needs) | _of(node.guard, needs)
        if node.is_open_choice or (own and node.kind == "input"):
            needs[name] = frozenset((name,))
        elif own:
            needs[name] = own
        named = tuple(sorted(own))
        found[name] = node if node.needs == named else changed_node(node, needs=named)
    return found


class NeedsOfNodes(dict[str, frozenset[str]]):
    """What somebody who reads one of these nodes needs; looked up when it is asked for."""

    def __init__(self, nodes: Mapping[str, Node]) -> None:
        """Look at nodes that say themselves what they need."""
        super().__init__()
        self._nodes = nodes

    def __missing__(self, name: str) -> frozenset[str]:
        """As `with_needs` finds it."""
        node = self._nodes[name]
        stands_for_itself = node.is_open_choice or (node.needs and node.kind == "input")
        self[name] = frozenset((name,)) if stands_for_itself else frozenset(node.needs)
        return self[name]


def needs_of(node: Node, others: NeedsOfNodes) -> tuple[str, ...]:
    """What a node needs, given what it reads."""
    return tuple(sorted(_of(node.expression, others) | _of(node.guard, others)))


def _spoken_if_chosen(note: Node, needs: Mapping[str, frozenset[str]]) -> Node:
    """The check that tells of a change, which looks at what needs a choice only where somebody made it."""

    def part(x: e.Expression) -> e.Expression:
        if isinstance(x, e.Logical):
            return e.rebuild(x, part)
        for name in sorted(_of(x, needs)):
            x = e.Conditional(x, e.Given(name), e.FlagValue(value=True))
        return x

    whole = note.expression
    return changed_node(note, expression=part(whole)) if isinstance(whole, e.Logical) and _of(whole, needs) else note


def _of(x: e.Expression | None, needs: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """What an expression needs; where an input is asked for and read only if it is given, it is not needed."""
    match x:
        case None | e.Given():
            return _NONE
        case e.Reference(node):
            return needs[node] if isinstance(needs, NeedsOfNodes) else needs.get(node, _NONE)
        case e.Conditional(then, e.Given(node), otherwise):
            return (_of(then, needs) - {node}) | _of(otherwise, needs)
    return _NONE.union(*(_of(child, needs) for child in e.children(x)))
