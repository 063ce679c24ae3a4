"""Computes a block of layouts and keeps the best configurations, with the reasons why the others were rejected."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from formula_eval.analyse.search.feasible_layouts import Computed, FeasibilityTest
from formula_eval.analyse.search.ranking import Leaders, ParetoFront, Ranked
from formula_eval.analyse.search.search_plan import SearchPlan
from formula_eval.analyse.search.search_space import Goal
from formula_eval.analyse.sweep.counts import Tally
from formula_eval.analyse.sweep.grid import Places

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


class Best:
    """Collects the best configurations of a plan, and its front if it has one, as pieces arrive."""

    def __init__(self, plan: SearchPlan) -> None:
        """Start without any."""
        self.leaders = Leaders(_KEPT, [each.is_largest for each in plan.ranked])
        self.front = ParetoFront([each.is_largest for each in plan.group.front])


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
            whole = (np.broadcast_to(np.asarray(done.values[each.name], float), done.kept.shape) for each in goals)
            return Ranked(tuple(each[done.kept] for each in whole), regions, mine)

        best.leaders.add(of(self._plan.ranked))
        if self._plan.group.front:
            best.front.add(of(self._plan.group.front))
