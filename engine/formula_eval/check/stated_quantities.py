"""Computes examples that state quantities which a formula reads, each in place of its own formula."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from formula_eval.core import expression as e
from formula_eval.core.diagnostic import Diagnostic, FormulaError
from formula_eval.core.graph import FormulaGraph, Node, changed_node
from formula_eval.core.namespace import readings
from formula_eval.core.type import Choice
from formula_eval.evaluate.program import Program, compile_program

_FEW = 20  # examples whose program leaves out what is stated beside them

Written = str | e.Expression


class StatedGivens(NamedTuple):
    """The givens of an example, apart: the quantities it states, by node in base units, and its inputs as written."""

    quantities: Mapping[str, float]
    inputs: tuple[tuple[str, Written], ...]


def quantities_in(givens: Iterable[tuple[str, Written]], graph: FormulaGraph, namespace: str) -> dict[str, Node]:
    """The nodes of formulas and computed cells among these names, as written in a folder."""
    found: dict[str, Node] = {}
    for name, _ in givens:
        node = next((graph.nodes[reading] for reading in readings(name, namespace) if reading in graph.nodes), None)
        if node is not None and node.kind in ("formula", "cell") and not node.is_replaced_input:
            found[name] = node
    return found


def stated_in(
    givens: Collection[tuple[str, Written]], graph: FormulaGraph, wanted: str, namespace: str
) -> StatedGivens:
    """Tells quantities that the wanted node reads from inputs; raises FormulaError for those that it does not read."""
    computed = quantities_in(givens, graph, namespace)
    inputs = tuple(pair for pair in givens if pair[0] not in computed)
    nodes = {computed[name].name: _base_value(value, computed[name]) for name, value in givens if name in computed}
    if not nodes:
        return StatedGivens({}, inputs)
    copies = {each: value for name, value in nodes.items() for each in graph.copies[name]}
    needed = frozenset(graph.ancestors([wanted], copies)) - {wanted}
    unread = [name for name in nodes if needed.isdisjoint(graph.copies[name])]
    if unread:
        help_ = "An example states inputs, and quantities that the formula reads."
        raise FormulaError(Diagnostic("unread-quantity", f"it does not read `{unread[0]}`", (), help_))
    return StatedGivens({name: value for name, value in copies.items() if name in needed}, inputs)


def program_of_stated(graph: FormulaGraph, asked: Collection[tuple[str, Collection[str]]]) -> Program:
    """The program of these nodes, each with the quantities that are stated beside it, and of what they need else.

    What is stated with one of them is computed for another that needs it. Of many, all that any quantity needs is
    computed: most of it is needed by one or another, and values that are absent where others are stated cost more.
    """
    wanted = list(dict.fromkeys(name for name, _ in asked))
    if len(asked) > _FEW:
        needed = {*graph.ancestors(wanted)}
    else:
        needed = {name for asked_for, stated in asked for name in graph.ancestors([asked_for], stated)}
    known = {name for _, stated in asked for name in stated} & needed
    given = {name for name in known if not needed.issuperset(graph.parents[name])}
    order = sorted(needed, key=graph.places.__getitem__)
    nodes = {name: graph.nodes[name] for name in order}
    nodes |= {name: changed_node(nodes[name], kind="input") for name in known}
    nodes |= {name: changed_node(nodes[name], expression=None, guard=None) for name in given}
    parents = {name: () if name in given else graph.parents[name] for name in order}
    return compile_program(replace(graph, nodes=nodes, parents=parents, checks=()), wanted)


def _base_value(value: Written, node: Node) -> float:
    match value:
        case e.Name(path=(*_, word)) | e.Number(text=word) | str(word) if isinstance(node.type, Choice):
            return node.type.values.index(word)
        case e.Number():
            return float(value.value)
        case e.Negate(operand):
            return -_base_value(operand, node)
        case e.FlagValue(flag):
            return flag
    return float("inf")  # the only other literal
