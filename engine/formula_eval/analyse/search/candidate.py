"""Ranked configurations to rows: what varies, and the quantities that are told of each; the best to its shortest question."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from formula_eval.analyse.search.leaders import Ranked
from formula_eval.analyse.search.search_plan import SearchPlan
from formula_eval.analyse.sweep.column import Column
from formula_eval.analyse.sweep.sweep import Batch
from formula_eval.analyse.sweep.tally import Tally
from formula_eval.core.quantity import Quantified
from formula_eval.evaluate.many import evaluate_block, held_arrays
from formula_eval.records.givens import Question
from formula_eval.records.values import InBaseUnits, written_value

Array = NDArray[Any]


class Candidates:
    """The columns of a search, and what stands in them for any of its configurations."""

    def __init__(self, plan: SearchPlan) -> None:
        """Tell of what varies in this plan, and of what its goal is shown with."""
        self._plan = plan
        schema = plan.evaluator.schema
        self._words = {name: tuple(dict.fromkeys(each.words[name] for each in plan.regions)) for name in _words(plan)}
        shown = [plan.goal.name, *(each.name for each in (*plan.group.shows, *plan.group.front))]
        self.shown = tuple(dict.fromkeys(name for name in shown if name in schema.formulas or name in schema.inputs))
        self.axes = _varying(plan)
        self.columns = [
            *(
                Column(name, Quantified("record") if name in schema.kinds else schema.quantity(name), words, is_axis=True)
                for name, words in self._words.items()
            ),
            *(Column(name, schema.quantity(name), is_axis=True) for name in self.axes),
            *(Column(name, schema.quantity(name)) for name in self.shown if name not in self.axes),
        ]

    def rows(self, ranked: Ranked, further: Sequence[str] = ()) -> tuple[Batch, Mapping[str, Array]]:
        """The values of the columns, in order, and those of further quantities."""
        names = [*self.axes, *self.shown, *further]
        program = self._plan.evaluator.program(list(dict.fromkeys(names)))
        found = {name: np.full(len(ranked), np.nan) for name in (*self._words, *names)}
        for number in np.unique(ranked.regions).tolist():
            region, own = self._plan.regions[number], ranked.regions == number
            given = region.givens.of(region.lanes(ranked.codes[own]))
            values, _ = evaluate_block(program, held_arrays(program, given))
            for name in dict.fromkeys(names):
                found[name][own] = np.broadcast_to(np.asarray(values[name], float), own.sum())
            for name, words in self._words.items():
                found[name][own] = words.index(region.words[name])
        values = {each.name: found[each.name] for each in self.columns}
        return Batch(ranked.codes, values, Tally(kept=len(ranked))), {name: found[name] for name in further}

    def question(self, ranked: Ranked, place: int) -> Question:
        """The question of one configuration, as somebody would type it, without what is default and changes nothing."""
        region = self._plan.regions[int(ranked.regions[place])]
        asked = region.question_at(int(ranked.codes[place]), self._plan.evaluator)
        values = {name: self._typed(name, value) for name, value in asked.values.items()}
        return self._shortened(asked._replace(values=values))

    def _typed(self, name: str, value: Any) -> Any:  # noqa: ANN401 - as it was said
        schema = self._plan.evaluator.schema
        if isinstance(value, InBaseUnits):
            return written_value(value.number, schema.inputs[name], schema.units)
        return str(value).lower() if isinstance(value, bool) else value

    def _shortened(self, question: Question) -> Question:
        """Leave out what the space set to its default, as long as everything else stays as it is."""
        evaluator = self._plan.evaluator
        nodes = [each.node for each in self._plan.constraints]
        program = evaluator.program(list(dict.fromkeys([*self.axes, *self.shown, *nodes])))
        given = dict(evaluator.givens(question).values)
        values, said = program.evaluate(given), dict(question.values)
        for name in reversed(self._plan.moved):
            fewer = {each: value for each, value in given.items() if each != name}
            if name in said and _same(program.evaluate(fewer), values, program.names):
                given = fewer
                del said[name]
        return question._replace(values=said)


def _same(some: Mapping[str, float], others: Mapping[str, float], names: Sequence[str]) -> bool:
    return all(some[name] == others[name] or (some[name] != some[name] and others[name] != others[name]) for name in names)  # noqa: PLR0124 - nan


def _words(plan: SearchPlan) -> list[str]:
    """What varies by words, in all regions alike."""
    return list(plan.regions[0].words)


def _varying(plan: SearchPlan) -> tuple[str, ...]:
    """The inputs that have more than one value in some region, or differ between regions."""
    values: dict[str, set[Any]] = {}
    for region in plan.regions:
        for axis in region.grid.axes:
            values.setdefault(axis.name, set()).update(axis.part(0, min(axis.length, 2)))
    in_all = [{axis.name for axis in each.grid.axes} for each in plan.regions]
    names = {name for name, found in values.items() if len(found) > 1 or any(name not in each for each in in_all)}
    longest = max(plan.regions, key=lambda each: len(each.grid.dimensions))
    order = [axis.name for axis in longest.grid.axes]
    return tuple(sorted(names, key=lambda name: order.index(name) if name in order else len(order)))
