"""A configuration to its neighbours: what another value of one input would give."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.program import Program
from formula_eval.records.givens import Givens
from formula_eval.records.schema import CheckSchema, InputSchema


class Neighbours(NamedTuple):
    """A program that computes all checks, and the configuration around which others are tried."""

    program: Program
    givens: Givens
    checks: Sequence[CheckSchema]

    def tried(self, name: str, value: float) -> Mapping[str, float] | None:
        """All numbers with one input changed; None where a check refuses that or it cannot be computed."""
        try:
            numbers = self.program.evaluate({**self.givens.values, name: value})
        except FormulaError:
            return None
        refused = any(each.level == "refuse" and numbers[each.name] == 0 for each in self.checks)
        return None if refused else numbers

    def smallest(self, changed: InputSchema, holds: str, above: float = -math.inf) -> int | None:
        """The smallest whole value of an input, above some value, at which a flag holds; None if none does."""
        low, high = changed.low or 0, changed.high or 0
        first = math.ceil(low) if above < low else math.floor(above) + 1
        for value in range(first, math.floor(high) + 1):
            numbers = self.tried(changed.name, value)
            if numbers is not None and numbers[holds]:
                return value
        return None
