"""Selects the checks that concern the quantities asked for."""

from collections.abc import Sequence

from formula_eval.core.expression import Reference
from formula_eval.core.graph import Check, FormulaGraph
from formula_eval.core.namespace import around


def concerning(graph: FormulaGraph, wanted: Sequence[str]) -> list[str]:
    """The checks that concern the wanted quantities or what these depend on.

    A check of a folder that holds what is wanted does where it reads or quotes any of it, another one where it reads
    some of it and nothing else but optional inputs, or may refuse.
    """
    spaces = {space for name in wanted for space in around(graph.written_in(graph.nodes[name]).namespace)[:-1]}
    needed = set(graph.ancestors(list(wanted)))
    return [check.node for check in graph.checks if _concerns(check, graph, spaces, needed)]


def _concerns(check: Check, graph: FormulaGraph, spaces: set[str], needed: set[str]) -> bool:
    read = set(graph.reads(check.node))
    if check.level == "refuse":
        return bool(read & needed)
    if graph.nodes[check.node].namespace in spaces:
        quoted = [part.node for part in check.message if isinstance(part, Reference)]
        told = read.union(quoted, *(graph.reads(name) for name in quoted))
        return bool(told & needed)
    return bool(read & needed) and all(graph.nodes[name].optional for name in read - needed)
