"""Plans capacity: searches each accelerator and engine for its best configuration, and evaluates it at other loads."""

import math
from collections.abc import Callable, Mapping, Sequence

from formula_eval.analyse.ineffective_inputs import Effects, effects_of
from formula_eval.analyse.plan.capacity import Capacity, resized, scaled_inputs
from formula_eval.analyse.plan.demand import (
    AVERAGE,
    BUSIEST,
    Commitment,
    DayLayout,
    Demand,
    Load,
    PlanCase,
    PlanLayout,
    SentencePart,
    hours_of,
)
from formula_eval.analyse.plan.planned import Alternative, HourSums, PlannedDay, day_of
from formula_eval.analyse.plan.values import said, untold, value_of, values_of
from formula_eval.analyse.search.infeasibility import NearestMiss
from formula_eval.analyse.search.outcome import Outcome
from formula_eval.analyse.search.search_plan import Sought
from formula_eval.analyse.search.search_run import Search
from formula_eval.analyse.search.search_space import Goal, GoalGroup
from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.core.namespace import in_words
from formula_eval.core.option_names import option_of
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.example_value import example_of
from formula_eval.records.givens import Question

MOST = 400  # alternatives of a plan, each of which is searched
SECONDS = 60.0  # for each of them, unless somebody says how long all of them may take
_QUIET = 1e-9  # requests a second with which an hour without any is computed: one replica stays, and is idle
_MOST_COUNTED = 24  # replicas, for each number of which a day says what it takes
_MOST_EFFECTS = 50  # configurations in which an option may count


def told_effects(evaluator: Evaluator, layout: PlanLayout, found: Sequence[Alternative]) -> list[Effects]:
    """The effects of options on the columns and the average load, in each alternative at each hour."""
    asked = [hour for one in found for hour in one.hours.values() if hour is not None]
    average = [layout.load.average] if layout.load else []
    idle = [layout.day.idle] if layout.day and any(one.day for one in found) else []
    names = list(dict.fromkeys([*(column.name for column in layout.columns), *average, *filter(None, idle)]))
    return effects_of(asked, lambda question: Effects.of(evaluator, question, names, names, named=False))


def named_by(evaluator: Evaluator, question: Question, kind: str) -> Sequence[tuple[str, str]]:
    """The record that names the single alternative of a plan."""
    file = evaluator.givens(question).files.get(kind)
    return ((kind, file.id),) if file else ()


def refuse_no_requests(evaluator: Evaluator, question: Question, load: Load) -> None:
    """Raise FormulaError where no requests arrive."""
    if value_of(evaluator, question, load.rate) > 0:
        return
    busiest, mean, peak = (option_of(text) for text in (load.rate, load.mean_rate, load.peak))
    example = example_of(evaluator.schema.inputs[load.rate], evaluator.schema.units, 40)
    help_ = f"Give the busiest hour's, {busiest} '{example}', or {mean} and {peak}."
    raise refuse("missing-value", "A plan needs requests, and none arrive", help=help_)


class Alternatives:
    """Finds what one accelerator and engine takes; `effects` are of what decides, in some configurations."""

    def __init__(self, evaluator: Evaluator, demand: Demand) -> None:
        """Search for this demand."""
        self._evaluator = evaluator
        self._demand = demand
        self._resized = resized(evaluator, demand.layout)
        self.effects: list[Effects] = []  # of what decides, in some configurations of some searches

    def of(self, question: Question, varies: Sequence[tuple[str, str]], seconds: float = SECONDS) -> Alternative:
        """The best configuration of a question found within so long, or what stops the one that comes nearest."""
        columns = self._demand.layout.columns
        nothing = [math.nan for _ in columns]
        try:
            found = self._searched(question, seconds)
        except FormulaError as error:
            kinds = self._evaluator.schema.kinds
            if any(fault.code == "unknown-record" or fault.subject in kinds for fault in error.diagnostics):
                raise
            return Alternative(varies, None, nothing, [diagnostic.message for diagnostic in error.diagnostics])
        if found.best is None:
            if found.nearest is None:
                none = "Nothing was found that meets every condition."
                return Alternative(varies, None, nothing, [none], found.proof.is_proven)
            asks, stops = found.nearest.question, self._in_words(found.nearest)
            if self._demand.layout.solved is not None or self._is_refused(asks):
                return Alternative(varies, None, nothing, stops, found.proof.is_proven)
            return self._told(varies, asks, {BUSIEST: asks}, stops, found.proof.is_proven)
        best, load = self._with_solved(found.best.question), self._demand.layout.load
        if load is None:
            return self._told(varies, best, {BUSIEST: best}, (), found.proof.is_proven)
        numbers = values_of(self._evaluator, best, [load.average, load.rate, load.replicas])
        rate, replicas = numbers[load.rate], numbers[load.replicas]
        capacity = Capacity(self._evaluator, best, self._demand.layout.where, load)
        average = at_rate(best, numbers[load.average], load)
        others = {case.name: self._in_case(best, case, load) for case in self._demand.layout.cases.cases}
        hours = {BUSIEST: best, AVERAGE: average, **others}
        told = self._told(varies, best, hours, (), found.proof.is_proven)
        most = capacity.most_rate(int(replicas), rate) / replicas
        return told._replace(most=most, day=self._day(best, load, capacity))

    def _is_refused(self, question: Question) -> bool:
        """Whether a check refuses the question, so that no number of it means anything."""
        try:
            self._evaluator.evaluate(
                self._evaluator.givens(question), self._demand.layout.goals[-1:], question.namespace
            )
        except FormulaError as error:
            return any(diagnostic.code == "refused" for diagnostic in error.diagnostics)
        return False

    def _in_words(self, nearest: NearestMiss) -> list[str]:
        """What a configuration fails at, conditions by the sentences about those that miss them."""
        misses = {miss.where: SentencePart(miss.says, unit=miss.unit) for miss in self._demand.layout.verdict.misses}
        parts = ([misses[name]] if name in misses else [] for name in nearest.unmet)
        told = (said(part, nearest.question, self._evaluator) for part in parts)
        return [text or stop for text, stop in zip(told, nearest.stops, strict=True)]

    def _told(
        self,
        varies: Sequence[tuple[str, str]],
        question: Question,
        hours: Mapping[str, Question | None],
        stops: Sequence[str],
        is_proven: bool,  # noqa: FBT001 - a field of what comes out
    ) -> Alternative:
        """An alternative with its values at each hour."""
        columns = self._demand.layout.columns
        found = {
            hour: values_of(
                self._evaluator, hours.get(hour), [column.name for column in columns if column.hour == hour]
            )
            for hour in hours_of(self._demand.layout.cases)
        }
        absent = untold(columns, question, self._evaluator)
        values = [
            math.nan if (column.name, column.hour, column.when) in absent else found[column.hour][column.name]
            for column in columns
        ]
        said = ((name, question.values.get(name)) for name in self._demand.layout.inputs)
        words = ((in_words(name), value) for name, value in said if value is not None)
        layout = ", ".join(f"{word} {value}" for word, value in words)
        layout = layout or self._demand.layout.plain
        return Alternative(varies, question, values, stops, is_proven, layout, hours, self._warnings(question))

    def _warnings(self, question: Question) -> list[str]:
        """The warnings of checks for the columns of the busiest hour; none where some cannot be computed."""
        names = [column.name for column in self._demand.layout.columns if column.hour == BUSIEST]
        try:
            result = self._evaluator.evaluate(self._evaluator.givens(question), names, question.namespace)
        except FormulaError:
            return []
        return result.warnings()

    def _searched(self, question: Question, seconds: float) -> Outcome:
        """The best configuration for the first goal that has a value."""
        layout, solved = self._demand.layout, self._demand.layout.solved
        where = (*layout.where, *([solved.where] if solved else ()))
        group = GoalGroup(("*",), where=where, still=tuple(layout.still), then=layout.then)
        space = self._demand.space._replace(groups=(group,), goals=())
        goal = Goal(solved.goal, is_largest=True) if solved else self._usual_goal(question)
        search = Search(self._evaluator, question, space, Sought(goal, seconds=seconds))
        search.run()
        if len(self.effects) < _MOST_EFFECTS:
            self.effects += search.effects()
        return search.found()

    def _usual_goal(self, question: Question) -> Goal:
        goals = self._demand.layout.goals
        known = values_of(self._evaluator, question, goals)
        return Goal(next((name for name in goals if not math.isnan(known[name])), goals[-1]), is_largest=False)

    def _with_solved(self, best: Question) -> Question:
        solved = self._demand.layout.solved
        if solved is None:
            return best
        return solved.with_most(best, value_of(self._evaluator, best, solved.most))

    def _fewest(self, best: Question, rate: float, load: Load, capacity: Capacity) -> Question | None:
        """The question of this configuration with the replicas for another rate; None where so many are refused."""
        replicas = capacity.fewest(rate)
        if replicas is None:
            return None
        other = at_rate(best, rate, load).at({load.replicas: float(replicas)})
        try:
            self._evaluator.evaluate(self._evaluator.givens(other), [load.replicas], other.namespace)
        except FormulaError:
            return None
        return other

    def _in_case(self, best: Question, case: PlanCase, load: Load) -> Question | None:
        """The question of this configuration in a case; None where no number of replicas is enough."""
        asked = best.at(scaled_inputs(self._evaluator, best, case, self._demand.layout))
        rate = values_of(self._evaluator, asked, [load.rate])[load.rate]
        if case.name not in self._resized:
            return asked
        return self._fewest(asked, rate, load, Capacity(self._evaluator, asked, self._demand.layout.where, load))

    def _day(self, best: Question, load: Load, capacity: Capacity) -> PlannedDay | None:
        """The day that is asked for with this configuration, and what its replicas take by their number."""
        layout = self._demand.layout.day
        if layout is None or not self._demand.rates:
            return None
        busiest = max(self._demand.rates)
        counts = range(1, 1 + min(_MOST_COUNTED, capacity.fewest(busiest) or 1))
        day = self._cheapest_day(best, load, capacity, layout)
        return day._replace(takes=[capacity.most_rate(count, busiest) for count in counts])

    def _cheapest_day(self, best: Question, load: Load, capacity: Capacity, layout: DayLayout) -> PlannedDay:
        """The day with the commitment that makes it cheapest, where the price is one with a commitment."""
        commitment = layout.commitment
        if commitment is None or not self._commits(best, commitment):
            return self._day_of(best, best, load, capacity, layout)
        busy = [self._fewest(best, rate, load, capacity) for rate in {*self._demand.rates} - {0.0}]
        counts = sorted({value_of(self._evaluator, question, commitment.counts) for question in busy})
        least = layout._replace(columns=(), sums=layout.sums[:1])

        def committed(count: float, layout: DayLayout) -> PlannedDay:
            asked = best.at({commitment.input: count})
            return self._day_of(best, asked, load, capacity, layout)._replace(committed=count)

        costs = {cost: count for count in counts if (cost := committed(count, least).scaled[0]) == cost}
        if not costs:
            return self._day_of(best, best, load, capacity, layout)
        return committed(costs[min(costs)], layout)

    def _commits(self, best: Question, commitment: Commitment) -> bool:
        """Whether the price commits, and nobody says how many replicas."""
        return value_of(self._evaluator, best, commitment.when) == 1 and commitment.input not in best.values

    def _day_of(
        self, best: Question, scaled: Question, load: Load, capacity: Capacity, layout: DayLayout
    ) -> PlannedDay:
        """The day of a configuration as it is scaled by the hour, against the best one all day."""

        def told(question: Question | None, names: Sequence[str], summed: Sequence[str], **stated: float) -> HourSums:
            values = {
                "": 0.0,
                **values_of(self._evaluator, question, {*names, *summed, layout.rented} - {""}),
                **stated,
            }
            return HourSums([values[name] for name in names], [values[name] for name in summed], values[layout.rented])

        def hour(rate: float, asked: Callable[[float], Question | None]) -> HourSums:
            names, summed = [column.name for column in layout.columns], [column.name for column in layout.sums]
            return told(asked(max(rate, _QUIET)), names, summed, **{load.rate: rate})

        stops = self._stops(scaled, layout)

        def fewest(rate: float) -> HourSums:
            if stops and not rate:
                columns = [0.0 if column.name in layout.none else math.nan for column in layout.columns]
                return HourSums(columns, [0.0 for _ in layout.sums], 0.0)
            return hour(rate, lambda busy: self._fewest(scaled, busy, load, capacity))

        day = day_of(
            self._demand.rates,
            fewest,
            lambda rate: hour(rate, lambda busy: at_rate(best, busy, load)),
            told(scaled, [column.start for column in layout.columns], [column.start for column in layout.sums]),
            value_of(self._evaluator, best, layout.start),
        )
        return day._replace(stops=stops)

    def _stops(self, scaled: Question, layout: DayLayout) -> bool:
        """Whether an hour without requests keeps no replica; a commitment keeps those that it is for."""
        if not layout.idle or (layout.commitment and layout.commitment.input in scaled.values):
            return False
        return value_of(self._evaluator, scaled, layout.idle) == 0


def at_rate(question: Question, rate: float, load: Load) -> Question:
    """The question at another rate of requests, in base units."""
    values = {name: value for name, value in question.values.items() if name != load.mean_rate}
    return question._replace(values=values).at({load.rate: rate})


def cost_of(evaluator: Evaluator, found: Alternative, layout: PlanLayout) -> tuple[int, float]:
    """The sort key of alternatives, smallest first: money, behind that the plan's objective, or the most of the input.

    Money is what the day costs as it is scaled, where one is planned. What has a value of an earlier quantity stands
    before what has none, since both are counted in other units.
    """
    if layout.solved is not None:
        most = value_of(evaluator, found.question, layout.solved.input)
        return 0, math.inf if math.isnan(most) else -most
    names = layout.nearest if found.stops and layout.nearest else [*layout.orders, *layout.goals]
    values = values_of(evaluator, found.question, names)
    if found.day is not None:
        values |= {name: values[name] * found.day.scaled_share for name in layout.orders}
    return next(
        ((turn, values[name]) for turn, name in enumerate(names) if not math.isnan(values[name])), (len(names), 0.0)
    )
