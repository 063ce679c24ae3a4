"""Finds formulas that can go wrong within the declared ranges of inputs, each with inputs that make it do so.

Bounds over all ranges at once prove that some formulas always have a value. For the others, and for those that are
proven no more than that, configurations at the ends of the ranges are computed until one goes wrong.
"""

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from formula_eval.analyse.perturbation import domain_of, is_whole
from formula_eval.analyse.ranges.corner_cases import (
    Failure,
    Watch,
    Wrong,
    first_failures,
    listed_formulas,
    refusing_checks,
    trials,
)
from formula_eval.core.graph import FormulaGraph
from formula_eval.core.type import quantified
from formula_eval.evaluate.bounds.box_operations import Bound, Boxes
from formula_eval.evaluate.bounds.choice_sets import ABSENT, Words
from formula_eval.evaluate.bounds.interval import Interval
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.value import Value
from formula_eval.records.schema import InputSchema


class Hazard(NamedTuple):
    """A formula that goes wrong: how, its place, its value, and the records and inputs that make it so."""

    name: str  # of the formula, cell or check it concerns
    how: Wrong
    place: str
    value: Value
    records: Mapping[str, str]
    given: tuple[Value, ...]  # the inputs at an end of their range


class Hazards(NamedTuple):
    """The formulas that always have a value, those of them that are never negative, and what goes wrong.

    `open` are the formulas of which neither is known: no proof, and no trial of `tried` that goes wrong.
    """

    formulas: int
    valued: int  # number of formulas proven to always have a value
    positive: int  # number of those that are proven never negative
    open: tuple[str, ...]
    found: tuple[Hazard, ...]  # ordered by how they go wrong, then by name
    tried: int


def hazards(evaluator: Evaluator, seed: int = 0) -> Hazards:
    """Finds what may go wrong in the formulas of a library, except those of published tools."""
    schema, graph = evaluator.schema, evaluator.graph
    names, refusing = listed_formulas(schema), refusing_checks(schema)
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
    value = Value(name, None if math.isnan(number) else number, quantified(node.type, node.shown_in), schema.units)
    return Hazard(name, how, span.place, value, trial.records, trial.changed(schema))


class Open(NamedTuple):
    """The nodes not proven to always have a value, and those not proven to be never negative."""

    failing: frozenset[str]
    negative: frozenset[str]


def open_nodes(program: Program, inputs: Iterable[InputSchema]) -> Open:
    """Bound every node over the ranges of all inputs at once."""
    boxes = Boxes({input_schema.name: _range(input_schema) for input_schema in inputs}, program.largest_divisor)
    failing: set[str] = set()
    negative: set[str] = set()

    def see(name: str, value: Bound) -> None:
        if np.any(boxes.failing):
            failing.add(name)
            boxes.failing = False
        least = value.low if isinstance(value, Interval) else value if isinstance(value, float) else 0.0
        if np.any(np.less(least, 0)):
            negative.add(name)

    with np.errstate(all="ignore"):
        program.vector(boxes, Watch(see, ()))
    return Open(frozenset(failing), frozenset(negative))


def _range(input_schema: InputSchema) -> Bound:
    """The set of values of an input, with `absent` unless it has a default."""
    may_be_absent = not input_schema.default
    if input_schema.quantity.kind in ("choice", "flag"):
        bits = (1 << (len(input_schema.quantity.words) or 2)) - 1
        return Words(np.array([bits | (ABSENT if may_be_absent else 0)]))
    low, high = domain_of(input_schema)
    return Interval(np.array([low]), np.array([high]), np.array([may_be_absent]), whole=is_whole(input_schema, 1.0))
