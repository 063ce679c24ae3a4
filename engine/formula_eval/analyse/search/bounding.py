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
        return [BranchAndBound(plan.evaluator, region.grid, region.givens, self._aim) for region in plan.regions]

    def run(self, tell: Callable[[int], object]) -> None:
        """Search the regions; calls `tell` with the number of configurations decided each time."""
        end = time.monotonic() + self._seconds
        for number, part in enumerate(self._parts):
            self._share()
            part.run(max(0.0, end - time.monotonic()) / (len(self._parts) - number), tell)

    @property
    def leaders(self) -> Ranked:
        """The best configuration, if any was found; no runners-up are sought."""
        found = [(number, optimum) for number, optimum in enumerate(self._found()) if optimum.value is not None]
        if not found:
            return self.front
        number, best = found[0]
        values = tuple(np.array([best.value if goal == self._plan.goal else np.nan]) for goal in self._plan.ranked)
        return Ranked(values, np.array([number]), np.array([best.place]))

    @property
    def front(self) -> Ranked:
        """Always empty: other configurations of the front may be in boxes that were excluded."""
        return Ranked.none(2)

    @property
    def counts(self) -> Tally:
        """Why configurations were rejected, as far as that was determined."""
        tally = Tally(self._plan.size)
        checks = {check.name for check in self._aim.checks}
        for optimum in self._found():
            tally.add_reasons(optimum.counts)
            tally.kept += optimum.counts.kept
            for why, count in optimum.excluded.items():
                if why == NO_VALUE:
                    tally.failed[f"`{self._plan.goal.name}` has no value"] += count
                else:
                    (tally.refused if why in checks else tally.unmet)[why] += count
        return tally

    @property
    def proof(self) -> Proof:
        """The proof for the whole space."""
        found = self._found()
        bounds = [optimum.bound for optimum in found]
        return Proof(
            self._plan.size,
            sum(optimum.computed for optimum in found),
            sum(sum(optimum.excluded.values()) for optimum in found),
            sum(optimum.beaten for optimum in found),
            sum(optimum.left for optimum in found),
            max(bounds) if self._plan.goal.is_largest else min(bounds),
            by_bounds=True,
        )

    def near(self) -> Iterator[tuple[int, Places, Sequence[FeasibilityTest]]]:
        """Yields nothing: where no configuration meets every condition, boxes do not tell which came nearest."""
        yield from ()

    def _share(self) -> None:
        """Share the best value so far with each region."""
        known = [value for part in self._parts if (value := part.found().value) is not None]
        if known:
            best = max(known) if self._plan.goal.is_largest else min(known)
            for part in self._parts:
                part.hear_of(best)

    def _found(self) -> list[Optimum]:
        self._share()
        return [part.found() for part in self._parts]
