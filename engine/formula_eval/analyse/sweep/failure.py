"""Reports why configurations have no answer: raises where all lack an input, else explains the first failure."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from formula_eval.analyse.sweep.counts import Tally
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.result import refuse_lacking
from formula_eval.records.givens import Givens
from formula_eval.records.schema import Schema

Values = Mapping[str, Any]


def refuse_absent(
    wanted: Sequence[str], found: tuple[Values, Values], program: Program, schema: Schema, givens: Givens
) -> None:
    """Raise FormulaError, as for one configuration, where every configuration lacks a required input.

    `found` are the values that a program computed and those that it was given.
    """
    values, held = found
    numbers = {name: math.nan if np.isnan(value).all() else 0.0 for name, value in values.items()}
    numbers |= {name: 0.0 if name in held else math.nan for name in program.inputs}
    refuse_lacking(wanted, numbers, program, schema, givens)


def explained(
    tally: Tally,
    failed: Any,  # noqa: ANN401 - a flag or an array
    held: Values,
    shape: tuple[int, ...],
    program: Program,
) -> None:
    """Replace the count of unexplained failures by one under the message of the first of them."""
    count = tally.failed.pop("", 0)
    if not count:
        return
    lane = np.unravel_index(int(np.argmax(np.broadcast_to(failed, shape))), shape)
    one = {name: np.broadcast_to(value, shape)[lane].item() for name, value in held.items()}
    error = program.failure(one, ())
    tally.failed[error.diagnostics[0].message] += count
