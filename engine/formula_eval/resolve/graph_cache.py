"""Keeps graphs in the cache, their nodes in parts; that of a library on another one as what differs from that one's."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from formula_eval.cache import Cache
from formula_eval.core.graph import Check, Node
from formula_eval.library import OURS, Library
from formula_eval.resolve.freeze import graph_of
from formula_eval.resolve.incremental import symbol_of
from formula_eval.resolve.kept_nodes import KeptPart, LayeredNodes, in_parts
from formula_eval.resolve.nodes import Function
from formula_eval.resolve.resolved import Resolved
from formula_eval.resolve.scope import Scope

_ALIVE: WeakValueDictionary[tuple[Cache, str], Resolved] = WeakValueDictionary()  # graphs that somebody still holds


class GraphDifference(NamedTuple):
    """What a graph, its scope, and what was made on the way to them hold that those base do not.

    `base` is the fingerprint of the graph base; `is_patch` says whether `Resolved.patch_of` is that one.
    `nodes`, `written`: the nodes that are others than base; `parents`, `reads`: what they read.
    `order`, `written_order`: the names of all nodes; None if those base come first, then the others.
    `checks`, `functions`, `inputs`, `names`: all of them; no names where they are those base.
    `scope`: the fields of the scope; of a mapping, the entries that are others than base, and the order of all.
    """

    base: str
    is_patch: bool
    nodes: Mapping[str, Node]
    written: Mapping[str, Node]
    parents: Mapping[str, tuple[str, ...]]
    reads: Mapping[str, tuple[str, ...]]
    order: tuple[str, ...] | None
    written_order: tuple[str, ...] | None
    checks: tuple[Check, ...]
    functions: Mapping[str, Function]
    scope: Mapping[str, Any]
    inputs: tuple[str, ...]
    names: KeptPart | None


def our_library() -> Library:
    """Our own library alone, as its files stand now."""
    return Library((OURS,))


def stands_on_ours(library: Library) -> bool:
    """Whether a library has chapters behind our own."""
    return library.folders[0] == OURS and len(library.folders) > 1


def kept_graph(cache: Cache, fingerprint: str, above: Sequence[str] = ()) -> Resolved | None:
    """The graph of a library with this fingerprint, if the cache has it; `above` are graphs that differ from it."""
    known = cache, fingerprint
    found = _ALIVE.get(known) or _read(cache, fingerprint, above)
    if found is not None:
        _ALIVE[known] = found
    return found


def _read(cache: Cache, fingerprint: str, above: Sequence[str]) -> Resolved | None:
    held: Resolved | GraphDifference | None = cache.get_object(_key(fingerprint), Resolved, GraphDifference)
    if not isinstance(held, GraphDifference):
        return held
    chain = (*above, fingerprint)
    base = None if held.base in chain else kept_graph(cache, held.base, chain)  # an entry may be of another one by then
    return None if base is None else _together(base, held)


def keep_graph(resolved: Resolved, library: Library, cache: Cache, fingerprint: str) -> None:
    """Put a graph into the cache, unless another process has done so: then it was made from that one."""
    if resolved.patch_of is not None and resolved.patch_of[0] == fingerprint:
        return
    cache.put_object(_key(fingerprint), _held(resolved, library, cache))


def _key(fingerprint: str) -> str:
    return f"{fingerprint}-graph"


def _held(resolved: Resolved, library: Library, cache: Cache) -> Resolved | GraphDifference:
    if resolved.patch_of is not None:
        return _difference(resolved, *resolved.patch_of)
    ours = our_library().fingerprint() if stands_on_ours(library) else ""
    base = kept_graph(cache, ours) if ours else None
    if base is None or not _shares(resolved.written, base.written):
        return _whole(resolved)
    return _difference(resolved, ours, base)


def _shares(here: Mapping[str, Node], base: Mapping[str, Node]) -> bool:
    """Whether some nodes are those base."""
    return any(name in base and base[name] is node for name, node in here.items())


def _whole(resolved: Resolved) -> Resolved:
    """All of it, the nodes in a part for each statement."""
    graph = resolved.whole
    nodes, written = _parts(resolved, graph.nodes, resolved.written)
    return replace(resolved, graph=replace(graph, nodes=nodes), written=written)


def _parts(
    resolved: Resolved, nodes: Mapping[str, Node], written: Mapping[str, Node]
) -> tuple[Mapping[str, Node], Mapping[str, Node]]:
    """These nodes of what was resolved, in a part for each statement, and for each column of a sequence."""

    def statement(node: Node) -> str:
        while node.owner:
            node = resolved.written[node.owner]
        if node.cell is not None and node.cell.is_numbered:
            return f"{node.cell.table} {node.cell.column}"
        return symbol_of(resolved.written.get(node.key, node) if node.record else node, resolved.written)

    return in_parts(nodes, written, statement)


def _difference(resolved: Resolved, key: str, base: Resolved) -> GraphDifference:
    graph, under = resolved.whole, base.whole
    nodes, written = _others(graph.nodes, under.nodes), _others(resolved.written, base.written)
    kept = (nodes, written) if resolved.patch_of else _parts(resolved, nodes, written)
    return GraphDifference(
        base=key,
        is_patch=bool(resolved.patch_of),
        nodes=kept[0],
        written=kept[1],
        parents={name: graph.parents[name] for name in nodes},
        reads={name: resolved.reads[name] for name in written},
        order=_order(graph.nodes, under.nodes, nodes),
        written_order=_order(resolved.written, base.written, written),
        checks=graph.checks,
        functions=resolved.functions,
        scope={field.name: _changed(field.name, resolved.scope, base.scope) for field in fields(Scope)},
        inputs=resolved.inputs,
        names=None if resolved.names is base.names else resolved.names,
    )


def _changed(field: str, here: Scope, base: Scope) -> object:
    """A field of the scope; of a mapping, the entries that are others than base, and the order of all."""
    found, before = getattr(here, field), getattr(base, field)
    if not isinstance(found, dict):
        return found
    others = _others(found, before)
    return others, _order(found, before, others)


def _order(here: Iterable[Any], base: Iterable[Any], others: Iterable[Any]) -> tuple[Any, ...] | None:
    names = tuple(here)
    return None if names == tuple(dict.fromkeys((*base, *others))) else names


def _others(here: Mapping[Any, Any], base: Mapping[Any, Any]) -> dict[Any, Any]:
    """The entries that are others than base."""
    if isinstance(here, LayeredNodes) and here.under is base:
        return dict(here.over)
    return {name: each for name, each in here.items() if name not in base or base[name] is not each}


def _joined(base: Mapping[Any, Any], others: Mapping[Any, Any], order: tuple[Any, ...] | None) -> dict[Any, Any]:
    every = {**base, **others}
    return every if order is None else {name: every[name] for name in order}


def _together(base: Resolved, held: GraphDifference) -> Resolved:
    graph = base.whole
    parents = _joined(graph.parents, held.parents, held.order)
    nodes = LayeredNodes(held.nodes, graph.nodes, parents)
    reads = _joined(base.reads, held.reads, held.written_order)
    written = LayeredNodes(held.written, base.written, reads)
    scope = base.scope.continued(held.scope["units"])
    for name, value in held.scope.items():
        before = getattr(scope, name)
        setattr(scope, name, _joined(before, *value) if isinstance(before, dict) else value)
    whole = graph_of(nodes, parents, held.checks, scope)
    made = held.functions, written, reads, held.inputs, held.names or base.names
    return Resolved(whole, scope, (), *made, (held.base, base) if held.is_patch else None)
