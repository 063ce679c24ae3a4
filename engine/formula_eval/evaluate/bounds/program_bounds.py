"""A program and boxes of configurations to bounds of what is wanted."""

from collections.abc import Iterable, Mapping

import numpy as np

from formula_eval.evaluate.bounds.boxes import Bound, Boxes
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.vector import Kept


def bounded(program: Program, given: Mapping[str, Bound], besides: Iterable[str] = ()) -> dict[str, Bound]:
    """Bounds of the wanted values and of other nodes: for each box a set that holds the value wherever there is one.

    `given` has for each input an `Interval`, `Words`, or one value that is the same in all boxes; inputs that it lacks
    have their default.
    """
    kept = Kept((*program.wanted, *besides))
    with np.errstate(all="ignore"):
        program.vector(Boxes(given, program.largest_divisor), kept)
    return dict(kept)
