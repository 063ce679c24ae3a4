"""Blocks of a grid to the values of a program: by the program itself, or by what the grid leaves open of it.

The latter takes a second to make, and then a tenth of the time, so that it is made where there are many.
"""

import math
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from formula_eval.analyse.sweep.grid import Block, Grid
from formula_eval.analyse.sweep.lane_givens import LaneGivens
from formula_eval.digest import sha256
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.many import evaluate_block, held_arrays
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.residual.residual_program import MOST, ResidualProgram, residue_of
from formula_eval.evaluate.residual.tables import Configurations

_LONGEST = 1 << 20  # points of a dimension that are held at once
_ALONE, _SHARED = 4e-9, 0.15e-9  # seconds that a node takes for each configuration of a sample, and of a grid
_MAKING, _READING = 1.2, 0.3  # seconds until a residue is made, and until one that was kept is read


class Found(NamedTuple):
    """The values of a block by node, which configurations failed, and what inputs were given."""

    values: Mapping[str, Any]
    failed: Any
    given: Mapping[str, Any]


class BlockValues:
    """Computes the blocks of a sweep: the wanted nodes of a program, and those `besides`."""

    def __init__(
        self, evaluator: Evaluator, program: Program, besides: Iterable[str], grid: Grid, givens: LaneGivens
    ) -> None:
        """Compute with the program itself, until `specialise` is called."""
        self._evaluator = evaluator
        self._program = program
        self._besides = tuple(besides)
        self._grid = grid
        self._givens = givens
        self._residual: ResidualProgram | None = None

    def pays(self, size: int, *, is_sample: bool) -> bool:
        """Whether so many configurations are worth what `specialise` takes."""
        cost = size * len(self._program.names) * (_ALONE if is_sample else _SHARED)
        if cost < _READING or max((each.size for each in self._grid.dimensions), default=0) > _LONGEST:
            return False
        return cost > _MAKING or self._evaluator.cache.get(self._key) is not None

    def specialise(self, most: int = MOST) -> None:
        """Fold in what the grid holds fixed, and compute once what depends on so many combinations at most."""
        left = self._evaluator.cache.get_object(self._key)
        if left is None:
            units = self._evaluator.library.units
            left = residue_of(self._program, self._evaluator.graph, units, self._whole, self._besides)
            self._evaluator.cache.put_object(self._key, left)
        self._residual = ResidualProgram(self._program, left, self._whole, most)

    def of(self, block: Block) -> Found:
        """What a block gives."""
        if self._residual is None:
            given = self._givens.of(block)
            return Found(*evaluate_block(self._program, held_arrays(self._program, given), self._besides), given)
        which = Configurations(block.along, is_box=block.places is None)
        return Found(*self._residual.compute(which), self._residual.given(which))

    @cached_property
    def _whole(self) -> Mapping[str, Any]:
        """What inputs are given over the whole grid."""
        sizes = [each.size for each in self._grid.dimensions]
        shapes = ([-1 if axis == each else 1 for axis in range(len(sizes))] for each in range(len(sizes)))
        along = tuple(np.arange(size).reshape(shape) for size, shape in zip(sizes, shapes, strict=True))
        return self._givens.of(Block(0, math.prod(sizes), along))

    @cached_property
    def _key(self) -> str:
        """What tells this residue from any other: the program, and every value of its inputs."""
        digest = sha256(self._evaluator.key((*self._program.wanted, "", *self._besides)).encode())
        for name, value in sorted(self._whole.items()):
            array = np.asarray(value, float)
            digest.update(f"{name} {array.shape} ".encode() + array.tobytes())
        return f"{digest.hexdigest()}-residue"
