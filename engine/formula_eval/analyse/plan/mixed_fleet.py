"""Finds the cheapest fleet of two accelerators: a small replica may take what is too little for another large one."""

import math
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from formula_eval.analyse.compare.configurations import Configuration
from formula_eval.analyse.plan.capacity import Capacity
from formula_eval.analyse.plan.demand import Demand, Load, MixLayout
from formula_eval.analyse.plan.plan import Alternatives, at_rate, values_of
from formula_eval.analyse.plan.planned import Alternative, FleetPart, MixedFleet
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question
from formula_eval.records.values import InBaseUnits

_MOST_ACCELERATORS = 6  # the cheapest, which are searched once more
_MOST_REPLICAS = 1000  # of one accelerator
_LITTLE = 1e-6  # of the requests: the replica that takes them is the smallest that keeps the targets


class _Kind(NamedTuple):
    """A replica that keeps the targets: whose alternative it is, its largest rate if alone, and what it costs."""

    told: Alternative
    question: Question
    most: float
    cost: float


def cheapest_mix(
    evaluator: Evaluator, demand: Demand, asked: Sequence[Configuration], found: Sequence[Alternative]
) -> MixedFleet | None:
    """The cheapest fleet of two of these alternatives; None where one of them alone costs about as little.

    `asked` are the questions that they answer. Requests are shared in proportion to the most that each replica takes.
    Where a question says how many replicas there are, there is no other fleet.
    """
    load, mix = demand.layout.load, demand.layout.mix
    kept = [each for each in found if not each.stops][:_MOST_ACCELERATORS]
    if load is None or mix is None or any(load.replicas in each.question.values for each in asked):
        return None
    kinds = list(_kinds(evaluator, demand, kept))
    if len(kinds) < 2:  # noqa: PLR2004 - two accelerators
        return None
    told = values_of(evaluator, kinds[0].question, [load.rate, mix.premium])
    rate, alone = told[load.rate], min(values_of(evaluator, each.question, [mix.cost])[mix.cost] for each in kinds)
    most = alone / (1 + told[mix.premium])  # that a mix may cost
    if min(each.cost / each.most for each in kinds) * rate >= most:
        return None
    small = Alternatives(evaluator, demand)
    alike = {each.varies: at_rate(each.question, rate * _LITTLE, load) for each in asked}
    smallest = [small.of(alike[tuple(each.varies)], each.varies) for each in kept if tuple(each.varies) in alike]
    kinds += _kinds(evaluator, demand, smallest)
    fleets = [
        (of_large * large.cost + of_small * small.cost, (turn, of_large), (other, of_small))
        for (turn, large), (other, small) in permutations(enumerate(kinds), 2)
        if _may_share(large.told, small.told, mix)
        for of_large, of_small in _counts(large, small, rate)
    ]
    if not fleets:
        return None
    chosen = [(kinds[turn], count) for turn, count in min(fleets)[1:]]
    chosen.sort(key=lambda each: each[0].most * each[1], reverse=True)
    parts = list(_parts(chosen, rate, load))
    cost = sum(values_of(evaluator, each.question, [mix.cost])[mix.cost] for each in parts)
    return MixedFleet(parts, cost, alone, mix) if cost < most else None


def _kinds(evaluator: Evaluator, demand: Demand, found: Sequence[Alternative]) -> Iterator[_Kind]:
    load, mix = demand.layout.load, demand.layout.mix
    for each in found:
        if each.question is None or each.stops or not each.most > 0 or load is None or mix is None:
            continue
        most = Capacity(evaluator, each.question, demand.layout.where, load).most_rate(1, each.most)
        one = {**each.question.values, load.replicas: InBaseUnits(1.0)}
        cost = values_of(evaluator, each.question._replace(values=one), [mix.cost])[mix.cost]
        if most > 0 and cost > 0:
            yield _Kind(each, each.question, most, cost)


def _may_share(one: Alternative, other: Alternative, mix: MixLayout) -> bool:
    """Whether they differ in their accelerators and what these cost, and in nothing else."""
    differ = {name for name, _ in {*one.varies} ^ {*other.varies}}
    return bool(differ) and differ <= {*mix.among}


def _counts(large: _Kind, small: _Kind, rate: float) -> Iterator[tuple[int, int]]:
    """How many replicas of one leave how many for the other."""
    for count in range(1, min(math.ceil(rate / large.most), _MOST_REPLICAS)):
        yield count, math.ceil((rate - count * large.most) / small.most)


def _parts(chosen: Sequence[tuple[_Kind, int]], rate: float, load: Load) -> Iterator[FleetPart]:
    whole = sum(count * kind.most for kind, count in chosen)
    for kind, count in chosen:
        asked = at_rate(kind.question, rate * count * kind.most / whole, load)
        values = {**asked.values, load.replicas: InBaseUnits(float(count))}
        yield FleetPart(kind.told.name, count, asked._replace(values=values))
