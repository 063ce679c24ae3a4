"""Splits a search space into regions: for each combination of records, a grid of the values that conditions allow."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from formula_eval.analyse.ineffective_inputs import Stated, all_stated
from formula_eval.analyse.search.search_space import SpaceAxis
from formula_eval.analyse.sweep.broadcast_inputs import LaneGivens
from formula_eval.analyse.sweep.grid import Grid, GridBlock, GridDimension, Places, WordAxis, grid_of, unravelled
from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.batch import evaluate_block, held_arrays
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.axis import Axis, axis_of
from formula_eval.records.givens import Givens, Question
from formula_eval.records.input_names import input_named
from formula_eval.records.origin import Origin
from formula_eval.records.record_links import WRONG_RECORD
from formula_eval.records.record_values import origin_of


class Region(NamedTuple):
    """The grid of one combination of records, its givens, and how many of its first dimensions make a layout.

    `words` are what this combination says, by the record or input that varies so.
    """

    grid: Grid
    givens: LaneGivens
    words: Mapping[str, str]
    depth: int = 0

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of values along each dimension."""
        return tuple(dimension.size for dimension in self.grid.dimensions)

    @property
    def beneath(self) -> int:
        """How many configurations a layout stands for."""
        return math.prod(self.sizes[self.depth :])

    def numbers(self, layouts: Places) -> Places:
        """The numbers in the whole grid of all configurations of some layouts."""
        found: Places = (layouts[:, None] * self.beneath + np.arange(self.beneath)).ravel()
        return found

    def along(self, depth: int, codes: Places) -> tuple[Places, ...]:
        """Unravels numbers over the first `depth` dimensions to places; the others stay at their first value."""
        sizes = self.sizes[:depth]
        found = np.unravel_index(codes, sizes) if sizes else ()
        return (*(np.asarray(each) for each in found), *(np.zeros(1, np.int64) for _ in self.sizes[depth:]))

    def block(self, layouts: Places) -> GridBlock:
        """The box of some layouts, all values of the other dimensions across each."""
        count = len(self.sizes)
        others = range(self.depth, count)
        shape = [-1, *(1 for _ in others)]
        found = [array.reshape(shape) for array in self.along(self.depth, layouts)[: self.depth]]
        for number in others:
            own = [1, *(-1 if other == number else 1 for other in others)]
            found.append(np.arange(self.sizes[number]).reshape(own))
        return GridBlock(0, len(layouts) * self.beneath, tuple(found), self.numbers(layouts))

    def question_at(self, code: int, evaluator: Evaluator) -> Question:
        """The question of one configuration."""
        names = (axis.name for axis in self.grid.axes)
        return self.grid.question_at(dict(zip(names, unravelled(code, self.sizes), strict=True)), evaluator.schema)


def first_question(evaluator: Evaluator, question: Question) -> Question:
    """The question with the first of the values of each option, of records the first that go together."""
    grid = grid_of(question, evaluator.schema)
    words = [axis for axis in grid.axes if isinstance(axis, WordAxis)]
    others = dict.fromkeys((axis.name for axis in grid.axes if isinstance(axis, Axis)), 0)
    first = None
    for places in product(*(range(len(word.words)) for word in words)):
        chosen = dict(zip((word.name for word in words), places, strict=True))
        found = grid.question_at({**others, **chosen}, evaluator.schema)
        first = first or found
        if not any(word.is_record for word in words) or _go_together(evaluator, found):
            return found
    return first or grid.question


def varied(evaluator: Evaluator, question: Question) -> list[Axis]:
    """The inputs with several values in the question."""
    return [axis for axis in grid_of(question, evaluator.schema).axes if isinstance(axis, Axis)]


def stated_once(evaluator: Evaluator, question: Question) -> list[Stated]:
    """The statements of the question that have one value."""
    axes = {axis.name for axis in grid_of(question, evaluator.schema).axes}
    return [stated for stated in all_stated(question) if axes.isdisjoint(stated.names)]


def inputs_set(evaluator: Evaluator, question: Question, givens: Givens) -> frozenset[str]:
    """The inputs that options or a scenario set, to one value or several; records set none."""
    unchosen = {Origin.DEFAULT, *(origin_of(file, evaluator.schema) for file in givens.files.values())}
    return frozenset(
        {
            *(input_named(name, evaluator.schema, question.namespace) for name in question.values),
            *(name for name, origin in givens.origins.items() if origin not in unchosen),
        }
    )


def regions_of(
    evaluator: Evaluator,
    question: Question,
    axes: Sequence[tuple[SpaceAxis, str]],
    origin: str,
) -> Iterator[Region]:
    """A region for each combination of the records and other words that the question has several of.

    `axes` are those of the space, each with the node of its condition in the evaluator's graph, or nothing.
    """
    schema = evaluator.schema
    grid = grid_of(question, schema)
    said = [axis for axis in grid.axes if isinstance(axis, Axis)]
    words = [axis for axis in grid.axes if isinstance(axis, WordAxis)]
    spaced = [(axis_of(axis.values, schema.inputs[axis.input], schema.units, origin), node) for axis, node in axes]
    for chosen in product(*(word.words for word in words)):
        own = {axis.name: word for axis, word in zip(words, chosen, strict=True)}
        whole = _question(grid.question, words, own)
        if any(word.is_record for word in words) and not _go_together(evaluator, whole):
            continue
        trial = _grid(whole, [*said, *(axis for axis, _ in spaced)])
        left = _Trial(evaluator, trial).left({axis.name: node for axis, node in spaced if node})
        held = _grid(whole, left)
        yield Region(held, LaneGivens(evaluator, held), own)


def _go_together(evaluator: Evaluator, question: Question) -> bool:
    """Whether no record that is named is of another one than is named: an offer, of another accelerator."""
    try:
        evaluator.givens(question)
    except FormulaError as error:
        return all(diagnostic.code != WRONG_RECORD for diagnostic in error.diagnostics)
    return True


def _question(base: Question, words: Sequence[WordAxis], chosen: Mapping[str, str]) -> Question:
    records, values = dict(base.records), dict(base.values)
    for word in words:
        (records if word.is_record else values)[word.name] = chosen[word.name]
    return base._replace(records=records, values=values)


def _grid(question: Question, axes: Sequence[Axis]) -> Grid:
    return Grid(question, tuple(GridDimension((axis,), axis.length) for axis in axes))


class _Trial:
    """Tests all values of all axes, to keep those that can meet the condition of their axis."""

    def __init__(self, evaluator: Evaluator, grid: Grid) -> None:
        self._evaluator = evaluator
        self._grid = grid
        self._givens = LaneGivens(evaluator, grid)
        self._axes: list[Any] = grid.axes
        self._kept = [np.arange(axis.length) for axis in self._axes]  # places of the values of each axis

    def left(self, conditions: Mapping[str, str]) -> list[Axis]:
        """Each axis with the values at which its condition holds, whatever other axes it reads; none without any.

        Of the axes before it, a condition sees the values that are left.
        """
        found: list[Axis] = []
        for number, axis in enumerate(self._axes):
            condition = conditions.get(axis.name)
            places = self._kept[number] if condition is None else self._holding(number, condition)
            if len(places):
                self._kept[number] = places
                found.append(axis if condition is None else Axis(axis.name, [axis[int(place)] for place in places]))
        return found

    def _holding(self, number: int, condition: str) -> Places:
        program = self._evaluator.program([condition])
        read = [place for place, axis in enumerate(self._axes) if axis.name in program.inputs or place == number]
        along = [np.zeros(1, np.int64)] * len(self._axes)
        for place in read:
            along[place] = self._kept[place].reshape([-1 if each == place else 1 for each in read])
        sizes = tuple(len(self._kept[place]) for place in read)
        given = self._givens.of(GridBlock(0, math.prod(sizes), tuple(along)))
        values, failed = evaluate_block(program, held_arrays(program, given))
        holds = np.broadcast_to((np.asarray(values[condition]) == 1) & ~np.asarray(failed), sizes)
        others = tuple(place for place, each in enumerate(read) if each != number)
        return self._kept[number][holds.any(axis=others)]
