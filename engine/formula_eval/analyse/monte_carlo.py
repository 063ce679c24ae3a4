"""Evaluates a quantity under uncertain inputs at many sample points of the unit cube, one lane for each."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from formula_eval.analyse.identity import Identity
from formula_eval.analyse.sweep.block_values import BlockValues
from formula_eval.analyse.sweep.grid import Grid, GridBlock, GridDimension
from formula_eval.analyse.uncertain_inputs import drawn, parted
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.vector import Array
from formula_eval.records.axis import Axis
from formula_eval.records.givens import Question

_LANES = 1 << 14  # that are computed at once


class Draws:
    """Evaluates one quantity under uncertain inputs; configurations that checks refuse have no value."""

    def __init__(self, evaluator: Evaluator, question: Question, name: str) -> None:
        """Read what is asked.

        Raises FormulaError where no input is uncertain, an interval is unfit, or the quantity is not a number or reads
        nothing that is uncertain.
        """
        evaluator = evaluator.holding()
        self.evaluator, self.question, self.name = evaluator, question, name
        self.quantity = evaluator.select_one(name, question)
        if evaluator.schema.quantity(self.quantity).kind not in ("number", "whole"):
            message = f"`{self.quantity}` is not a number, so it has no spread"
            raise refuse("no-quantity", message, help="Name a number.")
        self.uncertain, self._sure = parted(evaluator, question)
        givens = evaluator.givens(self._sure)
        self._given = givens.values
        speaking = evaluator.speaking([self.quantity], givens, question.namespace, named=True)
        self._checks = [each.name for each in speaking if each.level == "refuse"]
        self._program = evaluator.program([self.quantity, *self._checks])
        unread = [each.schema.name for each in self.uncertain if each.schema.name not in self._program.inputs]
        if len(unread) == len(self.uncertain):
            message = f"`{self.quantity}` does not depend on {' or '.join(unread)}"
            raise refuse("not-read", message, help="Vary what it reads.")

    @cached_property
    def identity(self) -> Identity:
        """The identity of these draws: the formulas, what is asked, and what is given."""
        return Identity.of(self.evaluator, self.question, (self.quantity, self._given), only=self.name)

    def values(self, points: Array) -> Array:
        """The values at points (a row each, a column for each uncertain input); nan where there is none."""
        lanes = {each.schema.name: drawn(each, points[:, place]) for place, each in enumerate(self.uncertain)}

        def given(block: GridBlock) -> Mapping[str, Any]:
            return {**self._given, **{name: values[block.along[0]] for name, values in lanes.items()}}

        size = len(points)
        axes = tuple(Axis(name, values.tolist(), repeats=True) for name, values in lanes.items())
        computed = BlockValues(self.evaluator, self._program, (), Grid(self._sure, (GridDimension(axes, size),)), given)
        computed.prepare(size, "numpy", is_sample=True)
        found = np.empty(size)
        for start in range(0, size, _LANES):
            places = np.arange(start, min(start + _LANES, size))
            values, failed, *_ = computed.of(GridBlock(start, len(places), (places,), places))
            fits = ~np.asarray(failed)
            for each in self._checks:
                fits = fits & (np.asarray(values[each]) != 0)
            found[places] = np.where(fits, values[self.quantity], np.nan)
        return found
