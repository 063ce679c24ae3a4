"""Tabulates ranked configurations, and writes the shortest question that asks for one of them."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from formula_eval.analyse.ineffective_inputs import same_values
from formula_eval.analyse.search.feasible_layouts import FeasibilityTest
from formula_eval.analyse.search.ranking import Ranked
from formula_eval.analyse.search.record_grid import Region
from formula_eval.analyse.search.search_plan import SearchPlan
from formula_eval.analyse.sweep.column import Column
from formula_eval.analyse.sweep.counts import Tally
from formula_eval.analyse.sweep.sweep_batches import Batch
from formula_eval.core.diagnostic import FormulaError
from formula_eval.core.quantity import Quantified
from formula_eval.evaluate.vector import Array
from formula_eval.records.axis import Axis
from formula_eval.records.givens import Question
from formula_eval.records.values import InBaseUnits, written_value


class Candidates:
    """Computes the columns of a search for any of its configurations."""

    def __init__(self, plan: SearchPlan, test: FeasibilityTest) -> None:
        """Take as columns what varies in this plan and what its goal is shown with, as the test computes them."""
        self._plan = plan
        self._test = test
        schema = plan.evaluator.schema
        self._words = {
            name: tuple(dict.fromkeys(region.words[name] for region in plan.regions)) for name in _words(plan)
        }
        shown = [plan.goal.name, *(each.name for each in plan.group.shows), *(goal.name for goal in plan.group.front)]
        self.shown = tuple(dict.fromkeys(name for name in shown if name in schema.formulas or name in schema.inputs))
        self.axes = _varying(plan)
        self.columns = [
            *(Column(name, self._quantity(name), words, is_axis=True) for name, words in self._words.items()),
            *(Column(name, schema.quantity(name), is_axis=True) for name in self.axes),
            *(Column(name, schema.quantity(name)) for name in self.shown if name not in self.axes),
        ]

    def _quantity(self, name: str) -> Quantified:
        schema = self._plan.evaluator.schema
        return Quantified("record") if name in schema.kinds else schema.quantity(name)

    def rows(self, ranked: Ranked, further: Sequence[str] = ()) -> tuple[Batch, Mapping[str, Array]]:
        """The values of the columns, in order, and those of further quantities."""
        names = [*self.axes, *self.shown, *further]
        found = {name: np.full(len(ranked), np.nan) for name in (*self._words, *names)}
        for number in np.unique(ranked.regions).tolist():
            region, own = self._plan.regions[number], ranked.regions == number
            values = self._test.values(region, region.grid.at(ranked.codes[own]))
            for name in dict.fromkeys(names):
                found[name][own] = np.broadcast_to(np.asarray(values[name], float), own.sum())
            for name, words in self._words.items():
                found[name][own] = words.index(region.words[name])
        values = {column.name: found[column.name] for column in self.columns}
        return Batch(ranked.codes, values, Tally(kept=len(ranked))), {name: found[name] for name in further}

    def question(self, region: int, code: int) -> Question:
        """The question of one configuration as a user would type it, without defaults that change nothing."""
        asked = self._plan.regions[region].question_at(code, self._plan.evaluator)
        values = {name: self._typed(name, value) for name, value in asked.values.items()}
        return self._shortened(asked._replace(values=values))

    def _typed(self, name: str, value: Any) -> Any:  # noqa: ANN401 - as it was said
        schema = self._plan.evaluator.schema
        if isinstance(value, InBaseUnits):
            return written_value(value.number, schema.inputs[name], schema.units)
        return str(value).lower() if isinstance(value, bool) else value

    def _shortened(self, question: Question) -> Question:
        """Drop the inputs that the space set to their default, as long as no value changes."""
        evaluator = self._plan.evaluator
        program = self._plan.program
        given = dict(evaluator.givens(question).values)
        said = dict(question.values)
        with suppress(FormulaError):
            values = program.evaluate(given)
            for name in reversed(self._plan.moved):
                fewer = {each: value for each, value in given.items() if each != name}
                if name in said and same_values(program.evaluate(fewer), values, program.names):
                    given = fewer
                    del said[name]
        return question._replace(values=said)


def _words(plan: SearchPlan) -> list[str]:
    """The names that vary by words, the same in all regions."""
    return list(plan.regions[0].words)


def _varying(plan: SearchPlan) -> tuple[str, ...]:
    """The inputs that have more than one value in some region, or differ between regions."""
    values: dict[str, set[Any]] = {}
    for region in plan.regions:
        for axis in _points(region):
            values.setdefault(axis.name, set()).update(axis[place] for place in range(min(axis.length, 2)))
    everywhere = set(values).intersection(*({axis.name for axis in _points(each)} for each in plan.regions))
    return tuple(name for name, found in values.items() if len(found) > 1 or name not in everywhere)


def _points(region: Region) -> list[Axis]:
    return [axis for axis in region.grid.axes if isinstance(axis, Axis)]
