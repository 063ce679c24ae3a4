"""Builds feasible layouts axis by axis, so that combinations that a cheap constraint excludes are never built."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from formula_eval.analyse.search.record_grid import Region
from formula_eval.analyse.search.search_plan import Stage
from formula_eval.analyse.sweep.block_values import BlockValues
from formula_eval.analyse.sweep.counts import Tally
from formula_eval.analyse.sweep.grid import GridBlock, Places
from formula_eval.analyse.sweep.validity import Judge, Mask
from formula_eval.evaluate.batch import evaluate_block, held_arrays
from formula_eval.evaluate.views import View

_AT_ONCE = 1 << 19


class Computed(NamedTuple):
    """The values of the configurations of a block, which of them are kept, and the counts of all."""

    values: Mapping[str, Any]
    kept: Mask
    tally: Tally


class FeasibilityTest:
    """Computes quantities and constraints of blocks of a region, and decides which configurations meet them."""

    def __init__(self, evaluator: View, stage: Stage, sought: Sequence[str] = (), told: Sequence[str] = ()) -> None:
        """Compute what the constraints of a stage need, the quantities sought, and what else is reported."""
        nodes = [constraint.node for constraint in stage.constraints]
        self.gaps = {
            condition.node: condition.gap
            for condition in evaluator.conditions
            if condition.gap and condition.node in nodes
        }
        self.constraints = stage.constraints
        self._evaluator = evaluator
        self._held: dict[object, BlockValues] = {}
        self._program = evaluator.program([*sought, *told, *nodes, *self.gaps.values()])
        self._judge = Judge(self._program, evaluator.schema, sought, stage.checks, stage.conditions)

    def prepare(self, region: Region, size: int, *, one_by_one: bool) -> None:
        """Specialise to what a region holds fixed, where that pays for so many configurations; no number changes."""
        self._blocks(region).prepare(size, is_sample=one_by_one)

    def values(self, region: Region, block: GridBlock) -> dict[str, Any]:
        """All values of a block, for configurations kept or not."""
        return evaluate_block(self._program, held_arrays(self._program, region.givens.of(block)))[0]

    def __call__(self, region: Region, block: GridBlock, among: Mask | None = None) -> Computed:
        """The values of a block; only those `among` are kept and counted, where that is given."""
        shape = np.broadcast_shapes((1,), *(array.shape for array in block.along))
        values, failed, given, _ = self._blocks(region).of(block)
        kept, tally = self._judge.judged(values, failed, given, shape, among)
        self._judge.explain(tally, failed, given, shape)
        return Computed(values, kept, tally)

    def _blocks(self, region: Region) -> BlockValues:
        """What computes the blocks of a region."""
        if region.givens not in self._held:
            besides, givens = self._judge.besides, region.givens.of
            self._held[region.givens] = BlockValues(self._evaluator, self._program, besides, region.grid, givens)
        return self._held[region.givens]


class Sieve:
    """Tests the cheap constraints of a region in stages, each as soon as the axes that it reads have values."""

    def __init__(self, evaluator: View, stages: Sequence[Stage], region: Region) -> None:
        """Prepare the stages for this region."""
        self._tests = {stage.depth: FeasibilityTest(evaluator, stage) for stage in stages}
        self.tests = tuple(self._tests.values())
        self._region = region

    def layouts(self, counts: Tally, most: int) -> Places | None:
        """The layouts that no cheap constraint excludes; the others are added to the counts, by reason.

        None where the configurations that are left are more than so many, or those that have to be tested.
        """
        codes = np.zeros(1, np.int64)
        tested = 0
        for depth in range(self._region.depth + 1):
            tested += len(codes) * self._size(depth)
            if tested > most:
                return None
            codes = np.concatenate([codes[:0], *self._left(depth, codes, counts)])
            if len(codes) * self._region.beneath > most:
                return None
        return codes

    def given_up(self) -> Places:
        """The configurations of the stage that left none, with the remaining axes at their first values."""
        codes = np.zeros(1, np.int64)
        for depth in range(self._region.depth + 1):
            left = np.concatenate([codes[:0], *self._left(depth, codes, Tally())])
            if not len(left):
                return np.concatenate([*self._longer(depth, codes)]) * self._beneath(depth)
            codes = left
        return codes * self._region.beneath

    def _left(self, depth: int, codes: Places, counts: Tally) -> Iterator[Places]:
        """Yields each of these with every value of one more axis that the constraints of this depth allow."""
        test = self._tests.get(depth)
        for longer in self._longer(depth, codes):
            if test is None:
                yield longer
                continue
            done = test(self._region, GridBlock(0, len(longer), self._region.along(depth, longer)))
            counts.add_reasons(done.tally.times(self._beneath(depth)))
            yield longer[np.broadcast_to(done.kept, longer.shape)]

    def _longer(self, depth: int, codes: Places) -> Iterator[Places]:
        size = self._size(depth)
        step = max(1, _AT_ONCE // size)
        for start in range(0, len(codes), step):
            yield (codes[start : start + step, None] * size + np.arange(size)).ravel()

    def _size(self, depth: int) -> int:
        return self._region.sizes[depth - 1] if depth else 1

    def _beneath(self, depth: int) -> int:
        return math.prod(self._region.sizes[depth:])
