"""Finds formulas that can go wrong within the declared ranges of inputs, each with inputs that make it do so.

Bounds over all ranges at once prove that some formulas always have a value. For the others, and for those that are
proven no more than that, configurations at the ends of the ranges are computed until one goes wrong.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

from formula_eval.analyse.ranges.bounds_proof import open_nodes
from formula_eval.analyse.ranges.corner_cases import Failure, Wrong, first_failures, trials
from formula_eval.core.graph import FormulaGraph
from formula_eval.core.namespace import is_published
from formula_eval.core.type import quantified
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.value import Value


class Hazard(NamedTuple):
    """A formula that goes wrong: how, its place, its value, and the records and inputs that make it so."""

    name: str
    how: Wrong
    place: str
    value: Value
    records: Mapping[str, str]
    given: tuple[Value, ...]


class Hazards(NamedTuple):
    """The formulas that always have a value, those of them that are never negative, and what goes wrong.

    `open` are the formulas of which neither is known: no proof, and no trial of `tried` that goes wrong.
    """

    formulas: int
    valued: int
    positive: int
    open: tuple[str, ...]
    found: tuple[Hazard, ...]
    tried: int


def hazards(evaluator: Evaluator, seed: int = 0) -> Hazards:
    """Finds what may go wrong in the formulas of a library, except those of published tools."""
    schema, graph = evaluator.schema, evaluator.graph
    names = [name for name, each in schema.formulas.items() if each.is_listed and not is_published(name)]
    refusing = [each.name for each in schema.checks.values() if each.level == "refuse" and not is_published(each.name)]
    program = evaluator.program([*names, *refusing])
    inputs = [schema.inputs[name] for name in program.inputs]
    tried = trials(evaluator, inputs, seed)
    found: dict[tuple[str, Wrong], Failure] = {}
    for (name, how), failure in first_failures(program, graph, refusing, tried).items():
        found.setdefault((written(name, graph), how), failure)
    undecided = open_nodes(program, inputs)
    failing, negative = ({written(name, graph) for name in some} for some in undecided)
    wrong = {name for name, how in found if how == "has no value"}
    failing |= wrong
    told = tuple(_hazard(name, how, failure, evaluator) for (name, how), failure in sorted(found.items(), key=_order))
    return Hazards(
        len(names),
        sum(name not in failing for name in names),
        sum(name not in failing | negative for name in names),
        tuple(name for name in names if name in failing - wrong),
        told,
        len(tried),
    )


def _order(item: tuple[tuple[str, Wrong], Failure]) -> tuple[str, str]:
    (name, how), _ = item
    return how, name


def written(name: str, graph: FormulaGraph) -> str:
    """The formula, cell or check in whose text a node stands: what it copies, and what it is part of."""
    node = graph.nodes[name]
    while node.original or node.owner:
        node = graph.nodes[node.original or node.owner]
    return node.name


def _hazard(name: str, how: Wrong, failure: Failure, evaluator: Evaluator) -> Hazard:
    schema, node = evaluator.schema, evaluator.graph.nodes[name]
    span, (trial, number) = node.declaration.span, failure
    given = tuple(Value(each, value, schema.quantity(each), schema.units) for each, value in trial.changes.items())
    value = Value(name, None if math.isnan(number) else number, quantified(node.type, node.shown_in), schema.units)
    return Hazard(name, how, f"{span.file}:{span.line}", value, trial.records, given)
