"""A configuration to its neighbours: what another value of one input would give."""

import math
from collections.abc import Mapping
from collections.abc import Sequence

from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.givens import Givens
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.schema import CheckSchema
from formula_eval.evaluate.schema import InputSchema


def tried(
    program: Program, givens: Givens, checks: Sequence[CheckSchema], **changed: float
) -> Mapping[str, float] | None:
    """All numbers with some inputs changed; None where a check refuses that or it cannot be computed."""
    try:
        numbers = program.evaluate({**givens.values, **changed})
    except FormulaError:
        return None
    refused = (each for each in checks if each.level == "refuse" and numbers[each.name] == 0)
    return None if any(refused) else numbers


def smallest(
    program: Program,
    givens: Givens,
    checks: Sequence[CheckSchema],
    changed: InputSchema,
    holds: str,
    above: float = -math.inf,
) -> int | None:
    """The smallest whole value of an input, above some value, at which a flag holds; None if none does."""
    low, high = changed.low or 0, changed.high or 0
    for value in range(max(math.ceil(low), math.floor(above) + 1 if above > low else 0), math.floor(high) + 1):
        numbers = tried(program, givens, checks, **{changed.name: value})
        if numbers is not None and numbers[holds]:
            return value
    return None
