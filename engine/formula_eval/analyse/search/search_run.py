"""Runs a search: finds the best configurations of a space for a goal, and reports on them and on all others."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from random import Random
from typing import Any

from formula_eval.analyse.dask_workers import Folders, Task, made_by_workers
from formula_eval.analyse.identity import Identity
from formula_eval.analyse.ineffective_inputs import Effects, effects_of
from formula_eval.analyse.search.bounding import Bounding
from formula_eval.analyse.search.enumeration import Enumeration, Piece, Pieces, Seen
from formula_eval.analyse.search.feasible_layouts import FeasibilityTest
from formula_eval.analyse.search.infeasibility import nearest_miss
from formula_eval.analyse.search.outcome import BestConfiguration, Outcome, Robustness, robustness
from formula_eval.analyse.search.ranked_rows import Candidates
from formula_eval.analyse.search.ranking import Ranked
from formula_eval.analyse.search.search_plan import Sought, plan_of
from formula_eval.analyse.search.search_space import SearchSpace
from formula_eval.analyse.sweep.counts import Tally
from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import refuse_lacking
from formula_eval.evaluate.vector import Array
from formula_eval.records.givens import Question

_MOST = 120_000_000_000  # values that are computed rather than bounded: those of two minutes or so
_MOST_AT_ALL = 1 << 62
_RIVALS = 20
_TRIED = 8  # configurations in which an option may count


class Search:
    """Searches a space: `run` computes the feasible configurations, or bounds them where they are too many.

    `found` says what it found so far. The workers of a Dask client compute any piece, and results merge in order: so
    the best, the front and the counts are those of one process. This process alone bounds.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        question: Question,
        space: SearchSpace,
        sought: Sought,
        client: Any = None,  # noqa: ANN401 - dask is optional
    ) -> None:
        """Read what is asked, and leave out what cannot be laid out.

        Raises FormulaError for a goal that is not a number, for unknown conditions, and for too large a space.
        """
        evaluator = evaluator.holding()
        self._asker, self._question, self._space, self._sought = evaluator, question, space, sought
        self._client = client
        self.plan = plan = plan_of(evaluator, question, space, sought)
        if plan.size > _MOST_AT_ALL:
            raise refuse("too-many", f"These values make {plan.size:.3g} configurations", help="Give fewer of them.")
        self._refuse_absent()
        self._test = FeasibilityTest(plan.evaluator, plan.beside, plan.wanted, plan.told)
        self._bounding = Bounding(plan, sought.seconds)
        self._looked: Enumeration | Bounding = self._bounding

    @cached_property
    def identity(self) -> Identity:
        """The identity of this search: the formulas, what is asked, and the values of all configurations."""
        plan = self.plan
        axes = [axis for region in plan.regions for axis in region.grid.axes]
        what = plan.goal, [constraint.text for constraint in plan.constraints], plan.first.values, axes
        return Identity.of(self._asker, self._question, what, goal=plan.goal.name, where=self._sought.where)

    @cached_property
    def task(self) -> Task:
        """What tells a worker of this search."""
        said = self._question, self._space, self._sought
        return Task(Folders.of(self._asker), Search, said, self.identity.digest)

    @property
    def size(self) -> int:
        """How many configurations there are."""
        return self.plan.size

    def run(self, tell: Callable[[int], object] = lambda _: None) -> None:
        """Search all configurations; calls `tell` with the number decided each time."""
        most = _MOST_AT_ALL if self._sought.anyway else _MOST // len(self.plan.program.names)
        whole = Enumeration.of(self.plan, self._pieces, most)
        if whole is None:
            self._bounding.run(tell)
            return
        self._looked = whole
        tell(self.size - whole.size)
        whole.run(tell, self._made)

    def _made(self, pieces: Iterable[Piece]) -> Iterator[Seen]:
        """Computes the pieces, in order."""
        if self._client is None:
            return map(self.seen, pieces)
        work = ((Search.seen, piece) for piece in pieces)
        return made_by_workers(self._client, self.task.made, work, self.identity, self.plan.evaluator.schema)

    def seen(self, piece: Piece) -> Seen:
        """Computes a piece."""
        return self._pieces.seen(piece)

    @cached_property
    def _pieces(self) -> Pieces:
        """The computer of the space's pieces."""
        return Pieces(self.plan, self._test)

    def found(self) -> Outcome:
        """The outcome so far.

        Raises FormulaError where the goal has no value in any configuration.
        """
        plan, ranked, counts, proof = self.plan, self._looked.leaders, self._looked.counts, self._looked.proof
        if counts.kept and not len(ranked):
            help_ = f"`formula-eval explain {plan.goal.name}` shows what it needs."
            raise refuse("no-quantity", f"`{plan.goal.name}` has no value in any configuration", help=help_)
        candidates = Candidates(plan, self._test)
        leaders, ends = candidates.rows(ranked, plan.group.interval)
        front, _ = candidates.rows(self._looked.front)
        return Outcome(
            goal=plan.goal,
            group=plan.group,
            columns=candidates.columns,
            leaders=leaders,
            front=front,
            best=self._best(candidates, ranked) if len(ranked) else None,
            counts=counts,
            demands=self._demands(counts),
            proof=proof,
            idle=plan.idle,
            robustness=self._robustness(ranked, *ends.values()) if ends else None,
            nearest=nearest_miss(plan, candidates, self._looked.near())
            if proof.is_proven and not len(ranked)
            else None,
        )

    def _demands(self, counts: Tally) -> dict[str, str]:
        """What each condition or check demands that excludes some, or has words of the space: in these, if it can."""
        words, text_of, checks = self._space.words, self.plan.program.text_of, self.plan.evaluator.schema.checks
        nodes = {constraint.text: constraint.node for constraint in self.plan.constraints}
        heeded = {text: f"{words[node]} ({node})" for text, node in nodes.items() if node in words and node != text}
        named = dict.fromkeys([*counts.unmet, *(text for text in nodes if text in words or text in heeded)])
        unmet = {name: heeded.get(name) or words.get(name, name) for name in named}
        return unmet | {name: words.get(name) or checks[name].told or text_of(name) for name in counts.refused}

    def effects(self) -> list[Effects]:
        """The effects of options on goal, columns and constraints, in the best configuration and some drawn ones."""
        plan, ranked, draw = self.plan, self._looked.leaders, Random(0)  # noqa: S311 - no secret
        places = [*zip(ranked.regions[:1].tolist(), ranked.codes[:1].tolist(), strict=True)]
        for _ in range(_TRIED):
            region = draw.randrange(len(plan.regions))
            places.append((region, draw.randrange(max(plan.regions[region].grid.size, 1))))
        asked = (plan.regions[region].question_at(code, plan.evaluator) for region, code in places)
        program = plan.program
        return effects_of(asked, lambda each: Effects(plan.evaluator, each, program, program.wanted, widely=True))

    def _best(self, candidates: Candidates, ranked: Ranked) -> BestConfiguration:
        question, evaluator = candidates.question(int(ranked.regions[0]), int(ranked.codes[0])), self.plan.evaluator
        result = evaluator.evaluate(evaluator.givens(question), [self.plan.goal.name], question.namespace)
        fixed = [name for name in self.plan.moved if name in question.values and name not in candidates.axes]
        return BestConfiguration(question, result.warnings(), {name: str(question.values[name]) for name in fixed})

    def _robustness(self, ranked: Ranked, low: Array, high: Array) -> Robustness | None:
        """How robust the first place is among the next few; None where there are none, or a value is not above 0."""
        some = slice(0, 1 + _RIVALS)
        values = ranked.values[0][some]
        if len(values) < 2 or not (values > 0).all():  # noqa: PLR2004 - the best and another one
            return None
        is_largest, is_rate = self.plan.goal.is_largest, self.plan.group.rate
        return robustness(values, low[some], high[some], self._sought.seed, is_largest=is_largest, is_rate=is_rate)

    def _refuse_absent(self) -> None:
        """Raise FormulaError where inputs that the goal requires were not given."""
        plan, given = self.plan, self.plan.first.values
        try:
            numbers = plan.program.evaluate(given)
        except FormulaError:
            return
        refuse_lacking(plan.wanted, numbers, plan.program, plan.evaluator.schema, plan.first)
