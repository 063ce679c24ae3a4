"""Shares the time of a plan among its alternatives: those that can cost least come first, those already beaten last."""

import math
from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import TypeVar

from formula_eval.analyse.compare.configurations import Configuration
from formula_eval.analyse.plan.demand import Demand
from formula_eval.analyse.plan.planned import Alternative
from formula_eval.analyse.plan.planner import SECONDS, cost_of
from formula_eval.analyse.plan.values import values_of
from formula_eval.evaluate.evaluator import Evaluator

_Search = TypeVar("_Search")
_Cost = tuple[int, float]


def turns(
    searches: Sequence[_Search], end: float, later: int = 0, beaten: Callable[[_Search], object] = lambda _: False
) -> Iterator[tuple[_Search, float]]:
    """The searches in turn, each with its share of the seconds until the `end` that are left for them.

    As many `later` ones have a share too. What is `beaten` has its turn when nothing else waits. Those beyond the time
    have none: what each costs besides its seconds is counted as the dearest so far took.
    """
    begin = monotonic()
    end = begin + max(0.0, end - begin) * len(searches) / ((len(searches) + later) or 1)
    waiting, dearest = list(searches), 0.0
    while waiting:
        start = monotonic()
        hopeful = [turn for turn, search in enumerate(waiting) if not beaten(search)] or range(len(waiting))
        seconds = max(0.0, end - dearest / 2 - start) / len(hopeful) if end < math.inf else SECONDS
        yield waiting.pop(hopeful[0]), seconds
        dearest = max(dearest, monotonic() - start)


class Standings:
    """Tells which alternatives cannot be the cheapest any more, by what each takes at least; all can without a bound.

    Only those compare that differ in nothing but records of the kinds that the accelerators of a mix differ in.
    """

    def __init__(self, evaluator: Evaluator, demand: Demand, asked: Sequence[Configuration]) -> None:
        """Bound each of the alternatives, but of a day by the hour, whose cost is not that of the busiest hour."""
        self._evaluator, self._layout = evaluator, demand.layout
        least = None if demand.rates else demand.layout.least
        self._names = least.bounds if least else ()
        self._bounds = {one.varies: self._least(one, self._names) for one in asked} if self._names else {}
        self._best: dict[tuple[tuple[str, str], ...], tuple[_Cost, str]] = {}  # of those alike, with its name

    def in_order(self, asked: Sequence[Configuration]) -> list[Configuration]:
        """The alternatives, those first that can cost least, or do before a search; those without a cost last."""
        return sorted(asked, key=lambda one: self._bounds.get(one.varies) or self._least(one, self._layout.orders))

    def add(self, found: Alternative, asked: Configuration) -> None:
        """Count an alternative that was searched, if it is the cheapest of those alike."""
        cost = cost_of(self._evaluator, found, self._layout)
        if self._bounds and not found.stops and cost < self._best.get(self._alike(asked), ((math.inf,),))[0]:
            self._best[self._alike(asked)] = cost, found.name

    def beaten(self, asked: Configuration) -> str:
        """Why the alternative cannot be the cheapest; nothing where it may be."""
        best = self._best.get(self._alike(asked))
        if best is None or self._layout.least is None or self._bounds[asked.varies] < best[0]:
            return ""
        is_ranked = self._bounds[asked.varies][0] == best[0][0]
        return (self._layout.least.beaten if is_ranked else self._layout.least.unranked).replace("{best}", best[1])

    def _alike(self, asked: Configuration) -> tuple[tuple[str, str], ...]:
        among = self._layout.mix.among if self._layout.mix else ()
        return tuple(pair for pair in asked.varies if pair[0] not in among)

    def _least(self, asked: Configuration, names: Sequence[str]) -> _Cost:
        """The first of the quantities that has a value, behind its turn."""
        found = values_of(self._evaluator, asked.question, names)
        known = ((turn, found[name]) for turn, name in enumerate(names) if not math.isnan(found[name]))
        return next(known, (len(names), 0.0))
