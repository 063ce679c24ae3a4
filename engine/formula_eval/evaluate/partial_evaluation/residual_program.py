"""Computes any configurations of a grid from tables and residual formulas, with the results of the full program."""

from collections.abc import Iterable, Mapping
from functools import reduce

import numpy as np

from formula_eval.core.graph import FormulaGraph
from formula_eval.core.unit import UnitTable
from formula_eval.evaluate.batch import evaluate_block, held_arrays
from formula_eval.evaluate.partial_evaluation.grid_tables import Configurations, Gathered, Named, Tables
from formula_eval.evaluate.partial_evaluation.node_facts import node_facts
from formula_eval.evaluate.partial_evaluation.partial_evaluator import Residue, residue
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.vector import Value

MOST = 1 << 17  # combinations of a table: as many as a block of configurations has


def residue_of(
    program: Program, graph: FormulaGraph, units: UnitTable, given: Mapping[str, Value], besides: Iterable[str]
) -> Residue:
    """The residue of the wanted nodes and others; `given` holds the values of inputs over the whole grid."""
    facts = node_facts(program, held_arrays(program, given))
    return residue(graph, units, (*program.wanted, *besides), facts)


class ResidualProgram:
    """Computes configurations of a grid as `evaluate_block` does: the same values, the same failures."""

    def __init__(self, program: Program, left: Residue, given: Mapping[str, Value], most: int = MOST) -> None:
        """Compute the tables; `given` are the values of inputs over the whole grid, nan where absent.

        `known` are then the values that are the same in all configurations.
        """
        self._program = program
        self._unsure = [name for name in program.wanted if name in left.unsure]
        self._given = given
        self._tables = Tables(left, held_arrays(program, given), program, most)
        uniform = {name: value for name, value in self._tables.values.items() if _is_uniform(value)}
        self.known: dict[str, float] = dict(left.known)
        self.known |= {n: float(np.ravel(uniform[same])[0]) for n, same in left.same.items() if same in uniform}
        self._same = {name: same for name, same in left.same.items() if name not in self.known}

    def compute(self, which: Configurations) -> tuple[Mapping[str, Value], Value]:
        """The values of the wanted nodes and further ones, and which configurations failed."""
        computed, failed = self._tables.lanes.compute(which, self._tables.values, self._program)
        found = Gathered(which, self._tables.values, computed)
        for failure in self._tables.failures:
            failed = failed | which.part(failure)
        values = Named(self.known, self._same, found)
        return values, self._failed(values, failed, which)

    @property
    def tables(self) -> Mapping[str, Value]:
        """The values over the whole grid of the nodes that have a table."""
        values = self._tables.values
        return self.known | {name: values[same] for name, same in self._same.items() if same in values}

    def given(self, which: Configurations) -> Mapping[str, Value]:
        """The givens of some configurations."""
        return Gathered(which, self._given, {})

    def _failed(self, values: Mapping[str, Value], failed: Value, which: Configurations) -> Value:
        """The configurations that failed, and those where a wanted value is nan although no input is absent."""
        absent = [mask for mask in (np.isnan(values[name]) for name in self._unsure) if mask.any()]
        if not absent:
            return failed
        unclear = reduce(np.logical_or, absent) & ~np.asarray(failed)
        if not unclear.any():
            return failed
        shape = which.shape
        lanes = np.nonzero(np.broadcast_to(unclear, shape))
        given = {name: np.broadcast_to(value, shape)[lanes] for name, value in self.given(which).items()}
        found = np.array(np.broadcast_to(failed, shape))
        found[lanes] = evaluate_block(self._program, held_arrays(self._program, given))[1]
        return found


def _is_uniform(value: Value) -> bool:
    """Whether all values of a table are the same number."""
    numbers = np.ravel(value)
    return bool((numbers == numbers[0]).all())
