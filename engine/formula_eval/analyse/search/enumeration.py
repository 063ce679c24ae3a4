"""Enumerates the layouts of a space in boxes, and computes every configuration to find the best."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence

from formula_eval.analyse.search.feasible_layouts import FeasibilityTest, Sieve
from formula_eval.analyse.search.layout_block import Best, Piece, Pieces, Seen
from formula_eval.analyse.search.outcome import Proof
from formula_eval.analyse.search.ranking import Ranked
from formula_eval.analyse.search.search_plan import SearchPlan
from formula_eval.analyse.sweep.counts import Tally
from formula_eval.analyse.sweep.grid import Places

_BOX = 1 << 17  # configurations that are computed at once
Making = Callable[[Iterable[Piece]], Iterator[Seen]]


class Enumeration:
    """Computes all feasible configurations one by one."""

    def __init__(self, plan: SearchPlan, pieces: Pieces, layouts: Sequence[Places], counts: Tally) -> None:
        """Enumerate the layouts of each region of a plan; `counts` holds those already excluded."""
        self._plan = plan
        self._layouts = [*zip(plan.regions, layouts, strict=True)]
        self._pieces, self._best = pieces, Best(plan)
        self._done = 0
        self.counts = counts

    @classmethod
    def of(cls, plan: SearchPlan, pieces: Pieces, most: int) -> "Enumeration | None":
        """The enumeration of a plan; None where more than `most` configurations are feasible."""
        counts, found = Tally(plan.size), []
        for region in plan.regions:
            layouts = Sieve(plan.evaluator, plan.stages_of(region), region).layouts(counts, most)
            if layouts is None:
                return None
            most -= len(layouts) * region.beneath
            found.append(layouts)
        return cls(plan, pieces, found, counts)

    @property
    def size(self) -> int:
        """The number of feasible configurations, which are those that `run` computes."""
        return sum(len(layouts) * each.beneath for each, layouts in self._layouts)

    @property
    def leaders(self) -> Ranked:
        """The best configurations computed."""
        return self._best.leaders.found

    @property
    def front(self) -> Ranked:
        """The Pareto front in two quantities."""
        return self._best.front.found

    @property
    def proof(self) -> Proof:
        """The proof for the whole space."""
        left = self.size - self._done
        none = -math.inf if self._plan.goal.is_largest else math.inf
        best = float(self.leaders.values[0][0]) if len(self.leaders) else none
        excluded = self.counts.tried - self.size
        return Proof(self.counts.tried, self._done, excluded, 0, left, -none if left else best, by_bounds=False)

    def run(self, tell: Callable[[int], object], made: Making) -> None:
        """Compute all of them; calls `tell` with each number computed. `made` computes what is found in pieces."""
        for seen in made(self._cut()):
            self.counts.add(seen.counts)
            self._best.leaders.add(seen.leaders)
            self._best.front.add(seen.front)
            self._done += seen.size
            tell(seen.size)

    def near(self) -> Iterator[tuple[int, Places, Sequence[FeasibilityTest]]]:
        """Yields the blocks to search for the nearest miss: the layouts, or without any, what the sieve gave up."""
        if self.size:
            for piece in self._cut():
                region = self._plan.regions[piece.region]
                yield piece.region, region.numbers(piece.layouts), (self._pieces.before, self._pieces.test)
            return
        for number, region in enumerate(self._plan.regions):
            sieve = Sieve(self._plan.evaluator, self._plan.stages_of(region), region)
            yield number, sieve.given_up(), sieve.tests

    def _cut(self) -> Iterator[Piece]:
        for number, (region, layouts) in enumerate(self._layouts):
            step = max(1, _BOX // region.beneath)
            for start in range(0, len(layouts), step):
                yield Piece(number, layouts[start : start + step], len(layouts) * region.beneath)
