"""Tests boxes against the conditions and checks that must hold, and weighs the dimensions that decide the others."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from formula_eval.analyse.optimum.box_givens import BoxGivens
from formula_eval.analyse.optimum.open_boxes import OpenBoxes
from formula_eval.evaluate.bounds.box_operations import Bound
from formula_eval.evaluate.bounds.choice_sets import may_fail, may_hold
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.vector import Array
from formula_eval.records.schema import CheckSchema

_FEW = 256  # what needs no more nodes is cheap to tell


class _Demand(NamedTuple):
    """A flag that has to hold, its name in messages, the dimensions that it depends on, and whether it is cheap."""

    node: str
    text: str
    dimensions: tuple[int, ...]
    is_cheap: bool


class Demands:
    """The conditions, and the checks for which nothing is missing: where one cannot hold, a box has no answer."""

    def __init__(
        self,
        evaluator: Evaluator,
        program: Program,
        boxes: BoxGivens,
        conditions: Mapping[str, str],
        checks: Sequence[CheckSchema],
    ) -> None:
        """Demands of a program that computes all of them; conditions are nodes by text."""
        self._evaluator, self._boxes = evaluator, boxes
        named = [*((node, text) for text, node in conditions.items()), *((check.name, check.name) for check in checks)]
        found = (self._demand(node, text, program, is_check=node == text) for node, text in named)
        self._demands = [demand for demand in found if demand is not None]

    def _demand(self, node: str, text: str, program: Program, *, is_check: bool) -> _Demand | None:
        nodes = program.ancestors([node])
        inputs = [name for name in nodes if name in program.inputs]
        schemas = (self._evaluator.schema.inputs[name] for name in inputs)
        required = [schema.name for schema in schemas if schema.is_required and not schema.is_open_choice]
        if is_check and not all(map(self._boxes.always_given, required)):
            return None
        return _Demand(node, text, tuple(sorted(self._boxes.dimensions_of(inputs))), len(nodes) <= _FEW)

    @cached_property
    def _cheap(self) -> Program:
        return self._evaluator.program([demand.node for demand in self._demands if demand.is_cheap])

    @property
    def costly(self) -> list[str]:
        """The nodes of the demands that are not cheap."""
        return [demand.node for demand in self._demands if not demand.is_cheap]

    def failing(self, boxes: OpenBoxes, found: Mapping[str, Bound] | None = None) -> Iterator[tuple[str, Array]]:
        """Yields each demand with the boxes in which it holds nowhere: cheap ones, or costly ones by their bounds."""
        held = self._boxes.bounds(self._cheap, boxes) if found is None else found
        for demand in self._demands:
            if demand.is_cheap == (found is None):
                yield demand.text, np.broadcast_to(~np.asarray(may_hold(held[demand.node])), len(boxes))

    def weights(self, boxes: OpenBoxes) -> Array:
        """For each box and dimension, how many undecided cheap demands read it; 0 where it has a single value."""
        weights = np.zeros(boxes.first.shape)
        found = self._boxes.bounds(self._cheap, boxes)
        for demand in self._demands:
            if demand.is_cheap and demand.dimensions:
                weights[:, demand.dimensions] += np.broadcast_to(may_fail(found[demand.node]), len(boxes))[:, None]
        return np.where(boxes.last - boxes.first > 1, weights, 0.0)
