"""Finds the cheapest fleet of two accelerators: a small replica may take what is too little for another large one."""

import math
from collections.abc import Iterator, Sequence
from itertools import permutations
from time import monotonic
from typing import NamedTuple

from formula_eval.analyse.compare.configurations import Configuration
from formula_eval.analyse.plan.capacity import Capacity
from formula_eval.analyse.plan.demand import Demand, Load, MixLayout
from formula_eval.analyse.plan.planned import Alternative, FleetPart, MixedFleet
from formula_eval.analyse.plan.planner import Alternatives, at_rate
from formula_eval.analyse.plan.values import value_of, values_of
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question

_PARTS = 2  # of a fleet
_MOST_ACCELERATORS = 6  # the cheapest, which are searched once more for their smallest replica
_MOST_REPLICAS = 1000  # of one accelerator
_LITTLE = 1e-6  # of the requests: the replica that takes them is the smallest that keeps the targets


class _Replica(NamedTuple):
    """A replica that keeps the targets: whose alternative it is, its largest rate if alone, and what it costs."""

    told: Alternative
    question: Question
    most: float
    cost: float


def cheapest_mix(
    evaluator: Evaluator, demand: Demand, asked: Sequence[Configuration], found: Sequence[Alternative], end: float
) -> MixedFleet | None:
    """The cheapest fleet of two of these alternatives; None where one of them alone costs about as little.

    `asked` are the questions that they answer. Requests are shared in proportion to the most that each replica takes.
    Where a question says how many replicas there are, there is no other fleet; nor is one sought beyond the `end`, by
    the clock that `monotonic` reads.
    """
    load, mix = demand.layout.load, demand.layout.mix
    kept = [alternative for alternative in found if not alternative.stops][:_MOST_ACCELERATORS]
    if load is None or mix is None or any(load.replicas in configuration.question.values for configuration in asked):
        return None
    where = demand.layout.where
    replicas = list(_replicas(evaluator, kept, where, load, mix)) if len(kept) >= _PARTS else []
    if len(replicas) < _PARTS:
        return None
    told = values_of(evaluator, replicas[0].question, [load.rate, mix.premium])
    rate, alone = told[load.rate], min(value_of(evaluator, replica.question, mix.cost) for replica in replicas)
    worth = alone / (1 + told[mix.premium])  # what a mix has to cost less than
    if min(replica.cost / replica.most for replica in replicas) * rate >= worth:
        return None
    search = Alternatives(evaluator, demand)
    alike = {configuration.varies: at_rate(configuration.question, rate * _LITTLE, load) for configuration in asked}
    smallest: list[Alternative] = []
    for alternative in kept:
        if monotonic() > end:
            return None
        smallest.append(search.of(alike[tuple(alternative.varies)], alternative.varies))
    replicas += _replicas(evaluator, smallest, where, load, mix)
    fleets = [
        (of_large * large.cost + of_small * small.cost, (turn, of_large), (other, of_small))
        for (turn, large), (other, small) in permutations(enumerate(replicas), 2)
        if _may_share(large.told, small.told, mix)
        for of_large, of_small in _counts(large, small, rate)
    ]
    if not fleets:
        return None
    chosen = [(replicas[turn], count) for turn, count in min(fleets)[1:]]
    chosen.sort(key=lambda pair: pair[0].most * pair[1], reverse=True)
    parts = list(_parts(chosen, rate, load))
    cost = sum(value_of(evaluator, part.question, mix.cost) for part in parts)
    return MixedFleet(parts, cost, alone, mix) if cost < worth else None


def _replicas(
    evaluator: Evaluator, found: Sequence[Alternative], where: Sequence[str], load: Load, mix: MixLayout
) -> Iterator[_Replica]:
    for alternative in found:
        if alternative.question is None or alternative.stops or not alternative.most > 0:
            continue
        most = Capacity(evaluator, alternative.question, where, load).most_rate(1, alternative.most)
        cost = value_of(evaluator, alternative.question.at({load.replicas: 1.0}), mix.cost)
        if most > 0 and cost > 0:
            yield _Replica(alternative, alternative.question, most, cost)


def _may_share(one: Alternative, other: Alternative, mix: MixLayout) -> bool:
    """Whether they differ in their accelerators and what these cost, and in nothing else."""
    differ = {name for name, _ in {*one.varies} ^ {*other.varies}}
    return bool(differ) and differ <= {*mix.among}


def _counts(large: _Replica, small: _Replica, rate: float) -> Iterator[tuple[int, int]]:
    """How many replicas of one leave how many for the other."""
    for count in range(1, min(math.ceil(rate / large.most), _MOST_REPLICAS)):
        yield count, math.ceil((rate - count * large.most) / small.most)


def _parts(chosen: Sequence[tuple[_Replica, int]], rate: float, load: Load) -> Iterator[FleetPart]:
    whole = sum(count * replica.most for replica, count in chosen)
    for replica, count in chosen:
        asked = at_rate(replica.question, rate * count * replica.most / whole, load)
        yield FleetPart(replica.told.name, count, asked.at({load.replicas: float(count)}))
