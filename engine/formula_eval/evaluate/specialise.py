"""Specialises quantities to given inputs: folds what is known, and leaves formulas over the free inputs.

What does not depend on a free input becomes a number, computed as a program computes it; branches that cannot be taken
are dropped; a formula that only one other one reads is written into it, as long as that stays short.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from formula_eval.core import expression as e
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.core.type import Record
from formula_eval.core.unit import UnitTable
from formula_eval.evaluate.codegen import guarded
from formula_eval.evaluate.fold import Fold, is_known, typed_constant
from formula_eval.evaluate.subexpression import value_of

_SMALL = 5  # so short a formula is written wherever it is read,
LONGEST = 60  # and into its only reader unless that becomes so long


@dataclass(frozen=True, slots=True)
class Specialised:
    """A quantity over free inputs: `formulas` are what is left, each behind those that it reads, the quantity last."""

    name: str
    free: tuple[str, ...]
    formulas: Mapping[str, e.Expression]

    @property
    def read(self) -> tuple[str, ...]:
        """The free inputs that it depends on."""
        found = {reference for x in self.formulas.values() for reference in e.references(x)}
        return tuple(name for name in self.free if name in found)


def specialise(
    graph: FormulaGraph, units: UnitTable, name: str, given: Mapping[str, Any], free: Sequence[str]
) -> Specialised:
    """Specialises a quantity to these givens, with some inputs left free and all others at their default.

    Whether a free input was given is always answered by yes, since it will be.
    """
    return Specialised(name, tuple(free), formulas_left(graph, units, [name], given, free))


def formulas_left(  # noqa: PLR0913, PLR0917 - a graph, what is asked of it, and how its formulas are cut
    graph: FormulaGraph,
    units: UnitTable,
    names: Collection[str],
    given: Mapping[str, Any],
    free: Sequence[str],
    longest: int = LONGEST,
) -> dict[str, e.Expression]:
    """The residual formulas of several quantities, with shared ones stated once; none of the quantities is free.

    One that only one other reads is written into it unless that gets more than so many parts.
    """
    values = {name: value for name, value in given.items() if name not in free and value == value}  # noqa: PLR0124
    known = _Known(graph, units, values, frozenset(free))
    stated = {*free, *(value for value in values if graph.nodes[value].kind == "input")}
    for ancestor in graph.ancestors([*names], known=stated):
        known.add(graph.nodes[ancestor])
    others = {name: known.of(e.Reference(name, name)) for name in names if name not in known.left}
    return inlined(names, {**known.left, **others}, longest)


class _Known:
    """Collects the values of nodes that are known, and the residual formulas of the others."""

    def __init__(self, graph: FormulaGraph, units: UnitTable, given: Mapping[str, Any], free: frozenset[str]) -> None:
        self._nodes = graph.nodes
        self._parents = graph.parents
        self._free = free
        self._given = given
        self._numbers: dict[str, float] = dict(given)
        self._values: dict[str, e.Expression] = {}
        self._never_negative = {name for name in free if (graph.nodes[name].low or 0.0) >= 0}
        self._fold = Fold(units, self.of, lambda name: e.FlagValue(name in free or name in given), self._never_negative)
        self.left: dict[str, e.Expression] = {}

    def of(self, read: e.Reference) -> e.Expression:
        """The value of a node, or a reference to its residual formula."""
        return self._values.get(read.node, read)

    def add(self, node: Node) -> None:
        """Compute a node whose parents were added, or keep its residual formula."""
        if isinstance(node.type, Record) or node.name in self._free:
            return
        if node.name in self._given and node.kind == "input":
            self._keep(node, self._given[node.name])
        elif not self._computed(node):
            self._fold_in(node)

    def _keep(self, node: Node, value: float) -> None:
        self._numbers[node.name] = value
        self._values[node.name] = typed_constant(value, node.type)

    def _computed(self, node: Node) -> bool:
        """Whether all that the node reads is known, and so is its value."""
        if any(name not in self._numbers for name in self._parents[node.name] if self._has_value(name)):
            return False
        try:
            self._keep(node, value_of(guarded(node), self._numbers, self._given))
        except (ArithmeticError, ValueError, KeyError):
            return False
        return True

    def _has_value(self, name: str) -> bool:
        return not isinstance(self._nodes[name].type, Record)

    def _fold_in(self, node: Node) -> None:
        left = self._fold(guarded(node))
        if isinstance(left, e.Reference):
            self._values[node.name] = left
        elif is_known(left):
            self._values[node.name] = left
            self._numbers[node.name] = value_of(left, {}, {})
        else:
            self.left[node.name] = left
            if self._fold.is_never_negative(left):
                self._never_negative.add(node.name)


def inlined(
    names: Collection[str], formulas: Mapping[str, e.Expression], longest: int = LONGEST
) -> dict[str, e.Expression]:
    """The formulas that these need, with short ones and those read only once inlined."""
    uses: dict[str, int] = {}
    pending, seen = [*names], {*names}
    while pending:
        for reference in e.references(formulas[pending.pop()]):
            uses[reference] = uses.get(reference, 0) + 1
            if reference in formulas and reference not in seen:
                seen.add(reference)
                pending.append(reference)
    written: dict[str, e.Expression] = {}
    kept: dict[str, e.Expression] = {}
    for name in (one for one in formulas if one in seen):
        x = _with(formulas[name], written)
        size = sum(1 for _ in e.walk(x))
        is_short = size <= _SMALL or (uses.get(name) == 1 and size <= longest)
        (written if is_short and name not in names else kept)[name] = x
    return kept


def _with(x: e.Expression, written: Mapping[str, e.Expression]) -> e.Expression:
    if isinstance(x, e.Reference):
        return written.get(x.node, x)
    return e.rebuild(x, lambda part: _with(part, written))
