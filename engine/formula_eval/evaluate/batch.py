"""Evaluates a program over arrays of givens with NumPy, block by block, so that memory stays bounded."""

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from itertools import product
from typing import Literal

import numpy as np

from formula_eval.evaluate.program import Program
from formula_eval.evaluate.vector import Array, Kept, Lanes, Value, array_of

Block = tuple[slice, ...]


def evaluate_many(
    program: Program, givens: Mapping[str, Value], chunk: int = 16384, failures: Literal["raise", "nan"] = "raise"
) -> dict[str, Array]:
    """The wanted values as arrays of floats, for givens that are numbers or arrays of shapes that broadcast.

    On a grid (one axis for each swept input) a node is computed only over the axes that it depends on. Memory
    does not grow with the number of configurations, but for the results. A configuration that fails raises
    FormulaError, or with failures="nan" is nan in all results.
    """
    held = held_arrays(program, givens)
    shape = np.broadcast_shapes(*(np.shape(value) for value in givens.values() if value is not None))
    results = {name: np.empty(shape) for name in program.wanted}
    for block in blocks(shape, chunk):
        values, failed = evaluate_block(program, {name: part(value, block) for name, value in held.items()})
        for name, value in values.items():
            results[name][block] = np.where(failed, np.nan, value) if np.any(failed) else value
        if np.any(failed) and failures == "raise":
            place = first_place(failed, block)
            raise program.failure({n: np.broadcast_to(v, shape)[place].item() for n, v in held.items()}, place)
    return results


def held_arrays(program: Program, givens: Mapping[str, Value]) -> dict[str, Value]:
    """The givens that a program reads, converted to the form in which it computes."""
    return {name: array_of(kind, givens[name]) for name, kind in program.kinds.items() if givens.get(name) is not None}


def evaluate_block(
    program: Program, held: Mapping[str, Value], besides: Iterable[str] = ()
) -> tuple[dict[str, Value], Value]:
    """The wanted values and those of other nodes, each over the axes that it depends on, and which lanes failed.

    `held` are arrays of shapes that broadcast, all of them computed with at once.
    """
    wanted = frozenset(program.wanted)
    lanes, kept = Lanes(held, program.largest_divisor), Kept((*wanted, *besides))
    with np.errstate(all="ignore"):
        program.vector(lanes, kept)
        failed = lanes.failed
        open_values = [name for name, value in kept.items() if name in wanted and np.isnan(value).any()]
        if open_values:
            everything = Kept(program.names)
            program.vector(Lanes(held, program.largest_divisor), everything)
            failed = failed | _not_a_number(program, everything, open_values)
    return dict(kept), failed


def _not_a_number(program: Program, values: Mapping[str, Value], names: Iterable[str]) -> Value:
    """The lanes where one of these values is nan for another reason than that an input is absent."""
    nowhere = len(program.names)
    begins: dict[str, Value] = {}  # where nan began that a node passes on, as the number of the first such node
    absent = np.array([*(name in program.without_default for name in program.names), True])
    for number, name in enumerate(program.names):
        is_nan = np.isnan(values[name])
        if np.any(is_nan):
            passed = [
                begins[read] for read in (program.names[parent] for parent in program.parents[number]) if read in begins
            ]
            first = reduce(np.minimum, passed, np.intp(nowhere))
            begins[name] = np.where(is_nan, np.where(first == nowhere, number, first), nowhere)
    failed: Value = np.False_
    for name in names:
        failed = failed | ~absent[begins[name]]
    return failed


def blocks(shape: tuple[int, ...], most: int) -> Iterator[Block]:
    """Splits a grid into blocks of at most `most` lanes, cut along its longest axes."""
    steps = list(shape)
    while (size := math.prod(steps)) > most:
        axis = steps.index(max(steps))
        steps[axis] = max(1, most * steps[axis] // size)
    starts = (range(0, length, max(1, step)) for length, step in zip(shape, steps, strict=True))
    for corner in product(*starts):
        yield tuple(slice(start, start + step) for start, step in zip(corner, steps, strict=True))


def part(value: Value, block: Block) -> Value:
    """Slices a given to one block; an axis of length 1 serves every block."""
    if not isinstance(value, np.ndarray):
        return value
    own = block[len(block) - value.ndim :]
    return value[tuple(slice(None) if length == 1 else cut for length, cut in zip(value.shape, own, strict=True))]


def first_place(failed: Value, block: Block) -> tuple[int, ...]:
    """The index in the whole grid of the first failed lane of a block."""
    shape = np.shape(failed)
    inner = np.unravel_index(int(np.argmax(failed)), shape) if shape else ()
    padded = (0,) * (len(block) - len(inner)) + tuple(int(each) for each in inner)
    return tuple(cut.start + number for cut, number in zip(block, padded, strict=True))
