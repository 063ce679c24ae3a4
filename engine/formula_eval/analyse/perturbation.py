"""Evaluates variations of a configuration, each with one input changed, in one vectorised call."""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple, Self

import numpy as np

from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.batch import evaluate_many
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.vector import Array
from formula_eval.records.givens import Givens
from formula_eval.records.schema import InputSchema

FEW = 16  # configurations that one by one are no slower than together
_LARGEST = 2.0**53  # whole numbers above are not exact


class Perturbation(NamedTuple):
    """One input and another value of it, in base units."""

    name: str
    value: float


class Neighbourhood(NamedTuple):
    """A program with the checks that may refuse, and the configuration whose variations it evaluates."""

    program: Program
    givens: Givens
    refusing: tuple[str, ...]

    @classmethod
    def around(cls, evaluator: Evaluator, givens: Givens, wanted: Sequence[str], namespace: str = "") -> Self:
        """The neighbourhood of these givens, for these quantities."""
        checks = evaluator.speaking(wanted, givens, namespace, named=True)
        refusing = tuple(check.name for check in checks if check.level == "refuse")
        return cls(evaluator.program([*wanted, *refusing]), givens, refusing)

    def outcomes(self, changes: Sequence[Perturbation]) -> Mapping[str, Array]:
        """The wanted quantities under each change by itself; nan where they have no value or a check refuses it."""
        found = self._one_by_one(changes) if len(changes) <= FEW else self._all_at_once(changes)
        fits = np.ones(len(changes), bool)
        for each in self.refusing:
            fits &= np.broadcast_to(found[each], fits.shape) != 0
        return {name: np.where(fits, value, np.nan) for name, value in found.items()}

    def _one_by_one(self, changes: Sequence[Perturbation]) -> dict[str, Array]:
        """The values without those of a check; the code for many configurations takes seconds to compile."""
        found = {name: np.full(len(changes), np.nan) for name in self.program.wanted}
        for place, change in enumerate(changes):
            with suppress(FormulaError):
                values = self.program.evaluate({**self.givens.values, change.name: change.value})
                for name, column in found.items():
                    column[place] = values[name]
        return found

    def _all_at_once(self, changes: Sequence[Perturbation]) -> dict[str, Array]:
        """The same, with NumPy."""
        values: dict[str, object] = dict(self.givens.values)
        for name in dict.fromkeys(change.name for change in changes):
            held = float(self.givens.values.get(name, math.nan))
            values[name] = np.array([change.value if change.name == name else held for change in changes])
        return evaluate_many(self.program, values, failures="nan")


def numbers_read(program: Program, evaluator: Evaluator, numbers: Mapping[str, float]) -> Iterator[InputSchema]:
    """Yields the numeric inputs of a program that are neither 0 nor infinite here, and not those of another record."""
    for name, kind in program.inputs.items():
        schema = evaluator.schema.inputs[name]
        if kind == "number" and schema.quantity.kind in ("number", "whole") and not schema.record:
            value = numbers.get(name, math.nan)
            if math.isfinite(value) and value != 0:
                yield schema


def range_of(schema: InputSchema) -> tuple[float, float]:
    """The ends of what an input is declared to take, infinite where nothing bounds it."""
    if schema.allowed:
        return min(schema.allowed), max(schema.allowed)
    return schema.low or 0.0, math.inf if schema.high is None else schema.high


def domain_of(schema: InputSchema) -> tuple[float, float]:
    """The least and the greatest value that an input may have; numbers are at least 0 unless it says otherwise."""
    low, high = range_of(schema)
    return low, min(high, _LARGEST) if is_whole(schema, 1.0) and not schema.allowed else high


def is_whole(schema: InputSchema, value: float) -> bool:
    """Whether an input takes whole numbers alone: by its type, or as counts do."""
    counted = not schema.quantity.dimension and bool(schema.quantity.unit) and schema.quantity.scale == (1, 1)
    return schema.quantity.kind == "whole" or (counted and value == math.floor(value))


def nearest_allowed(schema: InputSchema, value: float, here: float) -> float:
    """The value that an input can take nearest to this one, on this side of the one that it has here."""
    if schema.allowed:
        beyond = [number for number in schema.allowed if (number - here) * (value - here) > 0]
        return min(beyond, key=lambda number: abs(number - value), default=here)
    low, high = domain_of(schema)
    if is_whole(schema, here):
        value = math.ceil(value) if value > here else math.floor(value)
    return min(max(value, low), high)
