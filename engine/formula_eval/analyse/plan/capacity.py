"""Finds the largest rate that replicas of a configuration take within the targets, and the fewest that take a rate."""

import math
from collections.abc import Mapping, Sequence

from formula_eval.analyse.plan.demand import Load, PlanCase, PlanLayout
from formula_eval.analyse.plan.values import values_of
from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.views import View
from formula_eval.records.givens import Question

_DOUBLINGS, _HALVINGS = 40, 30


def resized(evaluator: Evaluator, layout: PlanLayout) -> frozenset[str]:
    """The names of the cases that take another number of replicas, since the conditions depend on what they change."""
    if not layout.cases.cases:
        return frozenset()
    view = View(evaluator, layout.where)
    read = view.program([condition.node for condition in view.conditions]).inputs.keys()
    return frozenset(case.name for case in layout.cases.cases if not read.isdisjoint(case.scales))


def scaled_inputs(evaluator: Evaluator, question: Question, case: PlanCase, layout: PlanLayout) -> dict[str, float]:
    """The inputs that a case scales, each by its factor; no target that nobody states, which would become one."""
    given = evaluator.givens(question).values
    names = [scale for scale in case.scales if scale in given or scale not in layout.defaults]
    values = values_of(evaluator, question, names)
    return {name: values[name] * case.scales[name] for name in names if not math.isnan(values[name])}


class Capacity:
    """The rates at which a configuration meets the conditions, by its replicas: more of them never take less."""

    def __init__(self, evaluator: Evaluator, question: Question, where: Sequence[str], load: Load) -> None:
        """Let the rate and the replicas of this question vary."""
        view = View(evaluator, where)
        self._conditions = [condition.node for condition in view.conditions]
        self._program = view.program(self._conditions)
        self._given = {**view.givens(question).values, load.mean_rate: 0.0}
        self._load = load

    def keeps(self, rate: float, replicas: int) -> bool:
        """Whether so many replicas take this rate."""
        asked = {**self._given, self._load.rate: rate, self._load.replicas: float(replicas)}
        try:
            found: Mapping[str, object] = self._program.evaluate(asked)
        except FormulaError:
            return False
        return all(found[condition] for condition in self._conditions)

    def most_rate(self, replicas: int, near: float) -> float:
        """The largest rate that so many replicas take, sought from one near it; 0 where they take none."""
        low, high = (near, 2 * near) if self.keeps(near, replicas) else (0.0, near)
        for _ in range(_DOUBLINGS):
            if not low or not self.keeps(high, replicas):
                break
            low, high = high, 2 * high
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if self.keeps(middle, replicas) else (low, middle)
        return low

    def fewest(self, rate: float) -> int | None:
        """The fewest replicas that take a rate; None where no number of them does."""
        enough = 1
        while not self.keeps(rate, enough):
            enough *= 2
            if enough > 2**_DOUBLINGS:
                return None
        few = enough // 2
        while enough - few > 1:
            middle = (few + enough) // 2
            few, enough = (few, middle) if self.keeps(rate, middle) else (middle, enough)
        return enough
