"""Tries neighbours of a configuration: other values of its inputs, or other records."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import FormulaError
from formula_eval.core.option_names import option_of
from formula_eval.core.record_kind import kind_called
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.result import Result
from formula_eval.records.givens import Givens
from formula_eval.records.other_record import with_record, without_record
from formula_eval.records.schema import CheckSchema, InputSchema
from formula_eval.records.values import read_value

# Between what a largest value is looked for, and into how many parts it is told apart at least.
_SMALL, _LARGE = 2.0**-20, 2.0**50
_PARTS = 1000


class Neighbour(NamedTuple):
    """A neighbouring configuration: the options that lead to it, and all of its numbers."""

    options: str
    numbers: Mapping[str, float]


class Neighbours(NamedTuple):
    """Evaluates the neighbours of one configuration with a program that computes all checks."""

    program: Program
    givens: Givens
    numbers: Mapping[str, float]
    checks: Sequence[CheckSchema]
    evaluator: Evaluator

    @classmethod
    def around(cls, result: Result, evaluator: Evaluator) -> "Neighbours":
        """The neighbours of a result, with the checks that applied to it."""
        checks = [
            evaluator.schema.checks[check.name] for check in result.checks if check.name in evaluator.schema.checks
        ]
        program = evaluator.checked_program(tuple(result.values), checks)
        return cls(program, result.givens, result.numbers, checks, evaluator)

    def changed(self, changes: Mapping[str, Any]) -> Neighbour | None:
        """The neighbour with these inputs and records; None if nothing changes or a check objects.

        A text `=name` is the value of that quantity here.
        """
        givens, options = self.givens, []
        for name, said in changes.items():
            value = self.numbers[said[1:]] if isinstance(said, str) and said.startswith("=") else said
            kind = kind_called(name, self.evaluator.schema.kinds)
            try:
                other = (
                    self._with(givens, name, value)
                    if kind is None
                    else with_record(givens, kind.name, str(value), self.evaluator.schema, self.evaluator.library)
                )
            except FormulaError:
                return None
            if other is not None:
                givens = other
                options.append(f"{kind.option if kind else _option(name)} {_shown(value)}")
        return self._tried(givens, " ".join(options)) if options else None

    def without(self, kind: str) -> Neighbour | None:
        """The neighbour without a record and the values that its kind supplies; None where nobody set any."""
        schema = self.evaluator.schema
        givens, left_out = without_record(self.givens, kind, schema, self.evaluator.library)
        names = [schema.kinds[name].option if name in schema.kinds else _option(name) for name in left_out]
        return self._tried(givens, f"without {' '.join(names)}") if names else None

    def _with(self, givens: Givens, name: str, value: Any) -> Givens | None:  # noqa: ANN401 - as a report says it
        """The givens with another value of an input; None where it has that value anyway."""
        schema = self.evaluator.schema
        read = read_value(value, schema.inputs[name], schema.units, name)
        return None if self.numbers.get(name) == read else givens._replace(values={**givens.values, name: read})

    def _tried(self, givens: Givens, options: str) -> Neighbour | None:
        """All numbers; None where it cannot be computed, a check refuses it, or one warns that did not warn before."""
        numbers = self.program.attempt(givens.values)
        if numbers is None:
            return None
        against = (check for check in self.checks if check.level != "note" and numbers[check.name] == 0)
        if any(schema.level == "refuse" or self.numbers[schema.name] != 0 for schema in against):
            return None
        return Neighbour(options, numbers)

    def unset(self, names: Collection[str]) -> "Neighbours":
        """The neighbours of the configuration without these inputs set; raises FormulaError."""
        values = {name: value for name, value in self.givens.values.items() if name not in names}
        if values == self.givens.values:
            return self
        givens = self.givens._replace(values=values)
        return self._replace(givens=givens, numbers=self.program.evaluate(values))

    def at(self, name: str, value: float) -> Mapping[str, float] | None:
        """All numbers with another value of an input; None where it cannot be computed or a check refuses it."""
        numbers = self.program.attempt({**self.givens.values, name: value})
        if numbers is None or any(check.level == "refuse" and numbers[check.name] == 0 for check in self.checks):
            return None
        return numbers

    def largest(self, changed: InputSchema, holds: str) -> float | None:
        """The largest value of an input up to which a flag holds, of three digits unless whole; None if none does.

        Infinite where it holds up to the largest value that the input may have.
        """
        whole = changed.quantity.kind == "whole"
        low = max(changed.low or 0.0, 1.0 if whole else _SMALL)
        most = changed.high if changed.high is not None else _LARGE
        if not self._holds(changed.name, low, holds):
            return None
        high = 2 * low
        while high <= most and self._holds(changed.name, high, holds):
            low, high = high, 2 * high
        if high > most:
            return math.inf
        while high - low > (1.0 if whole else low / _PARTS):
            middle = (low + high) // 2 if whole else (low + high) / 2
            low, high = (middle, high) if self._holds(changed.name, middle, holds) else (low, middle)
        return low if whole else _rounded_down(low)

    def _holds(self, name: str, value: float, flag: str) -> bool:
        numbers = self.at(name, value)
        return numbers is not None and bool(numbers[flag])


def _rounded_down(value: float) -> float:
    """Three digits of a number, never more than it is."""
    digit = 10.0 ** (math.floor(math.log10(value)) - 2)
    return float(f"{math.floor(value / digit) * digit:.3g}")


def _option(name: str) -> str:
    """The option that sets an input, as it is typed."""
    return option_of(name.rpartition(".")[2])


def _shown(value: object) -> str:
    return f"{value:.15g}" if isinstance(value, float) else str(value)
