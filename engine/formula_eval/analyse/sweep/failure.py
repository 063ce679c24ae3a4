"""Configurations without an answer to what is wrong: said of the first of many, or raised where all lack it."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from formula_eval.analyse.sweep.tally import Tally
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.result import refuse_lacking
from formula_eval.records.givens import Givens
from formula_eval.records.schema import Schema

Values = Mapping[str, Any]


def refuse_absent(
    wanted: Sequence[str], found: tuple[Values, Values], program: Program, schema: Schema, givens: Givens
) -> None:
    """Raise FormulaError, as for one configuration, where nobody gave what is needed and every one lacks it.

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
    """Say in the counts, of configurations that could not be computed, what is wrong with the first of them."""
    count = tally.failed.pop("", 0)
    if not count:
        return
    lane = np.unravel_index(int(np.argmax(np.broadcast_to(failed, shape))), shape)
    one = {name: np.broadcast_to(value, shape)[lane].item() for name, value in held.items()}
    error = program.failure(one, ())
    tally.failed[error.diagnostics[0].message] += count
