"""Evaluates quantities for a question, with nan for each that cannot be computed."""

import math
from collections.abc import Collection

from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question


def values_of(evaluator: Evaluator, question: Question | None, names: Collection[str]) -> dict[str, float]:
    """Their values in base units, computed one by one where they fail together; nan without a question."""
    if question is None:
        return dict.fromkeys(names, math.nan)
    ordered = sorted(set(names))
    try:
        found = evaluator.program(ordered).evaluate(evaluator.givens(question).values)
    except FormulaError:
        if len(ordered) == 1:
            return {ordered[0]: math.nan}
        return {name: value for each in ordered for name, value in values_of(evaluator, question, [each]).items()}
    return {name: float(found[name]) for name in ordered}
