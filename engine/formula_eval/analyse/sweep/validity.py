"""Decides which configurations of a block have an answer and meet every condition, and why others do not."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from formula_eval.analyse.perturbation import range_of
from formula_eval.analyse.sweep.counts import Tally
from formula_eval.core.graph import Node
from formula_eval.core.table import FILLED
from formula_eval.evaluate.program import Program
from formula_eval.records.schema import CheckSchema, InputSchema, Schema

Mask = NDArray[np.bool_]
Values = Mapping[str, Any]
Reasons = dict[str, Mask]


class LaneFaults(NamedTuple):
    """Marks, by input, where a required one is absent, and where a default falls outside its domain."""

    absent: Reasons
    beyond: Reasons

    def of(self, part: Callable[[Any], Any]) -> "LaneFaults":
        """The faults of some configurations, for which `part` slices an array."""
        return LaneFaults(*({why: part(mask) for why, mask in each.items()} for each in self))


class Judge:
    """Judges all lanes of a block at once, as `Evaluator.evaluate` does one configuration.

    `wanted` are the quantities that were asked for, `conditions` the flags that must hold, by what messages call them.
    """

    def __init__(
        self,
        program: Program,
        schema: Schema,
        wanted: Sequence[str],
        checks: Sequence[CheckSchema],
        conditions: Mapping[str, str],
    ) -> None:
        """Judge what this program computes."""
        self._program = program
        self._wanted = wanted
        self._checks = checks
        self._conditions = conditions
        self._inputs = [schema.inputs[name] for name in program.inputs]
        self._ancestors = cache(lambda quantity: frozenset(program.ancestors([quantity])))

    @cached_property
    def besides(self) -> tuple[str, ...]:
        """The further nodes to compute: inputs whose default may fall outside their domain."""
        bounded = [input_schema.name for input_schema in self._bounded]
        return (*bounded, *(row for row in map(_row, bounded) if row in self._program.inputs))

    @cached_property
    def ranges(self) -> dict[str, tuple[float, float]]:
        """The least and the greatest value that inputs may have where their default is one."""
        lone = (input_schema for input_schema in self._bounded if _row(input_schema.name) not in self._program.inputs)
        return {input_schema.name: range_of(input_schema) for input_schema in lone}

    @cached_property
    def _bounded(self) -> list[InputSchema]:
        return [
            input_schema
            for input_schema in self._inputs
            if input_schema.default and (input_schema.low is not None or input_schema.allowed)
        ]

    def judged(  # noqa: PLR0913, PLR0917 - what a block gives
        self,
        values: Values,
        failed: Any,  # noqa: ANN401 - a flag or an array
        held: Values,
        shape: tuple[int, ...],
        among: Mask | None = None,
        faults: LaneFaults | None = None,
    ) -> tuple[Mask, Tally]:
        """Which lanes of a block of this shape are kept, and the counts of all, or of those `among` alone."""
        absent, beyond = faults or self.faults(values, held)
        refused = self._unheeded("refuse", values, absent)
        reasons = {**beyond, **self._missing(values, absent)}
        refusing = _any(refused)
        for why, mask in reasons.items():
            reasons[why] = _both(mask, ~refusing)
        broken = _both(failed, ~(_any({**reasons, "": refusing})))
        lanes = np.True_ if among is None else among
        answered = _both(lanes, ~_any({**reasons, "": refusing, " ": broken}))
        holds = {text: _is_true(values[node]) for text, node in self._conditions.items()}
        kept = reduce(_both, holds.values(), answered)
        tried = _count(lanes, shape)
        tally = Tally(tried, _count(kept, shape), tried - _count(answered, shape))
        tally.unmet.update(_counted({text: _both(answered, ~mask) for text, mask in holds.items()}, shape))
        tally.refused.update(_counted({name: _both(lanes, mask) for name, mask in refused.items()}, shape))
        tally.failed.update(_counted({why: _both(lanes, mask) for why, mask in {**reasons, "": broken}.items()}, shape))
        warned = self._unheeded("warn", values, absent)
        tally.warned.update(_counted({name: _both(kept, mask) for name, mask in warned.items()}, shape))
        return np.broadcast_to(kept, shape), tally

    def explain(
        self,
        tally: Tally,
        failed: Any,  # noqa: ANN401 - a flag or an array
        held: Values,
        shape: tuple[int, ...],
    ) -> None:
        """Replace the count of unexplained failures by one under the message of the first of them."""
        count = tally.failed.pop("", 0)
        if not count:
            return
        lane = np.unravel_index(int(np.argmax(np.broadcast_to(failed, shape))), shape)
        one = {name: np.broadcast_to(value, shape)[lane].item() for name, value in held.items()}
        error = self._program.failure(one, ())
        tally.failed[error.diagnostics[0].message] += count

    def faults(self, values: Values, held: Values) -> LaneFaults:
        """The faults of inputs, from their values and the givens."""
        return LaneFaults(self._absent(held), self._beyond(values, held))

    def _unheeded(self, level: str, values: Values, absent: Reasons) -> Reasons:
        """Marks where each check of a level applies and does not hold."""
        holds = ((check.name, _is_true(values[check.name])) for check in self._checks if check.level == level)
        return {name: _both(~flag, self._speaks(name, absent)) for name, flag in holds if not flag.all()}

    def _absent(self, held: Values) -> Reasons:
        """Marks where each required input was not given."""
        absent = {name: np.isnan(held.get(name, np.nan)) for name in self._required}
        return {name: mask for name, mask in absent.items() if mask.any()}

    @cached_property
    def _required(self) -> list[str]:
        return [
            input_schema.name
            for input_schema in self._inputs
            if input_schema.is_required and not input_schema.is_open_choice
        ]

    def _speaks(self, check: str, absent: Reasons) -> Any:  # noqa: ANN401 - a flag or an array
        """Marks where a check has all inputs that it requires."""
        speaks: Any = np.True_
        for name, mask in absent.items():
            if name in self._ancestors(check):
                speaks = _both(speaks, ~mask)
        return speaks

    def _missing(self, values: Values, absent: Reasons) -> Reasons:
        """Marks where a wanted quantity has no value because an input is missing."""
        found: Reasons = {}
        for name, mask in absent.items():
            for quantity in self._wanted:
                lanes = mask & np.isnan(values[quantity])
                if lanes.any() and name in self._ancestors(quantity):
                    found[f"`{quantity}` needs `{name}`, which was not given"] = lanes
        return found

    def _beyond(self, values: Values, held: Values) -> Reasons:
        """Marks where a default falls outside its input's domain."""
        found: Reasons = {}
        for input_schema in self._bounded:
            is_default = np.isnan(held.get(input_schema.name, np.nan))
            if not is_default.any():
                continue
            wrong = ~allowed(values[input_schema.name], input_schema) & is_default
            row = _row(input_schema.name)
            if row in self._program.inputs:
                wrong = wrong & _is_true(values[row])
            if wrong.any():
                found[f"`{input_schema.name}` would be outside its range"] = wrong
        return found


def _row(name: str) -> str:
    """The name of the flag that says whether the row of a cell is present."""
    return f"{name.rpartition('.')[0]}.{FILLED}"


def allowed(value: Any, input_schema: InputSchema | Node) -> Any:  # noqa: ANN401 - a number or an array
    """Whether these values lie in an input's domain; absent ones pass."""
    if input_schema.allowed:
        return np.isin(value, input_schema.allowed) | np.isnan(value)
    held = np.asarray(value)
    beneath = held < (input_schema.low or 0.0)
    return ~(beneath | (held > input_schema.high)) if input_schema.high is not None else ~beneath


def _is_true(flag: Any) -> Any:  # noqa: ANN401 - a flag or an array
    held = np.asarray(flag)
    return held if held.dtype == bool else held == 1


def _both(one: Any, other: Any) -> Any:  # noqa: ANN401 - flags or arrays
    """`and` of two masks, at no cost where one is the same everywhere."""
    if not np.ndim(one):
        return other if one else np.False_
    if not np.ndim(other):
        return one if other else np.False_
    return one & other


def _any(masks: Reasons) -> Any:  # noqa: ANN401 - a flag or an array
    """`or` of all masks, with those of few lanes joined first."""
    held = sorted((mask for mask in masks.values() if np.any(mask)), key=np.size)
    return reduce(np.logical_or, held) if held else np.False_


def _count(mask: Any, shape: tuple[int, ...]) -> int:  # noqa: ANN401 - a flag or an array
    """Counts the lanes of a block where a mask holds, after broadcasting."""
    lanes = np.asarray(mask)
    return int(np.count_nonzero(lanes)) * (math.prod(shape) // max(lanes.size, 1))


def _counted(reasons: Reasons, shape: tuple[int, ...]) -> dict[str, int]:
    counts = {why: _count(mask, shape) for why, mask in reasons.items()}
    return {why: count for why, count in counts.items() if count}
