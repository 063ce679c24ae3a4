"""Runs a sweep: computes a question with several values under conditions, and yields batches of rows in order."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from formula_eval.analyse.identity import Identity
from formula_eval.analyse.sweep.block_values import BlockValues
from formula_eval.analyse.sweep.broadcast_inputs import LaneGivens
from formula_eval.analyse.sweep.column import Column
from formula_eval.analyse.sweep.counts import Tally
from formula_eval.analyse.sweep.grid import Grid, GridBlock, WordAxis, grid_of
from formula_eval.analyse.sweep.lane_columns import LaneColumns
from formula_eval.analyse.sweep.validity import Judge, LaneFaults
from formula_eval.core.diagnostic import refuse
from formula_eval.core.quantity import Quantified
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.required_choices import lacking, refusal
from formula_eval.evaluate.result import refuse_lacking
from formula_eval.evaluate.vector import Array
from formula_eval.evaluate.views import View, refuse_unchosen, selected
from formula_eval.records.axis import Axis
from formula_eval.records.givens import Givens, Question
from formula_eval.records.schema import CheckSchema

_Made = TypeVar("_Made")
# Blocks of a grid share what depends on few dimensions, those of a sample stay within the cache of a processor.
BLOCK = 1 << 17
_SAMPLE_BLOCK = 1 << 16
_MOST = 10_000_000  # rows that nobody has to confirm
_MOST_AT_ALL = 1 << 62


class SweepQuantities(NamedTuple):
    """The request of a sweep: quantities by `patterns`, else those of `usual`, and conditions.

    `sampled` takes so many configurations at random; `anyway` takes a grid of any size.
    """

    patterns: Sequence[str] = ()
    usual: Sequence[str] = ()
    where: Sequence[str] = ()  # conditions that a row must meet to count
    zipped: bool = False  # first values of all inputs together, then the second
    sampled: int | None = None
    seed: int = 0  # of the sample; the same seed draws the same
    anyway: bool = False


class Batch(NamedTuple):
    """The rows of some configurations, as an array for each column, and the counts of all that were tried.

    `places` are those of the rows in the whole grid.
    """

    places: NDArray[np.int64]
    values: Mapping[str, Array]
    tally: Tally


class _Prepared(NamedTuple):
    """What computes the values of blocks and judges them, and the faults of inputs where they are known."""

    values: BlockValues
    judge: Judge
    faults: LaneFaults | None


class Sweep:
    """Sweeps the configurations of a question with several values; `batches` computes them."""

    def __init__(self, evaluator: Evaluator, question: Question, asked: SweepQuantities) -> None:
        """Read what is asked.

        Raises FormulaError for values, quantities or conditions that there are not, and for too large a grid.
        """
        evaluator = evaluator.holding()
        self._asker, self.question = evaluator, question
        self.asked = asked
        self.library, self.schema = evaluator.library, evaluator.schema
        for stage in (self._lay_grid, self._choose_quantities, self._add_conditions, self._name_columns):
            stage()

    def _lay_grid(self) -> None:
        """Lay out the configurations, or draw a sample of them; read the records that each combination names."""
        asked = self.asked
        self.grid = grid_of(self.question, self.schema, zipped=asked.zipped)
        _refuse_size(self.grid, asked)
        sampled = None if asked.sampled is None else self.grid.sampled(asked.sampled, asked.seed)
        self._places = None if sampled is None else np.array(sampled, np.int64)
        self.givens = LaneGivens(self._asker, self.grid)
        self._first = self.givens.first()

    def _choose_quantities(self) -> None:
        """Find what is wanted and has a value, in the units asked for, and the checks that speak of it."""
        asked, question, first = self.asked, self.question, self._first
        self._shown, named = selected(self._asker, asked.patterns, question)
        refuse_unchosen(self._shown, asked.patterns, first, question)
        self.wanted, self.lacks = _wanted(self._shown, named or list(asked.usual), first)
        self.checks = self._shown.speaking(self.wanted, first, question.namespace, named=bool(named))

    def _add_conditions(self) -> None:
        """Add what rows have to meet to the graph."""
        self.evaluator, self._conditions = self._shown, {}
        if texts := self.asked.where:
            view = self.evaluator = View(self._shown, texts, self.question, self.wanted)
            self._conditions = {text: condition.node for text, condition in zip(texts, view.conditions, strict=True)}

    def _name_columns(self) -> None:
        """Name the columns: the inputs that vary, then what is computed."""
        axes = {axis.name for axis in self.grid.axes}
        self._computed = [name for name in self.wanted if name not in axes]
        self.columns = [
            *(_axis_column(axis, self._shown) for axis in self.grid.axes),
            *(Column(name, self._shown.schema.quantity(name)) for name in self._computed),
        ]

    @cached_property
    def identity(self) -> Identity:
        """The identity of this sweep: the formulas, what is asked, and the values of all configurations."""
        asked = self.asked
        what = asked, self.wanted, self._first.values, self.grid.axes, BLOCK, _SAMPLE_BLOCK
        told = {"only": asked.patterns, "where": asked.where, "sample": asked.sampled, "seed": asked.seed}
        return Identity.of(self._asker, self.question, what, **told)

    @property
    def size(self) -> int:
        """How many configurations are computed."""
        return self.grid.size if self._places is None else len(self._places)

    def batches(self, start: int = 0, most: int | None = None) -> Iterator[Batch]:
        """Yields the rows in order, starting after `start` configurations, where an earlier batch ended."""
        yield from map(self.batch, self.blocks(start, most))

    def each(self, do: Callable[[Batch], _Made], start: int = 0) -> Iterator[_Made]:
        """Yields the results of `do` for each batch, in order."""
        yield from map(do, self.batches(start))

    def blocks(self, start: int = 0, most: int | None = None) -> Iterator[GridBlock]:
        """Yields the block of each batch."""
        done = start
        for block in self._blocks(start, most or BLOCK):
            if self._places is None and block.first != done:
                raise ValueError(f"no batch begins behind {done} configurations")
            done += block.size
            yield block

    @cached_property
    def _judge(self) -> Judge:
        return self._judge_of(self.checks)

    def _judge_of(self, checks: Sequence[CheckSchema]) -> Judge:
        return Judge(self.program, self.evaluator.schema, self.wanted, checks, self._conditions)

    @cached_property
    def _prepared(self) -> "_Prepared":
        """What is computed once for the whole grid: tables, checks that hold everywhere, faults of inputs."""
        values = self.values()
        values.prepare(self.size, is_sample=self._places is not None)
        judge = self._judge_of([check for check in self.checks if values.known.get(check.name) != 1.0])
        return _Prepared(values, judge, self._judge.faults(*values.whole) if values.whole is not None else None)

    def values(self) -> BlockValues:
        """The computer of the blocks' values."""
        return BlockValues(self.evaluator, self.program, self._judge.besides, self.grid, self.givens.of)

    @property
    def program(self) -> Program:
        """The program of columns, conditions and the checks that warn or refuse."""
        checks = [check.name for check in self.checks if check.level != "note"]
        return self.evaluator.program([*self.wanted, *self._conditions.values(), *checks])

    def demand_of(self, check: str) -> str:
        """What a check says, or its condition where it says nothing."""
        return self.schema.checks[check].told or self.program.text_of(check)

    def _blocks(self, start: int, most: int) -> Iterator[GridBlock]:
        if self._places is None:
            yield from self.grid.blocks(most, start)
            return
        step = min(most, _SAMPLE_BLOCK)
        for low in range(start, len(self._places), step):
            yield self.grid.at(self._places[low : low + step])

    def batch(self, block: GridBlock) -> Batch:
        """The rows of a block."""
        prepared, shape = self._prepared, np.broadcast_shapes(*(array.shape for array in block.along))
        values, failed, given, part = prepared.values.of(block)
        if not block.first:
            self._refuse_absent(values, given)
        faults = prepared.faults.of(part) if prepared.faults is not None else None
        kept, tally = prepared.judge.judged(values, failed, given, shape, faults=faults)
        prepared.judge.explain(tally, failed, given, shape)

        all_kept = tally.kept == block.size
        found: dict[str, Any] = {
            axis.name: along if isinstance(axis, WordAxis) and axis.is_record else partial(given.__getitem__, axis.name)
            for along, dimension in zip(block.along, self.grid.dimensions, strict=True)
            for axis in dimension.axes
        }
        found |= {name: values[name] for name in self._computed}
        columns = LaneColumns(found, shape, None if all_kept else kept)
        places = block.all_places()
        return Batch(places if all_kept else places[kept.ravel()], columns, tally)

    def _refuse_absent(self, values: Mapping[str, Any], given: Mapping[str, Any]) -> None:
        """Raise FormulaError, as for one configuration, where every configuration lacks a required input."""
        numbers = {name: math.nan if np.isnan(value).all() else 0.0 for name, value in values.items()}
        numbers |= {name: 0.0 if name in given else math.nan for name in self.program.inputs}
        refuse_lacking(self.wanted, numbers, self.program, self.evaluator.schema, self._first)


def _refuse_size(grid: Grid, asked: SweepQuantities) -> None:
    """Refuse a grid too large to wait for."""
    computed = grid.size if asked.sampled is None else min(asked.sampled, grid.size)
    if asked.sampled is not None and asked.sampled < 1:
        raise refuse("bad-value", f"A sample of {asked.sampled:,} configurations has none", help="Take at least one.")
    if computed <= (_MOST_AT_ALL if asked.anyway else _MOST):
        return
    longest = max(grid.axes, key=lambda axis: axis.length)
    message = f"These values make {grid.size:,} configurations"
    help_ = f"`{longest.name}` alone has {longest.length:,} values: take fewer, such as 1..512*2 or 1..512:8"
    more = "" if asked.anyway else ", or --yes for all of them"
    raise refuse("too-many", message, help=f"{help_}; or --sample 100000{more}.")


def _wanted(evaluator: Evaluator, names: Sequence[str], first: Givens) -> tuple[list[str], dict[str, str]]:
    """The quantities that have a value, and those that lack a choice; raises FormulaError if none has one."""
    if not names:
        raise refuse("missing-value", "Nothing was asked of the configurations", help="Name quantities with --only.")
    lacks = lacking(names, first.values, evaluator.schema)
    if len(lacks) == len(set(names)):
        raise refusal(next(iter(lacks)), first.values, evaluator.schema)
    return [name for name in names if name not in lacks], lacks


def _axis_column(axis: WordAxis | Axis, evaluator: Evaluator) -> Column:
    if isinstance(axis, WordAxis) and axis.is_record:
        return Column(axis.name, Quantified("record"), axis.words, is_axis=True)
    return Column(axis.name, evaluator.schema.quantity(axis.name), is_axis=True)
