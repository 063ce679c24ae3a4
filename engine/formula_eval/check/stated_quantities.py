"""Computes examples that state quantities which a formula reads, each in place of its own formula."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from formula_eval.core import expression as e
from formula_eval.core.diagnostic import Diagnostic, FormulaError
from formula_eval.core.graph import FormulaGraph, Node, changed_node
from formula_eval.core.namespace import readings
from formula_eval.core.type import Choice
from formula_eval.evaluate.program import Program, compile_program

Written = str | e.Expression


class StatedGivens(NamedTuple):
    """The givens of an example, apart: the quantities it states, by node in base units, and its inputs as written."""

    quantities: Mapping[str, float]
    inputs: tuple[tuple[str, Written], ...]


def stated_in(givens: Iterable[tuple[str, Written]], graph: FormulaGraph, wanted: str, namespace: str) -> StatedGivens:
    """Tells quantities that the wanted node reads from inputs; raises FormulaError for those that it does not read."""
    computed = {name: _computed(name, graph, namespace) for name, _ in givens}
    inputs = tuple(pair for pair in givens if computed[pair[0]] is None)
    nodes = {node.name: _base_value(value, node) for name, value in givens if (node := computed[name]) is not None}
    if not nodes:
        return StatedGivens({}, inputs)
    copies = {each: value for name, value in nodes.items() for each in graph.copies[name]}
    needed = frozenset(graph.ancestors([wanted], copies)) - {wanted}
    unread = [name for name in nodes if needed.isdisjoint(graph.copies[name])]
    if unread:
        help_ = "An example states inputs, and quantities that the formula reads."
        raise FormulaError(Diagnostic("unread-quantity", f"it does not read `{unread[0]}`", (), help_))
    return StatedGivens({name: value for name, value in copies.items() if name in needed}, inputs)


def program_of_stated(graph: FormulaGraph, wanted: str, stated: Iterable[str]) -> Program:
    """The program of one node and of what it needs when these nodes are given to it."""
    given = frozenset(stated)
    needed = graph.ancestors([wanted], given)
    nodes = {name: graph.nodes[name] for name in needed}
    nodes |= {
        name: changed_node(nodes[name], kind="input", expression=None, guard=None)
        for name in given.intersection(needed)
    }
    parents = {name: () if name in given else graph.parents[name] for name in needed}
    return compile_program(replace(graph, nodes=nodes, parents=parents, checks=()), [wanted])


def _computed(name: str, graph: FormulaGraph, namespace: str) -> Node | None:
    """The node of a formula or of a computed cell that is written so in a folder; None for any other name."""
    node = next((graph.nodes[each] for each in readings(name, namespace) if each in graph.nodes), None)
    is_computed = node is not None and node.kind in ("formula", "cell") and not node.is_replaced_input
    return node if is_computed else None


def _base_value(value: Written, node: Node) -> float:
    match value:
        case e.Number():
            return float(value.value)
        case e.Negate(operand):
            return -_base_value(operand, node)
        case e.FlagValue(flag):
            return flag
        case e.Name(path) if isinstance(node.type, Choice):
            return node.type.values.index(path[-1])
        case str() if isinstance(node.type, Choice):
            return node.type.values.index(value)
    return float("inf")  # the only other literal
