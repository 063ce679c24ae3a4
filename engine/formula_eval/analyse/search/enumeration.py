"""The layouts of a space to its best configurations: each is computed, in boxes."""

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from formula_eval.analyse.search.leaders import Front, Leaders, Ranked
from formula_eval.analyse.search.proof import Proof
from formula_eval.analyse.search.region import Region
from formula_eval.analyse.search.search_plan import SearchPlan
from formula_eval.analyse.search.search_space import Goal
from formula_eval.analyse.search.sieve import Computed, Sieve, Test
from formula_eval.analyse.sweep.grid import Places
from formula_eval.analyse.sweep.tally import Tally

# What is computed at once: a box of configurations, or what is left of it one by one where that is one in so many.
_BOX = 1 << 17
_FLAT = 1 << 14
_SPARSE = 8
_KEPT = 1000


class Enumeration:
    """All configurations that can be laid out, computed one by one."""

    def __init__(self, plan: SearchPlan, test: Test, layouts: Sequence[Places], counts: Tally) -> None:
        """Compute the layouts of each region of a plan; `counts` tells of those that are excluded already."""
        self._plan = plan
        self._layouts = [*zip(plan.regions, layouts, strict=True)]
        self._before, self._test = Test(plan.evaluator, plan.before), test
        self._leaders = Leaders(_KEPT, [each.is_largest for each in plan.ranked])
        self._front = Front([each.is_largest for each in plan.group.front])
        self._done = 0
        self.counts = counts

    @classmethod
    def of(cls, plan: SearchPlan, test: Test, most: int) -> "Enumeration | None":
        """What computes all of a plan; None where more than so many configurations can be laid out."""
        counts, found = Tally(plan.size), []
        for region in plan.regions:
            layouts = Sieve(plan.evaluator, plan.stages_of(region), region).layouts(counts, most)
            if layouts is None:
                return None
            most -= len(layouts) * region.beneath
            found.append(layouts)
        return cls(plan, test, found, counts)

    @property
    def size(self) -> int:
        """How many configurations can be laid out, which are those that `run` computes."""
        return sum(len(layouts) * each.beneath for each, layouts in self._layouts)

    @property
    def leaders(self) -> Ranked:
        """The best of what was computed."""
        return self._leaders.found

    @property
    def front(self) -> Ranked:
        """Those that nothing beats in two quantities."""
        return self._front.found

    @property
    def proof(self) -> Proof:
        """What is known of all."""
        left = self.size - self._done
        none = -math.inf if self._plan.goal.is_largest else math.inf
        best = float(self.leaders.values[0][0]) if len(self.leaders) else none
        excluded = self.counts.tried - self.size
        return Proof(self.counts.tried, self._done, excluded, 0, left, -none if left else best, by_bounds=False)

    def run(self, tell: Callable[[int], object]) -> None:
        """Compute all of them; `tell` hears how many each time."""
        for region, layouts in self._layouts:
            size = len(layouts) * region.beneath
            self._before.prepare(region, size, one_by_one=False)
            self._test.prepare(region, size, one_by_one=True)
        for number, region, layouts in self._boxes():
            self._compute(number, region, layouts)
            count = len(layouts) * region.beneath
            self._done += count
            tell(count)

    def near(self) -> Iterator[tuple[int, Places, Sequence[Test]]]:
        """What to look through for the nearest miss: the layouts, or where there are none, what was given up."""
        if self.size:
            for number, region, layouts in self._boxes():
                yield number, region.numbers(layouts), (self._before, self._test)
            return
        for number, region in enumerate(self._plan.regions):
            sieve = Sieve(self._plan.evaluator, self._plan.stages_of(region), region)
            yield number, sieve.given_up(), sieve.tests

    def _boxes(self) -> Iterator[tuple[int, Region, Places]]:
        for number, (region, layouts) in enumerate(self._layouts):
            step = max(1, _BOX // region.beneath)
            for start in range(0, len(layouts), step):
                yield number, region, layouts[start : start + step]

    def _compute(self, number: int, region: Region, layouts: Places) -> None:
        """Compute what the constraints before the goal need, then the goal of what they leave."""
        done = self._before(region, region.block(layouts))
        self.counts.add_reasons(done.tally)
        kept = done.kept.reshape(len(layouts), -1)
        some = kept.any(axis=1)
        layouts, kept = layouts[some], kept[some]
        codes = region.numbers(layouts)
        if _SPARSE * np.count_nonzero(kept) > kept.size:
            box = region.block(layouts)
            self._see(number, codes, self._test(region, box, done.kept[some]))
            return
        codes = codes[kept.ravel()]
        for start in range(0, len(codes), _FLAT):
            part = codes[start : start + _FLAT]
            self._see(number, part, self._test(region, region.lanes(part)))

    def _see(self, number: int, codes: Places, done: Computed) -> None:
        """Keep the best of what was computed of a region, whose configurations these numbers are."""
        self.counts.add_reasons(done.tally)
        self.counts.kept += done.tally.kept
        mine = codes[done.kept.ravel()]
        regions = np.full(len(mine), number)

        def of(goals: Sequence[Goal]) -> Ranked:
            whole = (np.broadcast_to(np.asarray(done.values[each.name], float), done.kept.shape) for each in goals)
            return Ranked(tuple(each[done.kept] for each in whole), regions, mine)

        self._leaders.add(of(self._plan.ranked))
        if self._plan.group.front:
            self._front.add(of(self._plan.group.front))
