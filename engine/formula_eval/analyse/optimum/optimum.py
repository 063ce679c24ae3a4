"""A question with several values, and a goal, to the best of all its configurations and whether that is proven."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from formula_eval.analyse.optimum.branch_and_bound import Aim, BranchAndBound, Optimum
from formula_eval.analyse.sweep.grid import Grid, grid_of
from formula_eval.analyse.sweep.lane_givens import LaneGivens
from formula_eval.evaluate.conditioned import Conditioned
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question


class Wish(NamedTuple):
    """The least of a quantity, or the largest, where conditions hold; it is looked for so many seconds at most."""

    goal: str
    is_largest: bool = False
    where: Sequence[str] = ()
    seconds: float = np.inf


def optimum(
    evaluator: Evaluator, question: Question, wish: Wish, tell: Callable[[int], object] = lambda _: None
) -> tuple[Optimum, Question | None]:
    """The best configuration among all combinations of the values in a question, and its own question.

    Raises FormulaError for values, quantities or conditions that there are not.
    """
    conditioned = Conditioned(evaluator, wish.where, question.namespace, [wish.goal])
    grid = grid_of(question, evaluator.schema)
    givens = LaneGivens(conditioned, grid)
    speaking = conditioned.speaking([wish.goal], givens.first(), question.namespace)
    conditions = {each.text: each.node for each in conditioned.conditions}
    aim = Aim(wish.goal, wish.is_largest, conditions, [each for each in speaking if each.level == "refuse"])
    search = BranchAndBound(conditioned, grid, givens, aim)
    search.run(wish.seconds, tell)
    found = search.found()
    return found, None if found.place is None else question_at(grid, found.place, evaluator)


def question_at(grid: Grid, place: int, evaluator: Evaluator) -> Question:
    """The question of the configuration at a place of a grid."""
    places = np.unravel_index(place, [each.size for each in grid.dimensions]) if grid.dimensions else ()
    chosen = {
        axis.name: int(at) for at, dimension in zip(places, grid.dimensions, strict=True) for axis in dimension.axes
    }
    return grid.question_at(chosen, evaluator.schema)
