"""Refuses a sweep with an axis that changes nothing: no column, no condition, and no check."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from formula_eval.analyse.default_remarks import default_remarks
from formula_eval.analyse.ineffective_inputs import same_values
from formula_eval.analyse.sweep.grid import GridDimension
from formula_eval.analyse.sweep.sweep_batches import Sweep
from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.evaluate.situation import titles
from formula_eval.records.input_names import said_as

# Configurations beside which an axis is tried before all are computed, and how many are all, at most.
_TRIED, _ALL = 6, 1 << 17
_MOST_NAMED = 3


def refuse_idle_axes(sweep: Sweep) -> None:
    """Raise FormulaError for the axes that change nothing, with the quantities that they would change."""
    idle = [dimension for dimension in sweep.grid.dimensions if dimension.size > 1 and not _moves(sweep, dimension)]
    if not idle:
        return
    names = [axis.name for dimension in idle for axis in dimension.axes]
    options = [said_as(name, sweep.grid.question.origin, sweep.schema.kinds) for name in names]
    message = f"{' and '.join(options)} {'varies' if len(names) == 1 else 'vary'}, but no column changes"
    moved = _moved(sweep, idle[0])
    told = (
        f"It changes {', '.join(f'`{name}`' for name in moved)}: name them with --only, or leave it out."
        if moved
        else "Nothing that heads an answer changes with it here: leave it out, or name with --only what does."
    )
    here = sweep.grid.question_at(dict.fromkeys((axis.name for axis in sweep.grid.axes), 0), sweep.schema)
    first = default_remarks(sweep.evaluator, here, sweep.wanted)[:1]
    raise refuse("idle-axis", message, help=" ".join([*first, told]))


def _moves(sweep: Sweep, dimension: GridDimension) -> bool:
    """Whether anything differs along a dimension: at a few configurations, or else anywhere in the grid.

    Where none of these has an answer, the sweep itself says why.
    """
    tried = list(_tried(sweep, dimension, sweep.program.wanted))
    if any(_differ(ends, sweep.program.wanted) for ends in tried) or not any(any(ends) for ends in tried):
        return True
    read = sweep.program.kinds
    if not any(getattr(axis, "is_record", False) or axis.name in read for axis in dimension.axes):
        return False
    return sweep.grid.size > _ALL or _moves_anywhere(sweep, sweep.grid.dimensions.index(dimension))


def _tried(
    sweep: Sweep, dimension: GridDimension, wanted: Sequence[str]
) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Yields all values at both ends of a dimension, for a few configurations; empty where one fails."""
    grid, draw = sweep.grid, np.random.default_rng(0)
    program = sweep.evaluator.program(wanted)
    for number in range(_TRIED):
        beside = {each: int(draw.integers(each.size)) if number else 0 for each in grid.dimensions}
        ends = []
        for place in (0, dimension.size - 1):
            at = {**beside, dimension: place}
            chosen = {axis.name: at[each] for each in grid.dimensions for axis in each.axes}
            try:
                givens = sweep.evaluator.givens(grid.question_at(chosen, sweep.schema))
                values = program.evaluate(givens.values)
                absent = all(math.isnan(values[name]) for name in wanted if name in sweep.schema.formulas)
                ends.append({} if absent else values)
            except FormulaError:
                ends.append({})
        yield ends[0], ends[1]


def _differ(ends: tuple[Mapping[str, Any], Mapping[str, Any]], names: Sequence[str]) -> bool:
    """Whether just one of both fails, or one of these quantities differs; values absent in both are equal."""
    one, other = ends
    if not one or not other:
        return bool(one) != bool(other)
    return not same_values(one, other, names)


def _moves_anywhere(sweep: Sweep, number: int) -> bool:
    """Whether anything differs along a dimension of the whole grid."""
    found = sweep.values().of(sweep.grid.whole)
    values = [np.asarray(found.values[name], float) for name in sweep.program.wanted]
    return any(_varies(array, number) for array in (*values, np.asarray(found.failed, float)))


def _varies(values: Any, axis: int) -> bool:  # noqa: ANN401 - an array of any shape
    """Whether numbers differ along an axis of the grid, on which those that do not depend on it have no length."""
    if values.ndim <= axis or values.shape[axis] == 1:
        return False
    first = np.take(values, [0], axis)
    return bool(np.any((values != first) & ~(np.isnan(values) & np.isnan(first))))


def _moved(sweep: Sweep, dimension: GridDimension) -> Sequence[str]:
    """Some of the quantities shown first that differ along a dimension."""
    wanted = [
        title for title in titles(sweep.library, sweep.grid.question.about(sweep.library)) if title not in sweep.wanted
    ]
    found = dict.fromkeys(
        name for ends in _tried(sweep, dimension, wanted) if all(ends) for name in wanted if _differ(ends, [name])
    )
    return list(found)[:_MOST_NAMED]
