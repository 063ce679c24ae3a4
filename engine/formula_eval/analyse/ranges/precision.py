"""Finds the formulas that lose digits at the ends of ranges, by comparing doubles with fifty-digit decimals."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from formula_eval.analyse.ranges.corner_cases import Trial, listed_formulas, refusing_checks, trials
from formula_eval.analyse.ranges.hazards import written
from formula_eval.core.diagnostic import FormulaError
from formula_eval.core.graph import FormulaGraph
from formula_eval.core.type import Quantity
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.many_digits import DIGITS, ManyDigits
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.value import Value

MOST_LOST = 9.0  # of the sixteen digits of a double: the other seven are as many as anybody reads
_ALL = -math.log10(2.0**-53)
_MOST = 10.0 ** (MOST_LOST - _ALL)  # by what share a number that has lost so many is off
_NOTHING = 10.0 ** (30 - DIGITS)  # what share of others a number is that would be 0 without any rounding
_TINY = 2.0**-960  # what underflows has fewer digits


class Loss(NamedTuple):
    """The digits that a node itself loses, where its double is `value` and the exact number `exact`."""

    digits: float
    value: float
    exact: float

    @classmethod
    def by(cls, share: float, value: float, exact: float) -> Self:
        """The loss of a number with this relative error."""
        return cls(_ALL + math.log10(min(share, 1.0)), value, exact)

    @property
    def is_all(self) -> bool:
        """Whether one of both numbers is negligible beside the other."""
        least, most = sorted((abs(self.value), abs(self.exact)))
        return least <= _NOTHING * most

    def is_of_nothing(self, read: Iterable[float]) -> bool:
        """Whether a formula comes to exactly nothing beside what it reads, which has no digits to lose.

        A decision that depends on it, or a number that is not nothing, is looked at by itself.
        """
        most = max((abs(number) for number in read if math.isfinite(number)), default=0.0)
        return abs(self.exact) <= _NOTHING * most and abs(self.value) <= _MOST * most


class LossyFormula(NamedTuple):
    """A formula where it loses most digits: its place, and the records and inputs that make it so."""

    name: str
    loss: Loss
    place: str
    records: Mapping[str, str]
    given: tuple[Value, ...]


class Precision(NamedTuple):
    """The number of formulas, those that lose digits, and in how many of the trials there were values."""

    formulas: int
    found: tuple[LossyFormula, ...]
    computed: int
    tried: int


def precision(evaluator: Evaluator, seed: int = 0) -> Precision:
    """Finds the formulas of a library that lose digits at an end of an input, except those of published tools."""
    schema, graph = evaluator.schema, evaluator.graph
    names, refusing = listed_formulas(schema), refusing_checks(schema)
    program = evaluator.program([*names, *refusing])
    tried = trials(evaluator, [schema.inputs[name] for name in program.inputs], seed, most_pairs=0)
    losses = DigitsLost(program, graph, refusing)
    worst: dict[str, tuple[Loss, Trial]] = {}
    for name, loss, trial in _all_losses(losses, tried):
        if name not in worst or loss.digits > worst[name][0].digits:
            worst[name] = loss, trial
    found = tuple(_lossy(name, *worst[name], evaluator) for name in sorted(worst))
    return Precision(len(names), found, losses.computed, len(tried))


def _all_losses(losses: "DigitsLost", tried: Iterable[Trial]) -> Iterator[tuple[str, Loss, Trial]]:
    for trial in tried:
        for name, loss in losses.of({**trial.givens, **trial.changes}).items():
            yield name, loss, trial


def _lossy(name: str, loss: Loss, trial: Trial, evaluator: Evaluator) -> LossyFormula:
    span = evaluator.graph.nodes[name].declaration.span
    return LossyFormula(name, loss, span.place, trial.records, trial.changed(evaluator.schema))


class DigitsLost:
    """Measures the digits that a program's formulas lose, one configuration at a time."""

    def __init__(self, program: Program, graph: FormulaGraph, refusing: Sequence[str]) -> None:
        """Prepare both programs; skips configurations that one of these checks refuses."""
        self._program, self._graph, self._refusing = program, graph, refusing
        self._many_digits = ManyDigits(program)
        nodes = (graph.nodes[name] for name in program.names)
        # Numbers that are whole formulas: no part of one, and no decision.
        self._names = [x.name for x in nodes if isinstance(x.type, Quantity) and not x.is_part_of_another]
        self.computed = 0

    def of(self, givens: Mapping[str, float]) -> dict[str, Loss]:
        """The losses of the formulas that lose more than nine digits, by name; empty where one has no value."""
        try:
            values = self._program.evaluate(givens)
            if not all(values[name] for name in self._refusing):
                return {}
            exact = self._many_digits.evaluate(givens)
        except (FormulaError, ArithmeticError, ValueError):
            return {}
        self.computed += 1
        ours, theirs = (np.array([float(each[name]) for name in self._names]) for each in (values, exact))
        shares = _relative(ours, theirs)
        lossy = {
            self._names[at]: Loss.by(float(shares[at]), float(ours[at]), float(theirs[at]))
            for at in np.flatnonzero(shares > _MOST)
        }
        return self._of_themselves(lossy, values)

    def _of_themselves(self, lossy: Mapping[str, Loss], values: Mapping[str, float]) -> dict[str, Loss]:
        """The losses of nodes that read no other lossy one, by the formula or cell in whose text they stand."""
        found: dict[str, Loss] = {}
        lost, nothing = set[str](), set[str]()
        for node, loss in lossy.items():
            read = frozenset(self._graph.reads(node))
            operands = (values[each] for each in self._graph.parents[node] if each in values)
            if loss.is_of_nothing(operands) or (loss.is_all and not nothing.isdisjoint(read)):
                nothing.add(node)
                continue
            if lost.isdisjoint(read):
                name = written(node, self._graph)
                found[name] = max(found.get(name, loss), loss)
            lost.add(node)
        return found


def _relative(ours: Any, theirs: Any) -> Any:  # noqa: ANN401 - arrays of doubles
    """The relative error of doubles: 1 where only one is a number or 0, 0 where both underflow."""
    with np.errstate(all="ignore"):
        share = np.abs(ours - theirs) / np.abs(theirs)
        same = (ours == theirs) | (np.isnan(ours) & np.isnan(theirs))
        tiny = np.maximum(np.abs(ours), np.abs(theirs)) < _TINY
    return np.where(same | tiny, 0.0, np.nan_to_num(share, nan=1.0, posinf=1.0))
