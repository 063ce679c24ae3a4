"""Keeps graphs in the cache: our own whole, that of a library on it as what differs from ours."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, NamedTuple

from formula_eval.cache import Cache
from formula_eval.core.graph import Check, Node
from formula_eval.library import OURS, Library
from formula_eval.resolve.bindings import CopyNames
from formula_eval.resolve.freeze import graph_of
from formula_eval.resolve.resolved import Resolved
from formula_eval.resolve.scope import Scope


class GraphDifference(NamedTuple):
    """What a graph and its scope hold that those base do not.

    `nodes`, `parents`: the nodes that are others than base, and what they read.
    `order`: the names of all nodes; None if those base come first, then the others.
    `checks`: all of them.
    `scope`: the fields of the scope; of a mapping, the entries that are others than base.
    """

    nodes: Mapping[str, Node]
    parents: Mapping[str, tuple[str, ...]]
    order: tuple[str, ...] | None
    checks: tuple[Check, ...]
    scope: Mapping[str, Any]


def our_library() -> Library:
    """Our own library alone, as its files stand now."""
    return Library((OURS,))


def stands_on_ours(library: Library) -> bool:
    """Whether a library has chapters behind our own."""
    return library.folders[0] == OURS and len(library.folders) > 1


def kept_graph(cache: Cache, fingerprint: str) -> Resolved | None:
    """The graph of a library with this fingerprint, if the cache has it."""
    held: Resolved | GraphDifference | None = cache.get_object(_key(fingerprint), Resolved, GraphDifference)
    if not isinstance(held, GraphDifference):
        return held
    base = kept_graph(cache, our_library().fingerprint())
    return None if base is None else _together(base, held)


def keep_graph(resolved: Resolved, library: Library, cache: Cache, fingerprint: str) -> None:
    """Put a graph into the cache."""
    base = kept_graph(cache, our_library().fingerprint()) if stands_on_ours(library) else None
    held = resolved if base is None else _difference(resolved, base)
    cache.put_object(_key(fingerprint), held)


def _key(fingerprint: str) -> str:
    return f"{fingerprint}-graph"


def _difference(resolved: Resolved, base: Resolved) -> Resolved | GraphDifference:
    """What is not base, or all of it where nothing is shared; neither says what only chapters on top of it need."""
    graph, under = resolved.graph, base.graph
    assert graph is not None  # noqa: S101 - for the type checker
    assert under is not None  # noqa: S101 - for the type checker
    nodes = _others(graph.nodes, under.nodes)
    if len(nodes) == len(graph.nodes):
        return replace(resolved, functions={}, written={}, names=CopyNames())
    names = tuple(graph.nodes)
    return GraphDifference(
        nodes=nodes,
        parents={name: graph.parents[name] for name in nodes},
        order=None if names == tuple(dict.fromkeys((*under.nodes, *nodes))) else names,
        checks=graph.checks,
        scope={
            each.name: _others(here, getattr(base.scope, each.name)) if isinstance(here, dict) else here
            for each in fields(Scope)
            for here in [getattr(resolved.scope, each.name)]
        },
    )


def _others(here: Mapping[str, Any], base: Mapping[str, Any]) -> dict[str, Any]:
    return {name: each for name, each in here.items() if base.get(name) is not each}


def _together(base: Resolved, held: GraphDifference) -> Resolved:
    graph = base.graph
    assert graph is not None  # noqa: S101 - for the type checker
    nodes, parents = {**graph.nodes, **held.nodes}, {**graph.parents, **held.parents}
    if held.order is not None:
        nodes = {name: nodes[name] for name in held.order}
        parents = {name: parents[name] for name in held.order}
    scope = base.scope.continued(held.scope["units"])
    for name, value in held.scope.items():
        setattr(scope, name, {**getattr(scope, name), **value} if isinstance(value, dict) else value)
    return Resolved(graph_of(nodes, parents, held.checks, scope), scope, ())
