"""Answers a question for every combination of several option values, and lays the configurations side by side."""

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

from formula_eval.analyse.compare.answers import answered, with_ratios, written
from formula_eval.analyse.compare.causes import differences
from formula_eval.analyse.compare.comparison import (
    ColumnDifference,
    ComparedColumn,
    ComparedQuantity,
    ComparedValue,
    Comparison,
)
from formula_eval.analyse.sweep.column import Column
from formula_eval.analyse.sweep.grid import Grid, WordAxis, grid_of
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.value import Value, typed_value
from formula_eval.records.givens import Question
from formula_eval.records.schema import Schema

MOST = 24


class Configuration(NamedTuple):
    """One of several configurations: its question, and how it differs from the others, as its `ComparedColumn` says."""

    question: Question
    varies: tuple[tuple[str, str], ...]


class ComparedRow(NamedTuple):
    """A row: its title and quantity; one that nobody `named` is left out where no configuration has a value."""

    title: str
    name: str
    named: bool = True


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
        for places in product(*(range(each.size) for each in grid.dimensions)):
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
    names = list(dict.fromkeys(each.name for each in wanted))
    columns = [
        ComparedColumn(str(number), ", ".join(text for _, text in each.varies), each.question.namespace, each.varies)
        for number, each in enumerate(asked, 1)
    ]
    namespace = asked[0].question.namespace
    givens = [evaluator.givens(each.question) for each in asked]
    sides = {
        column.key: answered(evaluator, given, names, namespace) for column, given in zip(columns, givens, strict=True)
    }
    if all(answer.value is None for side in sides.values() for answer in side.answers.values()):
        evaluator.evaluate(givens[0], names, namespace)  # raises what nobody can do without
    first = columns[0].key
    answers = {name: with_ratios({key: side.answers[name] for key, side in sides.items()}, first) for name in names}
    differing = {key: [name for name in names if answers[name][key].differs] for key in sides}
    why = differences(evaluator, {key: side.givens for key, side in sides.items()}, differing, first)
    rows = [
        _row(each, answers[each.name], why, evaluator)
        for each in wanted
        if each.named or not all(_is_absent(answer) for answer in answers[each.name].values())
    ]
    return Comparison(columns, rows, warnings={key: side.warnings for key, side in sides.items()})


def _is_absent(answer: ComparedValue) -> bool:
    """Whether the answer lacks a required input; a refused or infinite answer still counts as one."""
    return answer.value is not None and answer.value.absence == "absent"


def _row(
    wanted: ComparedRow,
    answers: Mapping[str, ComparedValue],
    why: Mapping[str, Mapping[str, ColumnDifference]],
    evaluator: Evaluator,
) -> ComparedQuantity:
    found = {key: each[wanted.name] for key, each in why.items() if wanted.name in each}
    return ComparedQuantity(wanted.title, answers, written(wanted.name, evaluator.graph), found)
