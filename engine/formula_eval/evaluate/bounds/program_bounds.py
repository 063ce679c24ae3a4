"""Computes bounds of a program's wanted values over boxes of configurations."""

from collections.abc import Iterable, Mapping

import numpy as np

from formula_eval.evaluate.bounds.box_operations import Bound, Boxes
from formula_eval.evaluate.bounds.choice_sets import Words
from formula_eval.evaluate.bounds.interval import Interval
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.vector import Kept, array_of


def bounded(
    program: Program,
    given: Mapping[str, Bound],
    besides: Iterable[str] = (),
    ranges: Mapping[str, tuple[float, float]] = {},
) -> dict[str, Bound]:
    """Bounds of the wanted values and of other nodes: for each box a set that holds the value wherever there is one.

    `given` has for each input an `Interval`, `Words`, or one value that is the same in all boxes; inputs that it lacks
    have their default: one that lies in its range, where `ranges` has one.
    """
    kept = Kept((*program.wanted, *besides))
    with np.errstate(all="ignore"):
        program.vector(Boxes(held_bounds(program, given), program.largest_divisor, ranges), kept)
    return dict(kept)


def held_bounds(program: Program, given: Mapping[str, Bound]) -> dict[str, Bound]:
    """The givens that a program reads, with single values converted to the form in which it computes."""
    return {
        name: given[name] if isinstance(given[name], Interval | Words) else array_of(kind, given[name])
        for name, kind in program.inputs.items()
        if name in given
    }
