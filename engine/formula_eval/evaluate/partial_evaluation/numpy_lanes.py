"""Evaluates the residual formulas of a block of configurations with NumPy."""

from collections.abc import Callable, Mapping

import numpy as np

from formula_eval.evaluate.codegen import lane_source
from formula_eval.evaluate.partial_evaluation.grid_tables import Configurations, vector_of
from formula_eval.evaluate.partial_evaluation.lane_formulas import LaneFormulas
from formula_eval.evaluate.vector import Kept, Lanes, Value


class NumpyLanes:
    """Computes residual formulas for any configurations of a grid."""

    def __init__(
        self, lanes: LaneFormulas, tables: Mapping[str, Value], divisor: Callable[[float, float], float]
    ) -> None:
        """Print and compile them; `divisor` finds one largest divisor."""
        self._vector = vector_of(lane_source(lanes.formulas, lanes.tables, lanes.absent))
        self._tables = {name: tables[name] for name in lanes.tables}
        self._wanted = lanes.wanted
        self._divisor = divisor

    def compute(self, which: Configurations) -> tuple[dict[str, Value], Value]:
        """The values that are kept, and the configurations that failed."""
        given = {name: which.part(table) for name, table in self._tables.items()}
        lanes, kept = Lanes(given, self._divisor), Kept(self._wanted)
        with np.errstate(all="ignore"):
            self._vector(lanes, kept)
        return dict(kept), lanes.failed
