"""What is left of formulas to the values of some configurations at once, by NumPy."""

from collections.abc import Collection, Mapping

import numpy as np

from formula_eval.core.expression import Expression
from formula_eval.evaluate.codegen import lane_source
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.residual.tables import Configurations, read_outside, vector_of
from formula_eval.evaluate.vector import Kept, Lanes, Value


class NumpyLanes:
    """Formulas that read each other and tables; `wanted` of them are kept."""

    def __init__(
        self, formulas: Mapping[str, Expression], absent: Collection[str], wanted: Collection[str], program: Program
    ) -> None:
        """Print and compile them; `absent` are the flags that may be nan."""
        self._read = read_outside(formulas)
        self._vector = vector_of(lane_source(formulas, self._read, absent))
        self._wanted = wanted
        self._divisor = program.largest_divisor

    def compute(self, tables: Mapping[str, Value], which: Configurations) -> tuple[dict[str, Value], Value]:
        """The values that are kept, and the configurations that failed."""
        given = {name: which.part(tables[name]) for name in self._read}
        lanes, kept = Lanes(given, self._divisor), Kept(self._wanted)
        with np.errstate(all="ignore"):
            self._vector(lanes, kept)
        return dict(kept), lanes.failed
