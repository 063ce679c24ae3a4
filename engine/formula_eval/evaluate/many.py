"""A program and arrays of givens to arrays of results, block by block, so that memory stays bounded."""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from formula_eval.evaluate.program import Program
from formula_eval.evaluate.vector import Array, Block, Kept, Lanes, Value, array_of, blocks, first_place, part


def evaluate_many(
    program: Program, givens: Mapping[str, Value], chunk: int = 16384, failures: Literal["raise", "nan"] = "raise"
) -> dict[str, Array]:
    """The wanted values as arrays of floats, for givens that are numbers or arrays of shapes that broadcast.

    On a grid (one axis for each swept input) a node is computed only over the axes that it depends on. Memory
    does not grow with the number of configurations, but for the results. A configuration that fails raises
    FormulaError, or with failures="nan" is nan in all results.
    """
    kinds = program.kinds.items()
    held = {name: array_of(kind, givens[name]) for name, kind in kinds if givens.get(name) is not None}
    shape = np.broadcast_shapes(*(np.shape(value) for value in givens.values() if value is not None))
    results = {name: np.empty(shape) for name in program.wanted}
    with np.errstate(all="ignore"):
        for block in blocks(shape, chunk):
            failed = _evaluate_block(
                program, {name: part(value, block) for name, value in held.items()}, block, results
            )
            if np.any(failed) and failures == "raise":
                place = first_place(failed, block)
                raise program.failure({n: np.broadcast_to(v, shape)[place].item() for n, v in held.items()}, place)
    return results


def _evaluate_block(program: Program, given: Mapping[str, Value], block: Block, results: Mapping[str, Array]) -> Value:
    """Fill in the results of one block; which lanes failed."""
    lanes, kept = Lanes(given, program.largest_divisor), Kept(results)
    program.vector(lanes, kept)
    failed = lanes.failed
    if any(np.isnan(value).any() for value in kept.values()):
        everything = Kept(row.name for row in program.rows)
        program.vector(Lanes(given, program.largest_divisor), everything)
        for name in kept:
            failed = failed | _not_a_number(program, everything, name)
    for name, value in kept.items():
        results[name][block] = np.where(failed, np.nan, value) if np.any(failed) else value
    return failed


def _not_a_number(program: Program, values: Mapping[str, Value], name: str) -> Value:
    """The lanes where this value is nan for another reason than that an input is absent."""
    open_lanes, failed = np.isnan(values[name]), np.False_
    for row in program.ancestors(name):
        if not np.any(open_lanes):
            break
        begins = open_lanes & np.isnan(values[row.name])
        for parent in row.parents:
            begins = begins & ~np.isnan(values[program.rows[parent].name])
        failed = failed if program.may_be_absent(row) else failed | begins
        open_lanes = open_lanes & ~begins
    return failed
