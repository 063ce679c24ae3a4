"""Computes the values of a sweep's blocks, by the full program or by one specialised to the grid.

A specialised program takes a second to make and then a fraction of the time, so it pays for many configurations.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from formula_eval.analyse.sweep.grid import Grid, GridBlock
from formula_eval.evaluate.batch import evaluate_block, held_arrays
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.partial_evaluation.grid_tables import Configurations
from formula_eval.evaluate.partial_evaluation.residual_program import MOST, ResidualProgram, residue_of
from formula_eval.evaluate.program import Program
from formula_eval.file_hash import sha256

_LONGEST = 1 << 20  # points of a dimension that are held at once
_ALONE, _SHARED = 4e-9, 0.15e-9  # seconds that a node takes for each configuration of a sample, and of a grid
_MAKING, _READING = 1.2, 0.3  # seconds until a residue is made, and until one that was kept is read


class Found(NamedTuple):
    """The values of a block by node, which configurations failed, and the inputs that were given.

    `part` gives the block's part of an array over the whole grid.
    """

    values: Mapping[str, Any]
    failed: Any
    given: Mapping[str, Any]
    part: Callable[[Any], Any] = lambda each: each


class BlockValues:
    """Computes the blocks of a sweep: the wanted nodes of a program, and those `besides`."""

    def __init__(
        self,
        evaluator: Evaluator,
        program: Program,
        besides: Iterable[str],
        grid: Grid,
        givens: Callable[[GridBlock], Mapping[str, Any]],
    ) -> None:
        """Compute with the full program, unless `prepare` finds that a specialised one pays.

        `givens` are a number or an array for each input in a block; nan where nobody gave one.
        """
        self._evaluator = evaluator
        self._program = program
        self._besides = tuple(besides)
        self._grid = grid
        self._givens = givens
        self._residual: ResidualProgram | None = None

    def prepare(self, size: int, *, is_sample: bool) -> None:
        """Specialise where that pays for so many configurations."""
        dimensions = self._grid.dimensions
        if not dimensions or max(dimension.size for dimension in dimensions) > _LONGEST:
            return
        if self._pays(size * (_ALONE if is_sample else _SHARED)):
            self.specialise(min(MOST, size // 2))

    def _pays(self, cost: float) -> bool:
        """Whether specialising pays, where each node costs so many seconds."""
        seconds = cost * len(self._program.names)
        return seconds > _READING and (seconds > _MAKING or self._evaluator.cache.get(self._key) is not None)

    def specialise(self, most: int = MOST) -> ResidualProgram:
        """Specialise to what the grid holds fixed, and tabulate what depends on at most `most` combinations."""
        left = self._evaluator.cache.get_object(self._key, tuple)
        if left is None:
            units = self._evaluator.library.units
            left = residue_of(self._program, self._evaluator.graph, units, self._whole, self._besides)
            self._evaluator.cache.put_object(self._key, left)
        self._residual = ResidualProgram(self._program, left, self._whole, most)
        return self._residual

    def of(self, block: GridBlock) -> Found:
        """The values of a block."""
        if self._residual is None:
            given = self._givens(block)
            return Found(*evaluate_block(self._program, held_arrays(self._program, given), self._besides), given)
        which = Configurations(block.along, is_box=block.places is None)
        return Found(*self._residual.compute(which), self._residual.given(which), which.part)

    @property
    def known(self) -> Mapping[str, float]:
        """The values that are found to be the same in all configurations."""
        return self._residual.known if self._residual is not None else {}

    @property
    def whole(self) -> tuple[Mapping[str, Any], Mapping[str, Any]] | None:
        """The values of `besides` and the givens over the whole grid, where both are already available."""
        known = self._residual.tables if self._residual is not None else {}
        return (known, self._whole) if all(name in known for name in self._besides) and known else None

    @cached_property
    def _whole(self) -> Mapping[str, Any]:
        """The givens over the whole grid."""
        return self._givens(self._grid.whole)

    @cached_property
    def _key(self) -> str:
        """The cache key of this residue: a hash of the program and every value of its inputs."""
        digest = sha256(self._evaluator.key((*self._program.wanted, "", *self._besides)).encode())
        for name, value in sorted(self._whole.items()):
            array = np.asarray(value, float)
            digest.update(f"{name} {array.shape} ".encode() + array.tobytes())
        return f"{digest.hexdigest()}-residue"
