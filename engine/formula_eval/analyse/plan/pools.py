"""Sizes pools of workers apart: a plan of each pool's part of the requests, beside the plan of all."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from formula_eval.analyse.plan.demand import PlanColumn, PlanLayout
from formula_eval.analyse.plan.planned import Alternative, PooledFleet
from formula_eval.analyse.plan.pools_layout import Pool, PoolsLayout
from formula_eval.analyse.plan.values import values_of
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question


def without_own(question: Question, layout: PoolsLayout) -> tuple[Question, Mapping[str, Any]]:
    """The question without what it says of single pools, and that."""
    own = {name for pool in layout.pools for name in pool.takes.values()}
    said = {name: value for name, value in question.values.items() if name in own}
    return question._replace(values={k: v for k, v in question.values.items() if k not in own}), said


def question_of_pool(evaluator: Evaluator, question: Question, pool: Pool, own: Mapping[str, Any]) -> Question:
    """The question of a pool's part of the requests; `own` is what was said of single pools."""
    computed = values_of(evaluator, question, pool.sets.values())
    takes = {name: own[said] for name, said in pool.takes.items() if said in own}
    stated = question._replace(values={**question.values, **pool.states})
    stated = stated.at({name: computed[quantity] for name, quantity in pool.sets.items()})
    return stated._replace(values={**stated.values, **takes})


def cheapest_pools(evaluator: Evaluator, layout: PoolsLayout, found: Sequence[Alternative]) -> PooledFleet | None:
    """The cheapest pools that meet the targets together; None where those of no accelerator do."""
    parts = [alternative for alternative in found if alternative.pool and alternative.pool != layout.together]
    fleets = list(_fleets(evaluator, layout, parts))
    return min(fleets, key=lambda fleet: fleet.cost, default=None)


def all_pools(layout: PlanLayout, pools: PoolsLayout, parts: Sequence[Alternative]) -> Alternative:
    """What pools take together: sums of what adds up, and what those that have a value of it agree on."""

    def value(column: PlanColumn, found: Sequence[float]) -> float:
        known = [number for number in found if not math.isnan(number)]
        if column.name in pools.sums:
            return sum(known) if known else math.nan
        return known[0] if len(set(known)) == 1 else math.nan

    values = [
        value(column, found) for column, *found in zip(layout.columns, *(part.values for part in parts), strict=True)
    ]
    varies = (*parts[0].varies[:-1], ("pool", pools.together))
    layouts = " + ".join(part.layout for part in parts)
    return Alternative(
        varies, None, values, is_proven=all(part.is_proven for part in parts), layout=layouts, pool=pools.together
    )


def _fleets(evaluator: Evaluator, layout: PoolsLayout, found: Sequence[Alternative]) -> Iterator[PooledFleet]:
    for _, pools in groupby(found, key=lambda alternative: alternative.varies[:-1]):
        parts = list(pools)
        if any(part.stops for part in parts):
            continue
        told = [values_of(evaluator, part.question, [layout.counts, layout.cost]) for part in parts]
        counts, costs = ([each[name] for each in told] for name in (layout.counts, layout.cost))
        yield PooledFleet(parts, counts, sum(costs))
