"""Finds the best configuration of a space too large to enumerate, by branch and bound over its regions."""

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import numpy as np

from formula_eval.analyse.optimum.branch_and_bound import NO_VALUE, Aim, BranchAndBound, Optimum
from formula_eval.analyse.search.feasible_layouts import FeasibilityTest
from formula_eval.analyse.search.outcome import Proof
from formula_eval.analyse.search.ranking import Ranked
from formula_eval.analyse.search.search_plan import SearchPlan, Stage
from formula_eval.analyse.sweep.counts import Tally
from formula_eval.analyse.sweep.grid import Places


class Bounding:
    """Searches a space by bounding boxes of configurations; yields only the best one."""

    def __init__(self, plan: SearchPlan, seconds: float) -> None:
        """Search for at most so many seconds."""
        self._plan, self._seconds = plan, seconds
        goal, stage = plan.goal, Stage(0, plan.constraints)
        self._aim = Aim(goal.name, goal.is_largest, stage.conditions, stage.checks, plan.wanted, plan.told)

    @cached_property
    def _parts(self) -> list[BranchAndBound]:
        plan = self._plan
        return [BranchAndBound(plan.evaluator, each.grid, each.givens, self._aim) for each in plan.regions]

    def run(self, tell: Callable[[int], object]) -> None:
        """Search the regions; calls `tell` with the number of configurations decided each time."""
        end = time.monotonic() + self._seconds
        for number, part in enumerate(self._parts):
            self._share()
            part.run(max(0.0, end - time.monotonic()) / (len(self._parts) - number), tell)

    @property
    def leaders(self) -> Ranked:
        """The best configuration, if any was found; no runners-up are sought."""
        found = [(number, each) for number, each in enumerate(self._found()) if each.value is not None]
        if not found:
            return self.front
        number, best = found[0]
        values = tuple(np.array([best.value if each == self._plan.goal else np.nan]) for each in self._plan.ranked)
        return Ranked(values, np.array([number]), np.array([best.place]))

    @property
    def front(self) -> Ranked:
        """Always empty: other configurations of the front may be in boxes that were excluded."""
        return Ranked.none(2)

    @property
    def counts(self) -> Tally:
        """Why configurations were rejected, as far as that was determined."""
        tally = Tally(self._plan.size)
        checks = {each.name for each in self._aim.checks}
        for each in self._found():
            tally.add_reasons(each.counts)
            tally.kept += each.counts.kept
            for why, count in each.excluded.items():
                if why == NO_VALUE:
                    tally.failed[f"`{self._plan.goal.name}` has no value"] += count
                else:
                    (tally.refused if why in checks else tally.unmet)[why] += count
        return tally

    @property
    def proof(self) -> Proof:
        """The proof for the whole space."""
        found = self._found()
        bounds = [each.bound for each in found]
        return Proof(
            self._plan.size,
            sum(each.computed for each in found),
            sum(sum(each.excluded.values()) for each in found),
            sum(each.beaten for each in found),
            sum(each.left for each in found),
            max(bounds) if self._plan.goal.is_largest else min(bounds),
            by_bounds=True,
        )

    def near(self) -> Iterator[tuple[int, Places, Sequence[FeasibilityTest]]]:
        """Yields nothing: where no configuration meets every condition, boxes do not tell which came nearest."""
        yield from ()

    def _share(self) -> None:
        """Share the best value so far with each region."""
        known = [value for each in self._parts if (value := each.found().value) is not None]
        if known:
            best = max(known) if self._plan.goal.is_largest else min(known)
            for each in self._parts:
                each.hear_of(best)

    def _found(self) -> list[Optimum]:
        self._share()
        return [each.found() for each in self._parts]
