"""Folds a graph over what is constant on a whole grid, and shares equal residual formulas.

Numbers and failures stay what they are: nothing is left out that may fail or be no finite number.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from math import inf, isnan
from typing import NamedTuple

from formula_eval.core import expression as e
from formula_eval.core.closure import closure
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.core.type import Flag
from formula_eval.core.unit import UnitTable
from formula_eval.evaluate.codegen import guarded
from formula_eval.evaluate.fold import Fold, typed_constant
from formula_eval.evaluate.partial_evaluation.node_facts import Facts

_NEVER_FAIL = ("min", "max", "sum", "abs", "ceil", "floor", "round", "one_if")
_LARGE = 1e300


class Residue(NamedTuple):
    """The residual formulas of some nodes over a grid.

    `known` are the values that are the same everywhere, base units, nan where absent. `formulas` are what is left of
    others, each behind those that it reads; `same` names for a wanted node the one that has its value. What they read
    beside each other are inputs that vary, and of those that only some configurations are given `value_of` and
    `given_of`. `flags` are those of all these that are flags, `unsure` the wanted nodes that may be nan, `may_fail` the
    formulas that may fail.
    """

    known: Mapping[str, float]
    formulas: Mapping[str, e.Expression]
    same: Mapping[str, str]
    flags: frozenset[str]
    unsure: frozenset[str]
    may_fail: frozenset[str]

    def read(self) -> list[str]:
        """The names that are read and are no formulas."""
        names = dict.fromkeys(
            [*(reference for x in self.formulas.values() for reference in e.references(x)), *self.same.values()]
        )
        return [name for name in names if name not in self.formulas]


def value_of(name: str) -> str:
    """The name of an input's given values; with a space, it cannot clash with a node's name."""
    return f"{name} value"


def given_of(name: str) -> str:
    """The name of the flag that says whether an input was given."""
    return f"{name} given"


def residue(graph: FormulaGraph, units: UnitTable, wanted: Iterable[str], facts: Facts) -> Residue:
    """The residue of the wanted nodes, and of all that may fail."""
    return _Left(graph, units, facts).of([*wanted, *sorted(facts.may_fail)])


class _Left:
    """Folds what is reached from the wanted nodes."""

    def __init__(self, graph: FormulaGraph, units: UnitTable, facts: Facts) -> None:
        self._nodes = graph.nodes
        self._places = {name: place for place, name in enumerate(graph.nodes)}
        self._sure = facts.sure
        self._everywhere = facts.everywhere
        self._somewhere = facts.somewhere
        never_negative = {name for name, sure in facts.sure.items() if sure.low >= 0}
        self._may_fail = facts.may_fail
        self._fold = Fold(units, self._known, self._given, never_negative, self._may_be_left_out)

    def of(self, wanted: Collection[str]) -> Residue:
        """The residue of these nodes."""
        left: dict[str, e.Expression] = {}
        pending = [name for name in wanted if self._value(name) is None]
        while pending:
            name = pending.pop()
            if name not in left and name in self._nodes and name not in self._everywhere:
                left[name] = self._folded(self._nodes[name])
                pending += e.references(left[name])
        formulas, same = _shared({name: left[name] for name in sorted(left, key=self._places.__getitem__)})
        known = {name: value for name in wanted if (value := self._value(name)) is not None}
        found = {name: same.get(name, name) for name in wanted if name not in known}
        kept = _needed(formulas, found.values())
        unsure = frozenset(name for name in wanted if name not in self._sure or isnan(self._sure[name].low))
        return Residue(known, kept, found, frozenset(self._flags(kept)), unsure, self._fallible(kept))

    def _fallible(self, formulas: Mapping[str, e.Expression]) -> frozenset[str]:
        """The formulas that may fail; bounds that hold infinity do not say whether a finite number overflows."""
        return frozenset(name for name, x in formulas.items() if name in self._may_fail or _may_overflow(x))

    def _flags(self, formulas: Iterable[str]) -> Iterator[str]:
        """The names of all flags that are read or computed."""
        for name in (*formulas, *self._everywhere):
            if isinstance(self._nodes[name].type, Flag):
                yield name
        for name in self._somewhere:
            yield given_of(name)
            if isinstance(self._nodes[name].type, Flag):
                yield value_of(name)

    def _value(self, name: str) -> float | None:
        """The value of a node that is the same everywhere; one that may fail has none, since it has to be computed."""
        return self._sure[name].value if name in self._sure else None

    def _known(self, read: e.Reference) -> e.Expression:
        value = self._value(read.node)
        if value is None:
            return read
        type_ = self._nodes[read.node].type
        is_flag = isinstance(type_, Flag) and not isnan(value)
        return e.FlagValue(bool(value)) if is_flag else typed_constant(value, type_)

    def _given(self, name: str) -> e.Expression:
        if name in self._somewhere:
            return e.Reference(given_of(name))
        return e.FlagValue(name in self._everywhere)

    def _folded(self, node: Node) -> e.Expression:
        """The folded expression of a node; for an input that only some configurations give, its value or default."""
        found = self._fold(guarded(node))
        if node.name not in self._somewhere:
            return found
        return e.Conditional(e.Reference(value_of(node.name)), e.Reference(given_of(node.name)), found)

    def _may_be_left_out(self, x: e.Expression) -> bool:
        """Whether this provably is a finite number that is not negative, or a flag, so that it may be dropped."""
        is_flag = isinstance(x, e.Compare | e.Logical | e.Not)
        return self._size(x) < _LARGE and (is_flag or self._fold.is_never_negative(x))

    def _size(self, x: e.Expression) -> float:  # noqa: PLR0911 - one case for each kind of node
        """An upper bound of the absolute value; infinity where it might be nan, or fail."""
        match x:
            case e.Number(value=value):
                return float(abs(value))
            case e.FlagValue() | e.ChoiceValue():
                return 1.0
            case e.Reference(node) if node in self._sure:
                return max(abs(self._sure[node].low), abs(self._sure[node].high))
            case e.Negate(operand) | e.Not(operand):
                return self._size(operand)
            case e.Binary("+" | "-", left, right) | e.Compare(_, left, right) | e.Logical(_, left, right):
                return self._size(left) + self._size(right)
            case e.Binary("*", left, right):
                return self._size(left) * self._size(right)
            case e.Binary("/", left, e.Number(value=value)) if value:
                return self._size(left) / float(abs(value))
            case e.Binary("/", left, e.Reference(node)) if node in self._sure and self._sure[node].low > 0:
                return self._size(left) / self._sure[node].low
            case e.Call(function, terms) if function in _NEVER_FAIL:
                return sum(map(self._size, terms)) + 1.0
        return inf


def _may_overflow(x: e.Expression) -> bool:
    return any(
        (isinstance(part, e.Binary) and part.operator == "**")
        or (isinstance(part, e.Call) and part.function in ("exp", "expm1"))
        for part in e.walk(x)
    )


def _shared(left: Mapping[str, e.Expression]) -> tuple[dict[str, e.Expression], dict[str, str]]:
    """The distinct formulas, and for each duplicate the name of the formula that it equals."""
    formulas: dict[str, e.Expression] = {}
    first: dict[e.Expression, str] = {}
    same: dict[str, str] = {}

    def renamed(x: e.Expression) -> e.Expression:
        if isinstance(x, e.Reference):
            return e.Reference(same[x.node]) if x.node in same else x
        return e.rebuild(x, renamed)

    for name, written in left.items():
        x = renamed(written)
        if isinstance(x, e.Reference):
            same[name] = x.node
        elif x in first:
            same[name] = first[x]
        else:
            first[x] = name
            formulas[name] = x
    return formulas, same


def _needed(formulas: Mapping[str, e.Expression], wanted: Iterable[str]) -> dict[str, e.Expression]:
    """The formulas that these need, in order."""
    needed = closure(wanted, lambda name: e.references(formulas[name]) if name in formulas else ())
    return {name: x for name, x in formulas.items() if name in needed}
