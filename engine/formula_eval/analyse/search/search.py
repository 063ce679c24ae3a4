"""A question, a space and a goal to the best configurations, block by block, and to what is told of them."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from formula_eval.analyse.search.candidate import Candidates
from formula_eval.analyse.search.leaders import Front, Leaders, Ranked
from formula_eval.analyse.search.nearest_miss import NearestMiss, nearest_miss
from formula_eval.analyse.search.outcome import Choice, Outcome
from formula_eval.analyse.search.region import Region
from formula_eval.analyse.search.robustness import Array, Robustness, robustness
from formula_eval.analyse.search.search_plan import Sought, plan_of
from formula_eval.analyse.search.search_space import Goal, SearchSpace
from formula_eval.analyse.search.sieve import Computed, Sieve, Test
from formula_eval.analyse.sweep.grid import Places
from formula_eval.analyse.sweep.tally import Tally
from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import refuse_lacking
from formula_eval.records.givens import Question

# What is computed at once: a box of configurations, or what is left of it one by one where that is one in so many.
_BOX = 1 << 17
_FLAT = 1 << 14
_SPARSE = 8
_MOST = 100_000_000
_MOST_AT_ALL = 1 << 62
_KEPT = 1000
_RIVALS = 20


class Search:
    """All configurations of a space; `run` looks through those that can be laid out, `found` says what it found."""

    def __init__(self, evaluator: Evaluator, question: Question, space: SearchSpace, sought: Sought) -> None:
        """Read what is asked, and leave out what cannot be laid out.

        Raises FormulaError for a goal that is no number, for conditions that there are not, and for too large a space.
        """
        self._sought = sought
        self.plan = plan = plan_of(evaluator, question, space, sought)
        if plan.size > _MOST_AT_ALL:
            raise refuse("too-many", f"These values make {plan.size:.3g} configurations", help="Give fewer of them.")
        self._ranked = [plan.goal, *([plan.group.then] if plan.group.then else [])]
        self._wanted = list(dict.fromkeys(each.name for each in (*self._ranked, *plan.group.front)))
        self._refuse_absent()
        self._counts = Tally(plan.size)
        self._layouts = self._laid_out()
        self._before = Test(plan.evaluator, plan.before)
        self._test = Test(plan.evaluator, plan.beside, self._wanted, plan.told)
        self._leaders = Leaders(_KEPT, [each.is_largest for each in self._ranked])
        self._front = Front([each.is_largest for each in plan.group.front])
        self._done = 0

    @property
    def size(self) -> int:
        """How many configurations can be laid out, which are those that `run` computes."""
        return sum(len(layouts) * each.beneath for each, layouts in self._layouts)

    def run(self, tell: Callable[[int], object] = lambda _: None) -> None:
        """Compute all of them; `tell` hears how many each time."""
        for number, region, layouts in self._boxes():
            self._compute(number, region, layouts)
            count = len(layouts) * region.beneath
            self._done += count
            tell(count)

    def found(self) -> Outcome:
        """What was found so far.

        Raises FormulaError where the goal has no value in any configuration.
        """
        plan, ranked = self.plan, self._leaders.found
        if self._counts.kept and not len(ranked):
            help_ = f"`formula-eval explain {plan.goal.name}` shows what it needs."
            raise refuse("no-quantity", f"`{plan.goal.name}` has no value in any configuration", help=help_)
        candidates = Candidates(plan, self._test)
        leaders, ends = candidates.rows(ranked, plan.group.interval)
        front, _ = candidates.rows(self._front.found)
        whole = self._done == self.size
        return Outcome(
            goal=plan.goal,
            group=plan.group,
            columns=candidates.columns,
            leaders=leaders,
            front=front,
            best=self._best(candidates, ranked) if len(ranked) else None,
            counts=self._counts,
            demands={each: plan.condition_of(each) for each in self._counts.refused},
            laid_out=self.size,
            done=self._done,
            robustness=self._robustness(ranked, *ends.values()) if ends else None,
            nearest=self._nearest(candidates) if whole and not len(ranked) else None,
        )

    def _laid_out(self) -> list[tuple[Region, Places]]:
        plan, found, left = self.plan, [], _MOST_AT_ALL if self._sought.anyway else _MOST
        for region in plan.regions:
            layouts = Sieve(plan.evaluator, plan.stages_of(region), region).layouts(self._counts, left)
            left -= len(layouts) * region.beneath
            found.append((region, layouts))
        return found

    def _boxes(self) -> Iterator[tuple[int, Region, Places]]:
        for number, (region, layouts) in enumerate(self._layouts):
            step = max(1, _BOX // region.beneath)
            for start in range(0, len(layouts), step):
                yield number, region, layouts[start : start + step]

    def _compute(self, number: int, region: Region, layouts: Places) -> None:
        """Compute what the constraints before the goal need, then the goal of what they leave."""
        done = self._before(region, region.block(layouts))
        self._counts.add_reasons(done.tally)
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
        self._counts.add_reasons(done.tally)
        self._counts.kept += done.tally.kept
        mine = codes[done.kept.ravel()]
        regions = np.full(len(mine), number)

        def of(goals: Sequence[Goal]) -> Ranked:
            whole = (np.broadcast_to(np.asarray(done.values[each.name], float), done.kept.shape) for each in goals)
            return Ranked(tuple(each[done.kept] for each in whole), regions, mine)

        self._leaders.add(of(self._ranked))
        if self.plan.group.front:
            self._front.add(of(self.plan.group.front))

    def _best(self, candidates: Candidates, ranked: Ranked) -> Choice:
        question, evaluator = candidates.question(int(ranked.regions[0]), int(ranked.codes[0])), self.plan.evaluator
        result = evaluator.evaluate(evaluator.givens(question), [self.plan.goal.name], question.namespace)
        warnings = [each.message for each in result.checks if each.level == "warn" and not each.ok]
        fixed = [name for name in self.plan.moved if name in question.values and name not in candidates.axes]
        return Choice(question, warnings, {name: str(question.values[name]) for name in fixed})

    def _robustness(self, ranked: Ranked, low: Array, high: Array) -> Robustness | None:
        """How robust the first place is among the next few; None where nobody is next, or a value is not above 0."""
        some = slice(0, 1 + _RIVALS)
        values = ranked.values[0][some]
        if len(values) < 2 or not (values > 0).all():  # noqa: PLR2004 - the best and another one
            return None
        is_largest, is_rate = self.plan.goal.is_largest, self.plan.group.is_rate
        return robustness(values, low[some], high[some], self._sought.seed, is_largest=is_largest, is_rate=is_rate)

    def _refuse_absent(self) -> None:
        """Raise FormulaError where nobody gave what the goal needs."""
        plan, given = self.plan, self.plan.first.values
        try:
            numbers = plan.program.evaluate(given)
        except FormulaError:
            return
        refuse_lacking(self._wanted, numbers, plan.program, plan.evaluator.schema, plan.first)

    def _nearest(self, candidates: Candidates) -> NearestMiss | None:
        """What comes nearest: of the layouts, or where there are none, of what was given up."""
        plan = self.plan
        if self.size:
            layouts = ((number, region.numbers(found)) for number, region, found in self._boxes())
            tests = (self._before, self._test)
            return nearest_miss(plan, candidates, ((number, codes, tests) for number, codes in layouts))
        sieves = (Sieve(plan.evaluator, plan.stages_of(each), each) for each in plan.regions)
        given_up = ((number, each.given_up(), each.tests) for number, each in enumerate(sieves))
        return nearest_miss(plan, candidates, given_up)
