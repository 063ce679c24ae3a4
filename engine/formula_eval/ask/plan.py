"""Plans what a service or a training run takes on each accelerator: `STAGES` is the table of contents."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from formula_eval.analyse.compare.configurations import Configuration, configurations
from formula_eval.analyse.ineffective_inputs import Effects
from formula_eval.analyse.plan.demand import Demand, unless_given
from formula_eval.analyse.plan.mixed_fleet import cheapest_mix
from formula_eval.analyse.plan.mixed_traffic import with_traffic, workloads_of
from formula_eval.analyse.plan.planned import Alternative, MixedFleet, Plan
from formula_eval.analyse.plan.planner import MOST, Alternatives, cost_of, named_by, refuse_no_requests, told_effects
from formula_eval.analyse.plan.pools import all_pools, cheapest_pools, question_of_pool, without_own
from formula_eval.analyse.plan.turns import Standings, turns
from formula_eval.analyse.plan.values import told_columns, value_of, values_of
from formula_eval.ask.day_profile import cells_of_shape, day_rates, is_word
from formula_eval.ask.plan_layout import amount_for, plan_for, read_plan_layout
from formula_eval.ask.question import with_every_record
from formula_eval.ask.search import read_search_space
from formula_eval.core.diagnostic import refuse
from formula_eval.core.option_names import option_of
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question
from formula_eval.records.record import RecordFile
from formula_eval.records.values import InBaseUnits


class PlanRequest(NamedTuple):
    """A question whose records may have several values, classes of requests by share, and the time for all of them.

    Without a time each alternative has a minute. `profile` are the rates of the 24 hours of a day, the file of them, or
    the word for a shape that they have. With `pools` workers apart are planned too, as they are where something is said
    of one of them.
    """

    question: Question
    traffic: str = ""
    seconds: float | None = None
    profile: str | Path | Sequence[float] = ""
    pools: bool = False


@dataclass(slots=True)
class Planning:
    """What the stages have made of a request so far; `tell` hears of each alternative."""

    evaluator: Evaluator  # of the library that the request is asked of
    request: PlanRequest
    tell: Callable[[str], object] = lambda _: None
    question: Question = field(init=False)  # the request's, with its mix of traffic filled in
    workloads: Sequence[tuple[float, RecordFile]] = ()  # the classes of requests, each with its share
    section: str = ""  # of reports/plan.toml
    demand: Demand = field(init=False)  # the search space, the layout, the time limit
    asked: Sequence[Configuration] = ()  # a question for each combination of records
    found: list[Alternative] = field(default_factory=list)  # the alternatives searched so far, ordered at the end
    mix: MixedFleet | None = None  # of two of them, where that is cheaper
    pools: Mapping[str, Any] | None = None  # what is said of single pools; None where none were asked for
    shape: Sequence[Effects] = ()  # what options move of how much there is to do, or of the shape of a day
    effects: Sequence[Effects] = ()  # what they move in all; empty before the search
    end: float = math.inf  # when the answer is due, by the clock that `monotonic` reads


def read_demand(state: Planning) -> None:
    """Read what requests are like, what a plan for this purpose looks for, and what may vary."""
    evaluator, request = state.evaluator, state.request
    library, schema = evaluator.library, evaluator.schema
    asked = with_every_record(evaluator, request.question)
    state.question = question = with_traffic(asked, request.traffic, library, schema)
    state.workloads = workloads_of(request.traffic, library, schema)
    space = read_search_space(library, question.about(library), schema)
    several = [configuration.question for configuration in configurations([question], schema, most=MOST)]
    first = several[0]
    given = evaluator.givens(first).values
    name, quantity = amount_for(library, question.about(library), given)
    amount = value_of(evaluator, first, quantity) if name else 0.0
    if amount > 0:
        state.shape = [Effects.of(evaluator, first, [quantity], [quantity], named=False)]
        state.question = question = question.at({name: amount})
        first = configurations([question], schema, most=MOST)[0].question
        given = evaluator.givens(first).values
    state.section = plan_for(library, question.about(library), given)
    layout = read_plan_layout(library, state.section, schema)
    layout = layout._replace(solved=unless_given(layout.solved, given))
    if layout.pools is not None:
        state.question, said = without_own(question, layout.pools)
        state.pools = said if said or request.pools else None
        question, first = state.question, without_own(first, layout.pools)[0]
    elif request.pools:
        help_ = "Leave --pools out: it is of a service to which requests arrive."
        raise refuse("bad-value", "Pools apart have no meaning here, since no requests arrive at a rate", help=help_)
    state.question = question = with_defaults(evaluator, question, first, layout.defaults)
    several = [configuration.question for configuration in configurations([question], schema, most=MOST)]
    if layout.solved is not None:  # what is told of the largest amount may be told of the one that is found
        largest = schema.inputs[layout.solved.input].high or math.inf
        several += [each.at({layout.solved.input: largest}) for each in several]
    columns, assumed = (told_columns(rows, several, evaluator) for rows in (layout.columns, layout.assumed))
    layout = layout._replace(columns=columns, assumed=assumed)
    state.demand = Demand(space, layout)
    if request.profile != "":
        _read_day(state, first)


def with_defaults(evaluator: Evaluator, question: Question, first: Question, names: Sequence[str]) -> Question:
    """The question with these inputs at their defaults, unless it or a record of it states one of them."""
    given = evaluator.givens(first).values
    if any(given.get(name) is not None for name in names):
        return question
    found = values_of(evaluator, first, names)
    return question.at({name: value for name, value in found.items() if math.isfinite(value)})


def _read_day(state: Planning, first: Question) -> None:
    """Read the rates of a day: with a rate of the busiest hour they are its shape, else that hour's is theirs."""
    layout = state.demand.layout
    if layout.load is None or layout.day is None:
        help_ = "A day by the hour is of a service: leave out what asks about a job or a training run."
        raise refuse("bad-value", "A profile has no meaning here, since no requests arrive at a rate", help=help_)
    load, profile = layout.load, state.request.profile
    if is_word(profile):
        refuse_no_requests(state.evaluator, first, load)
        cells = cells_of_shape(state.evaluator, layout.day, str(profile))
        found = values_of(state.evaluator, first, cells)
        rates = [found[name] for name in cells]
        state.shape = [*state.shape, Effects.of(state.evaluator, first, cells, cells, named=False)]
        if max(rates) == min(rates):
            help_ = f"Say how much busier the busiest hour is: {option_of(load.peak)} 2."
            raise refuse("bad-value", f"Every hour of this `{profile}` has the same rate, the average one", help=help_)
    else:
        rates = day_rates(profile)
    peak = InBaseUnits(max(rates) * len(rates) / sum(rates))
    state.question = state.question._replace(values={load.peak: peak, **state.question.values})
    shaped = first._replace(values={load.peak: peak, **first.values})
    busiest = value_of(state.evaluator, shaped, load.rate)
    if not busiest > 0:
        busiest = max(rates)
        state.question = state.question.at({load.rate: busiest})
    state.demand = state.demand._replace(rates=[rate * busiest / max(rates) for rate in rates])


def lay_out(state: Planning) -> None:
    """Make a question of each combination of records; refuse a service to which nothing arrives."""
    state.asked = configurations([state.question], state.evaluator.schema, most=MOST)
    if state.demand.layout.load is not None:
        refuse_no_requests(state.evaluator, state.asked[0].question, state.demand.layout.load)


def search_each(state: Planning) -> None:
    """Search each of them for its best configuration, the cheapest first; those that keep nothing come last."""
    layout, evaluator = state.demand.layout, state.evaluator
    made = Alternatives(evaluator, state.demand)
    later = len(layout.pools.pools) * len(state.asked) if layout.pools and state.pools is not None else 0
    effects: list[Effects] = []
    standings = Standings(evaluator, state.demand, state.asked)
    is_timed = state.end < math.inf and len(state.asked) > 1
    asked = standings.in_order(state.asked) if is_timed else state.asked
    for configuration, seconds in turns(asked, state.end, later, standings.beaten):
        varies = configuration.varies or named_by(evaluator, configuration.question, layout.named_by)
        beaten = standings.beaten(configuration)
        found = _searched(state, made, Configuration(configuration.question, (*varies,)), seconds, beaten)
        standings.add(found, configuration)
        state.found.append(found)
        effects += told_effects(evaluator, layout, [found])
    state.found.sort(
        key=lambda alternative: (
            bool(alternative.stops),
            not alternative.is_reached,
            cost_of(evaluator, alternative, layout),
            _tie(evaluator, alternative, layout.then_by),
        )
    )
    state.effects = [*state.shape, *made.effects, *effects]


def _tie(evaluator: Evaluator, alternative: Alternative, name: str) -> float:
    """The value that orders alternatives of one cost; those without one come last."""
    value = value_of(evaluator, alternative.question, name) if name and alternative.question else math.nan
    return math.inf if math.isnan(value) else value


def _searched(
    state: Planning, made: Alternatives, asked: Configuration, seconds: float, beaten: str = ""
) -> Alternative:
    """The best configuration of a question, or why it was not sought: no better than another one, or out of time."""
    if not seconds:
        nothing = [math.nan for _ in state.demand.layout.columns]
        stops = [beaten or f"Not reached within {state.request.seconds:g} s."]
        return Alternative(asked.varies, None, nothing, stops, is_proven=False, is_reached=False)
    state.tell(" ".join(text for _, text in asked.varies))
    return made.of(asked.question, asked.varies, seconds)


def mix_accelerators(state: Planning) -> None:
    """Let two of them share the requests of the busiest hour, where that is cheaper; not where a day is scaled.

    Neither once the answer is due.
    """
    if not state.demand.rates and monotonic() < state.end:
        state.mix = cheapest_mix(state.evaluator, state.demand, state.asked, state.found, state.end)


def search_pools(state: Planning) -> None:
    """Search each of them for its best pools of workers apart, where these were asked for."""
    layout, evaluator = state.demand.layout, state.evaluator
    if layout.pools is None or state.pools is None:
        return
    made = Alternatives(evaluator, state.demand)
    pools = layout.pools.pools
    asked = [(configuration, pool) for configuration in state.asked for pool in pools]
    for (configuration, pool), seconds in turns(asked, state.end):
        varies = (
            *(configuration.varies or named_by(evaluator, configuration.question, layout.named_by)),
            ("pool", pool.name),
        )
        question = question_of_pool(evaluator, configuration.question, pool, state.pools)
        found = _searched(state, made, Configuration(question, varies), seconds)
        state.found.append(found._replace(pool=pool.name))
        parts = state.found[-len(pools) :]
        if pool == pools[-1] and not any(part.stops for part in parts):
            state.found.append(all_pools(layout, layout.pools, parts))
    state.effects = [*state.effects, *made.effects]


STAGES: tuple[Callable[[Planning], None], ...] = (read_demand, lay_out, search_each, mix_accelerators, search_pools)


def plan(evaluator: Evaluator, request: PlanRequest, tell: Callable[[str], object] = lambda _: None) -> Plan:
    """The plan of a request; `tell` hears of each alternative.

    Raises FormulaError for a demand of nothing, and for what nobody can search. An alternative that cannot be laid out
    stands in the plan with the reason.
    """
    state = Planning(evaluator, request, tell)
    if request.seconds is not None:
        state.end = monotonic() + request.seconds
    for stage in STAGES:
        stage(state)
    layout = state.demand.layout
    return Plan(
        layout.columns,
        state.found,
        state.effects,
        layout.verdict,
        layout.load,
        layout.cases,
        day=layout.day if state.demand.rates else None,
        mix=state.mix,
        assumed=layout.assumed,
        records=layout.records,
        named_by=layout.named_by,
        pools=layout.pools if state.pools is not None else None,
        pooled=cheapest_pools(evaluator, layout.pools, state.found) if layout.pools else None,
        left_out=layout.left_out,
    )


def demand_of(evaluator: Evaluator, request: PlanRequest) -> Planning:
    """What a plan is to be made for, before anything is sought."""
    state = Planning(evaluator, request)
    read_demand(state)
    return state
