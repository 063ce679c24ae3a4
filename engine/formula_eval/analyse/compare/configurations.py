"""Answers a question for every combination of several option values, and lays the configurations side by side.

It explains why a quantity differs between two of them: which inputs, and the path through the graph to them.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

from formula_eval.analyse.compare.answers import Side, answered, with_ratios, written
from formula_eval.analyse.compare.comparison import (
    Cause,
    ColumnDifference,
    ComparedColumn,
    ComparedQuantity,
    ComparedValue,
    Comparison,
    told_apart,
)
from formula_eval.analyse.perturbation import Neighbourhood, Perturbation
from formula_eval.analyse.sweep.column import Column
from formula_eval.analyse.sweep.grid import Grid, WordAxis, grid_of
from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.core.expression import references
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.subexpression import value_of
from formula_eval.evaluate.value import Value, typed_value
from formula_eval.records.givens import Givens, Question
from formula_eval.records.schema import Schema

MOST = 24
_SAME = 1e-12  # how far a factor is from 1 that changes nothing


class Configuration(NamedTuple):
    """One of several configurations: its question, and how it differs from the others, as its `ComparedColumn` says."""

    question: Question
    varies: tuple[tuple[str, str], ...]


class ComparedRow(NamedTuple):
    """A row: its title and quantity; one that nobody `named` is left out where no configuration has a value.

    A configuration has one only where the flag `runs` holds, if the row has such a flag.
    """

    title: str
    name: str
    named: bool = True
    runs: str = ""


def configurations(
    questions: Sequence[Question], schema: Schema, *, zipped: bool = False, most: int = MOST
) -> list[Configuration]:
    """Every combination of the values of each question, in order; questions differ in their scenario file.

    Raises FormulaError for values that an input may not have, and for more than `most`, by default those that anybody
    can look at side by side.
    """
    grids = [(question, grid_of(question, schema, zipped=zipped)) for question in questions]
    count = sum(grid.size for _, grid in grids)
    if count > most:
        message = f"{count:,} configurations do not fit side by side"
        raise refuse("too-many", message, help=f"At most {most}; `formula-eval sweep` computes any number.")
    found = []
    for question, grid in grids:
        scenario = (("inputs", Path(question.scenario).stem),) if len(questions) > 1 else ()
        for places in product(*(range(dimension.size) for dimension in grid.dimensions)):
            chosen = {
                axis.name: place
                for place, dimension in zip(places, grid.dimensions, strict=True)
                for axis in dimension.axes
            }
            varies = (*scenario, *_varies(grid, chosen, schema))
            found.append(Configuration(grid.question_at(chosen, schema), varies))
    return found


def _varies(grid: Grid, chosen: Mapping[str, int], schema: Schema) -> list[tuple[str, str]]:
    found = []
    for axis in grid.axes:
        if isinstance(axis, WordAxis):
            text = axis.words[chosen[axis.name]]
            found.append((axis.name, text if axis.is_record else f"{axis.name} {text}"))
        else:
            quantity = schema.inputs[axis.name].quantity
            value = typed_value(axis[chosen[axis.name]], quantity)
            shown = Value(axis.name, value, Column(axis.name, quantity, is_axis=True).shown_as, schema.units)
            found.append((axis.name, f"{axis.name} {shown}"))
    return found


def side_by_side(evaluator: Evaluator, asked: Sequence[Configuration], wanted: Sequence[ComparedRow]) -> Comparison:
    """The comparison of these configurations; raises FormulaError if none of them has any value."""
    names = list(dict.fromkeys(row.name for row in wanted))
    columns = [
        ComparedColumn(
            str(number),
            ", ".join(told_apart(configuration.varies)),
            configuration.question.namespace,
            configuration.varies,
        )
        for number, configuration in enumerate(asked, 1)
    ]
    namespace = asked[0].question.namespace
    givens = [evaluator.givens(configuration.question) for configuration in asked]
    sides = {
        column.key: answered(evaluator, given, names, namespace) for column, given in zip(columns, givens, strict=True)
    }
    silent = [name for name in names if all(side.answers[name].value is None for side in sides.values())]
    if len(silent) > 1 or silent == names:
        _refuse_lacking(evaluator, givens[0], silent, namespace, all_=silent == names)
    sides = {key: _told(side, wanted, evaluator) for key, side in sides.items()}
    first = columns[0].key
    answers = {name: with_ratios({key: side.answers[name] for key, side in sides.items()}, first) for name in names}
    differing = {key: [name for name in names if answers[name][key].differs] for key in sides}
    why = differences(evaluator, {key: side.givens for key, side in sides.items()}, differing, first)
    rows = [
        _row(row, answers[row.name], why, evaluator)
        for row in wanted
        if row.named or not all(_is_absent(answer) for answer in answers[row.name].values())
    ]
    return Comparison(columns, rows, warnings={key: side.warnings for key, side in sides.items()})


def _refuse_lacking(evaluator: Evaluator, givens: Givens, names: Sequence[str], namespace: str, *, all_: bool) -> None:
    """Raise what no configuration can do without, such as a model; any other reason where it is that of `all_` rows."""
    try:
        evaluator.evaluate(givens, names, namespace)
    except FormulaError as error:
        if all_ or error.diagnostics[0].code == "missing-value":
            raise


def _told(side: Side, wanted: Sequence[ComparedRow], evaluator: Evaluator) -> Side:
    """The side without what a configuration has no value of, since it does not run."""
    held = {}
    for row in wanted:
        runs = side.answers[row.runs].value if row.runs else None
        if runs is not None and runs.value is False:
            absent = Value(row.name, None, evaluator.schema.quantity(row.name), evaluator.schema.units)
            held[row.name] = ComparedValue(row.name, absent, reason=f"`{row.runs}` does not hold", runs=False)
    return side._replace(answers={**side.answers, **held})


def _is_absent(answer: ComparedValue) -> bool:
    """Whether it does not run, or lacks a required input; a refused or infinite answer still counts as one."""
    return not answer.runs or (answer.value is not None and answer.value.absence == "absent")


def _row(
    wanted: ComparedRow,
    answers: Mapping[str, ComparedValue],
    why: Mapping[str, Mapping[str, ColumnDifference]],
    evaluator: Evaluator,
) -> ComparedQuantity:
    found = {key: each[wanted.name] for key, each in why.items() if wanted.name in each}
    return ComparedQuantity(wanted.title, answers, written(wanted.name, evaluator.graph), found)


class Causes:
    """Compares two configurations by switching one input at a time to its value in the other."""

    def __init__(self, evaluator: Evaluator, here: Givens, there: Givens, names: Sequence[str]) -> None:
        """Compute all changes in one call; both configurations have values for all of these quantities."""
        self._schema, self._graph = evaluator.schema, evaluator.graph
        self._program = evaluator.program(names)
        self._givens = here.values
        self._here, self._there = (self._program.evaluate(givens.values) for givens in (here, there))
        self._changed = [
            name for name in self._program.inputs if not _same(here.values.get(name), there.values.get(name))
        ]
        changes = [Perturbation(name, float(there.values.get(name, math.nan))) for name in self._changed]
        around = Neighbourhood(self._program, here, ())
        self._outcomes = (
            {name: outcome.tolist() for name, outcome in around.outcomes(changes).items()} if changes else {}
        )

    def of(self, name: str) -> ColumnDifference:
        """The causes of a quantity's difference."""
        read = set(self._program.ancestors([name]))
        found = [self._cause(name, place) for place, each in enumerate(self._changed) if each in read]
        moving = [cause for cause in found if cause.alone is None or abs(cause.alone - 1) > _SAME]
        causes = tuple(sorted(moving or found, key=_weight))
        return ColumnDifference(causes=causes, way=tuple(self._way(name, causes[0].name)) if causes else ())

    def _cause(self, name: str, place: int) -> Cause:
        changed, here = self._changed[place], self._here[name]
        there = self._outcomes[name][place]
        alone = there / here if math.isfinite(there) and here else None
        return Cause(changed, *self._values(changed), alone)

    def _values(self, name: str) -> tuple[Value, Value]:
        quantity, units = self._schema.quantity(name), self._schema.units
        here, there = (
            Value(name, None if math.isnan(number) else typed_value(number, quantity), quantity, units)
            for number in (self._here[name], self._there[name])
        )
        return here, there

    def _way(self, name: str, cause: str) -> Iterator[tuple[str, Value, Value]]:
        """Yields the path from a quantity down to a cause, both exclusive, through the part that contributes most.

        Nodes that only pass on a value are left out.
        """
        leading = self._program.dependents([cause])
        before = self._here[name], self._there[name]
        while name != cause:
            here, there = self._here[name], self._there[name]
            if name in self._schema.formulas and before != (here, there) != (self._here[cause], self._there[cause]):
                yield self._graph.nodes[name].base, *self._values(name)
                before = here, there
            parts = [self._program.names[number] for number in self._program.parents[self._program.places[name]]]
            reader = name
            name = max((part for part in parts if part in leading), key=lambda each: self._brings(each, reader, cause))

    def _brings(self, part: str, reader: str, cause: str) -> tuple[bool, float]:
        """How much a formula changes if one part takes its value there; ranks the cause itself last."""
        expression = self._graph.nodes[reader].expression
        if expression is None or self._here[part] == self._there[part]:
            return False, 0.0
        try:
            read = {name: self._here[name] for name in references(expression) if name in self._here}
            changed = value_of(expression, {**read, part: self._there[part]}, self._givens)
        except (ArithmeticError, ValueError):
            return False, 0.0
        distance = abs(changed - self._here[reader])
        return part != cause, distance if math.isfinite(distance) else 0.0


def _same(here: float | None, there: float | None) -> bool:
    if here is None or there is None:
        return here is there
    return here == there or (math.isnan(here) and math.isnan(there))


def _weight(cause: Cause) -> tuple[bool, float]:
    """The sort key of causes: factors furthest from 1 first, those without a value last."""
    if cause.alone is None:
        return True, 0.0
    return False, -abs(math.log(cause.alone)) if cause.alone > 0 else -math.inf


def differences(
    evaluator: Evaluator, givens: Mapping[str, Givens], differing: Mapping[str, Sequence[str]], first: str
) -> dict[str, dict[str, ColumnDifference]]:
    """Explains, by column and quantity, each difference from the first column where both have a value."""
    found = {}
    for key, names in differing.items():
        causes = Causes(evaluator, givens[first], givens[key], names) if names else None
        found[key] = {name: causes.of(name) for name in names} if causes else {}
    return found
