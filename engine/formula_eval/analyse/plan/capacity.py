"""Finds the largest rate of requests at which one replica meets the targets: more replicas share more, evenly."""

import math
from collections.abc import Mapping, Sequence

from formula_eval.analyse.plan.demand import Load
from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.views import View
from formula_eval.records.givens import Question

_DOUBLINGS, _HALVINGS = 40, 50
_SLACK = 1e-9


def most_rate(evaluator: Evaluator, question: Question, where: Sequence[str], load: Load, least: float) -> float:
    """The largest rate of one replica at which the conditions hold, given that they do at the `least`."""
    view = View(evaluator, where)
    program = view.program([each.node for each in view.conditions])
    given = {**view.givens(question).values, load.mean_rate: 0.0, load.replicas: 1.0}

    def keeps(rate: float) -> bool:
        try:
            found: Mapping[str, object] = program.evaluate({**given, load.rate: rate})
        except FormulaError:
            return False
        return all(found[each.node] for each in view.conditions)

    low, high = least, 2 * least
    for _ in range(_DOUBLINGS):
        if not keeps(high):
            break
        low, high = high, 2 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if keeps(middle) else (low, middle)
    return low


def fewest(rate: float, most: float) -> int:
    """The replicas that share a rate, none of which takes more than the most that it can."""
    return max(1, math.ceil(rate / most * (1 - _SLACK)))
