"""Sizes pools of workers apart: a plan of each pool's part of the requests, beside the plan of all."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from formula_eval.analyse.plan.demand import Pool, PoolsLayout
from formula_eval.analyse.plan.planned import Alternative, PooledFleet
from formula_eval.analyse.plan.values import values_of
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question
from formula_eval.records.values import InBaseUnits


def without_own(question: Question, layout: PoolsLayout) -> tuple[Question, Mapping[str, Any]]:
    """The question without what it says of single pools, and that."""
    own = {name for pool in layout.pools for name in pool.takes.values()}
    said = {name: value for name, value in question.values.items() if name in own}
    return question._replace(values={k: v for k, v in question.values.items() if k not in own}), said


def question_of_pool(evaluator: Evaluator, question: Question, pool: Pool, own: Mapping[str, Any]) -> Question:
    """The question of a pool's part of the requests; `own` is what was said of single pools."""
    computed = values_of(evaluator, question, pool.sets.values())
    sets = {name: InBaseUnits(computed[quantity]) for name, quantity in pool.sets.items()}
    takes = {name: own[said] for name, said in pool.takes.items() if said in own}
    return question._replace(values={**question.values, **pool.states, **sets, **takes})


def cheapest_pools(evaluator: Evaluator, layout: PoolsLayout, found: Sequence[Alternative]) -> PooledFleet | None:
    """The cheapest pools that meet the targets together; None where those of no accelerator do."""
    fleets = list(_fleets(evaluator, layout, [each for each in found if each.pool]))
    return min(fleets, key=lambda each: each.cost, default=None)


def _fleets(evaluator: Evaluator, layout: PoolsLayout, found: Sequence[Alternative]) -> Iterator[PooledFleet]:
    for _, pools in groupby(found, key=lambda each: each.varies[:-1]):
        parts = list(pools)
        if any(each.stops for each in parts):
            continue
        told = [values_of(evaluator, each.question, [layout.counts, layout.cost]) for each in parts]
        counts, costs = ([each[name] for each in told] for name in (layout.counts, layout.cost))
        yield PooledFleet(parts, counts, sum(costs))
