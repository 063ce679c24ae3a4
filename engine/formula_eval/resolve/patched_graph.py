"""Patches a graph: makes some nodes and their copies anew, with copies that nobody had, and drops what nobody reads."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from formula_eval.core import expression as e
from formula_eval.core.closure import closure
from formula_eval.core.graph import Check, Node, changed_node
from formula_eval.core.namespace import COPY_MARK, is_change_note
from formula_eval.core.needed_inputs import NeededInputs
from formula_eval.core.type import Record
from formula_eval.resolve.bindings import CopyNames
from formula_eval.resolve.expand_with import Changed, WrittenNodes, expand_again
from formula_eval.resolve.freeze import checks_of, graph_of
from formula_eval.resolve.kept_nodes import KeptPart, LayeredNodes
from formula_eval.resolve.order import ordered, reads
from formula_eval.resolve.required_choices import NeedsOfNodes, needs_of
from formula_eval.resolve.resolved import Resolved
from formula_eval.resolve.scope import Scope


class TooFarError(Exception):
    """The edit may reach more than anybody here can tell."""


def patched_graph(before: Resolved, made: Mapping[str, Node], gone: Collection[str], scope: Scope) -> Resolved:
    """The graph with these written nodes in place of those of their names, and without some; raises TooFarError."""
    written = _layered(before.written, made, _names(before.written, made, gone), before)
    patch = _Patch(before, made, gone, scope, written)
    return patch.resolved()


def _without(read: Mapping[str, tuple[str, ...]], gone: Collection[str]) -> dict[str, tuple[str, ...]]:
    """What nodes read, but for some of them."""
    return {name: each for name, each in read.items() if name not in gone} if gone else dict(read)


def _names(nodes: Iterable[str], made: Iterable[str], gone: Collection[str]) -> list[str]:
    return list(dict.fromkeys((*(name for name in nodes if name not in gone), *made)))


def _layered(
    nodes: Mapping[str, Node], made: Mapping[str, Node], names: Collection[str], before: Resolved
) -> LayeredNodes:
    """These nodes with some made anew, on top of the graph that the one before is a patch of."""
    if before.patch_of and isinstance(nodes, LayeredNodes):
        over, known = {**nodes.over, **made}, set(names)
        return LayeredNodes({name: node for name, node in over.items() if name in known}, nodes.under, names)
    return LayeredNodes(made, nodes, names)


def _is_of_a_record(node: Node) -> bool:
    """Whether a record supplies it, or it is one."""
    return node.kind == "input" and bool(node.supplier or isinstance(node.type, Record))


def _supplied(nodes: Iterable[Node]) -> dict[str, object]:
    """What inputs of other records repeat of these, or stand for."""
    return {
        node.name: (node.supplier, node.type, node.optional, node.fixed, getattr(node.declaration, "default", None))
        if isinstance(node.type, Record)
        else (node.supplier, node.type, node.optional)
        for node in nodes
        if _is_of_a_record(node)
    }


def _copies_of(names: CopyNames, nodes: Collection[str]) -> dict[str, list[str]]:
    """The copies of each of these nodes."""
    found: dict[str, list[str]] = {}
    for (node, _), copy in names.known.items():
        if node in nodes:
            found.setdefault(node, []).append(copy)
    return found


@dataclass(slots=True)
class _Patch:
    """What is patched: written nodes that were `made` anew, and those that are `gone`."""

    before: Resolved
    made: Mapping[str, Node]
    gone: Collection[str]
    scope: Scope
    written: LayeredNodes
    reads: dict[str, tuple[str, ...]] = field(default_factory=dict)
    inputs: tuple[str, ...] = ()

    def resolved(self) -> Resolved:
        """The patched graph, without functions."""
        graph = self.before.whole
        own = {name: reads(node) for name, node in self.made.items()}
        self.reads = {**_without(self.before.reads, self.gone), **own}
        inputs = (name for name in (*self.before.inputs, *self.made) if name in self.reads)
        is_input = {name: node.kind == "input" for name, node in self.made.items()}
        self.inputs = tuple(dict.fromkeys(name for name in inputs if is_input.get(name, True)))
        moved = self._moved(own)
        if not moved and self._stands_alone():
            return self._joined(self.made, self.made, None)
        readers = {name for name, read in self.reads.items() if not moved.isdisjoint(read)} if moved else set()
        changed = {*self.made, *moved, *readers}
        names = self.before.names.read()
        copies = _copies_of(names, {*changed, *self.gone})
        repeated = self._repeated(changed, names)
        self._refuse_other_copies(names)
        dropped = {copy for name in (*moved, *self.gone) for copy in copies.get(name, ())}
        hidden = {*changed, *self.gone, *repeated, *(copy for each in copies.values() for copy in each)}
        kept = LayeredNodes({}, graph.nodes, (name for name in graph.nodes if name not in hidden))
        names = names.continued({name for name in graph.nodes if name not in dropped})
        again = {name: () if name in moved else copies.get(name, ()) for name in self.reads if name in changed}
        written = WrittenNodes(
            self.written, self.inputs, NeededInputs(self.reads, self.inputs, self.scope.totals.values())
        )
        records = tuple(dict.fromkeys(repeated.values()))
        found = expand_again(written, self.scope, kept, names, Changed(again, records))
        if self.scope.findings:
            raise TooFarError
        return self._joined(found, hidden, names)

    def _stands_alone(self) -> bool:
        """Whether nothing is made anew but these nodes: nobody copies them, and they copy nobody."""
        copied = {name.partition(COPY_MARK)[0] for name in self.before.whole.nodes if COPY_MARK in name}
        old = {name: self.before.written[name] for name in self.made if name in self.before.written}
        parts = (part for node in self.made.values() for part in (node.expression, node.guard) if part is not None)
        return not (
            self.gone
            or not copied.isdisjoint(self.made)
            or any(self.made[name].type != node.type for name, node in old.items())
            or any(map(_is_of_a_record, (*old.values(), *self.made.values())))
            or any(isinstance(x, e.With) for part in parts for x in e.walk(part))
        )

    def _moved(self, own: Mapping[str, tuple[str, ...]]) -> set[str]:
        """The written nodes that depend on other inputs than before."""
        old = self.before.reads
        if not self.gone and all(old.get(name) == read for name, read in own.items()):
            return set()
        if any(read not in self.reads for each in own.values() for read in each):
            raise TooFarError
        if ordered(self.reads, self.scope, self.written) is None:
            raise TooFarError
        before = NeededInputs(old, self.before.inputs, self.before.scope.totals.values())
        now = NeededInputs(self.reads, self.inputs, self.scope.totals.values())
        if all(now[name] == before[name] for name in own if name in old):
            return set()
        return {name for name in self.reads if name in old and now[name] != before[name]}

    def _repeated(self, changed: Collection[str], names: CopyNames) -> dict[str, str]:
        """The inputs of other records that repeat a changed one, each with its record; raises TooFarError.

        It is too far where records supply other inputs than before, or an input stands for another record.
        """
        graph = self.before.whole
        old = [self.before.written[name] for name in (*self.gone, *self.made) if name in self.before.written]
        now = [node for node in self.made.values() if node.kind == "input"]
        if len(graph.nodes) == len(self.before.written) + len(names.under) or not (old or now):
            return {}
        if _supplied(old) != _supplied(now):
            raise TooFarError
        inputs = (self.written[name] for name in changed if name in self.made or name in self.inputs)
        if not any(map(_is_of_a_record, inputs)):
            return {}
        written, copies = self.before.written, names.under
        others = (graph.nodes[name] for name in graph.nodes if name not in copies and name not in written)
        return {node.name: node.record for node in others if node.key in changed or node.record in changed}

    def _refuse_other_copies(self, names: CopyNames) -> None:
        """Refuse another type of a node that stands in place of an input, which copies beneath it may feel."""
        old = self.before.written
        other = {name for name, node in self.made.items() if name in old and old[name].type != node.type}
        if other and any(not other.isdisjoint(e.references(bound.value)) for bound in names.bounds.values()):
            raise TooFarError

    def _joined(self, found: Mapping[str, Node], hidden: Collection[str], names: CopyNames | None) -> Resolved:
        before = self.before.whole
        own = {name: reads(node) for name, node in found.items()}
        parents = _without(before.parents, {name for name in hidden if name not in own})
        is_same = len(parents) == len(before.parents) and all(parents.get(name) == each for name, each in own.items())
        parents |= own
        kept_names = self.before.names
        if not is_same and self._only_adds(own, parents):
            added = ordered({name: each for name, each in own.items() if name not in before.parents}, self.scope, {})
            parents = {name: parents[name] for name in (*before.parents, *(added or ()))}
        elif not is_same:
            if self.scope.changes:  # what tells of a change looks at all copies
                raise TooFarError
            names = names or self.before.names.read().continued(parents.keys())
            parents = self._in_order(parents, names)
            kept_names = KeptPart(None, names.continued(parents.keys()))
        nodes = self._with_needs({name: found[name] for name in parents if name in found}, own)
        graph = graph_of(_layered(before.nodes, nodes, parents, self.before), parents, self._checks(), self.scope)
        return Resolved(graph, self.scope, (), {}, self.written, self.reads, self.inputs, kept_names)

    def _only_adds(self, own: Mapping[str, tuple[str, ...]], parents: Collection[str]) -> bool:
        """Whether nodes are new that are no copies, and no other reads what it did not: a change is felt as before."""
        before = self.before.whole
        return all(
            each == before.parents[name] if name in before.parents else name in self.made for name, each in own.items()
        ) and all(name in parents for name in before.parents)

    def _in_order(self, parents: Mapping[str, tuple[str, ...]], names: CopyNames) -> dict[str, tuple[str, ...]]:
        """What each node reads, in the order of evaluation, without the copies that nobody reads."""
        found = closure((name for name in parents if name not in names.under), parents.__getitem__)
        order = ordered({name: parents[name] for name in parents if name in found}, self.scope, self.written)
        if order is None:
            raise TooFarError
        return {name: parents[name] for name in order}

    def _with_needs(self, found: Mapping[str, Node], own: Mapping[str, tuple[str, ...]]) -> dict[str, Node]:
        """These nodes, which read what is their `own`, each with the choices that it needs."""
        before = self.before.whole
        made: dict[str, Node] = {}
        needs = NeedsOfNodes(LayeredNodes(made, before.nodes, (*before.nodes, *found)))
        for name, node in found.items():
            named = needs_of(node, needs) if any(needs[each] for each in own[name]) else ()
            if is_change_note(name) or (name in before.nodes and before.nodes[name].needs != named):
                raise TooFarError
            made[name] = changed_node(node, needs=named) if named else node
        return made

    def _checks(self) -> tuple[Check, ...]:
        before = self.before.whole
        own = {check.node: check for check in checks_of(self.made)}
        kept = {check.node: check for check in before.checks if check.node not in self.gone}
        return tuple((kept | own).values())
