"""Enumerates the layouts of a space in boxes, and computes every configuration to find the best.

Of a box it keeps the best configurations, and the reasons why the others were rejected.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from formula_eval.analyse.search.feasible_layouts import Computed, FeasibilityTest, Sieve
from formula_eval.analyse.search.outcome import Proof
from formula_eval.analyse.search.ranking import Leaders, ParetoFront, Ranked
from formula_eval.analyse.search.search_plan import SearchPlan
from formula_eval.analyse.search.search_space import Goal
from formula_eval.analyse.sweep.counts import Tally
from formula_eval.analyse.sweep.grid import Places

_BOX = 1 << 17  # configurations that are computed at once
# What is computed one by one at once, and the share of a box that is so rather than the whole box.
_FLAT = 1 << 14
_SPARSE = 8
_KEPT = 1000


class Piece(NamedTuple):
    """A block of layouts of a region, given by its number, and how many configurations are computed in all."""

    region: int
    layouts: Places
    whole: int


class Seen(NamedTuple):
    """The results of a piece: how many configurations, the counts of those rejected, the best, and a front."""

    size: int
    counts: Tally
    leaders: Ranked
    front: Ranked


Making = Callable[[Iterable[Piece]], Iterator[Seen]]


class Best:
    """Collects the best configurations of a plan, and its front if it has one, as pieces arrive."""

    def __init__(self, plan: SearchPlan) -> None:
        """Start without any."""
        self.leaders = Leaders(_KEPT, [goal.is_largest for goal in plan.ranked])
        self.front = ParetoFront([goal.is_largest for goal in plan.group.front])


class Pieces:
    """Computes the pieces of a plan."""

    def __init__(self, plan: SearchPlan, test: FeasibilityTest) -> None:
        """Compute first what the constraints before the goal need, then this test of what they leave."""
        self._plan = plan
        self.before, self.test = FeasibilityTest(plan.evaluator, plan.before), test
        self._prepared: set[int] = set()

    def seen(self, piece: Piece) -> Seen:
        """Compute a piece."""
        region = self._plan.regions[piece.region]
        if piece.region not in self._prepared:
            self._prepared.add(piece.region)
            self.before.prepare(region, piece.whole, one_by_one=False)
            self.test.prepare(region, piece.whole, one_by_one=True)
        counts, best, layouts = Tally(), Best(self._plan), piece.layouts
        done = self.before(region, region.block(layouts))
        counts.add_reasons(done.tally)
        kept = done.kept.reshape(len(layouts), -1)
        some = kept.any(axis=1)
        layouts, kept = layouts[some], kept[some]
        codes = region.numbers(layouts)
        if _SPARSE * np.count_nonzero(kept) > kept.size:
            self._see(piece, codes, self.test(region, region.block(layouts), done.kept[some]), (counts, best))
        else:
            codes = codes[kept.ravel()]
            for start in range(0, len(codes), _FLAT):
                part = codes[start : start + _FLAT]
                self._see(piece, part, self.test(region, region.grid.at(part)), (counts, best))
        return Seen(len(piece.layouts) * region.beneath, counts, best.leaders.found, best.front.found)

    def _see(self, piece: Piece, codes: Places, done: Computed, into: tuple[Tally, Best]) -> None:
        """Keep the best of the computed configurations, which have these numbers."""
        counts, best = into
        counts.add_reasons(done.tally)
        counts.kept += done.tally.kept
        mine = codes[done.kept.ravel()]
        regions = np.full(len(mine), piece.region)

        def of(goals: Sequence[Goal]) -> Ranked:
            whole = (np.broadcast_to(np.asarray(done.values[goal.name], float), done.kept.shape) for goal in goals)
            return Ranked(tuple(array[done.kept] for array in whole), regions, mine)

        best.leaders.add(of(self._plan.ranked))
        if self._plan.group.front:
            best.front.add(of(self._plan.group.front))


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
        return sum(len(layouts) * region.beneath for region, layouts in self._layouts)

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
