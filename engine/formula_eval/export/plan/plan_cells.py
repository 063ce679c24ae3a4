"""Says in what unit and form a quantity of a plan stands in a cell, and spells the formulas that read such cells."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from formula_eval.analyse.plan.demand import PlanColumn
from formula_eval.core import expression as e
from formula_eval.core.graph import Node
from formula_eval.core.type import Date
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.fold import Fold, typed_constant
from formula_eval.evaluate.value import base_unit
from formula_eval.export.workbook import units
from formula_eval.printing.excel import ExcelNames, ExcelPrinter

FormulaOf = Callable[[str], "e.Expression | None"]
_DEPTH = 4  # formulas without a cell, within each other
_IN_BASE = units.UnitScale()


@dataclass(frozen=True, slots=True)
class PlanQuantity:
    """A quantity that cells of a plan hold: what is told of it, its node, and the unit of the cells."""

    entry: PlanColumn
    node: Node
    scale: units.UnitScale

    @property
    def name(self) -> str:
        """The quantity."""
        return self.entry.name

    @property
    def key(self) -> tuple[str, str]:
        """The quantity, and the hour at which it is told."""
        return self.entry.name, self.entry.hour

    @property
    def form(self) -> str:
        """The number format of the cells."""
        if isinstance(self.node.type, Date):
            return units.DATE_FORMAT
        if self.scale.unit == "percent":
            return units.PERCENT_FORMAT
        if "USD" in self.scale.unit:
            return units.money_format("")
        if base_unit(self.node.quantity) == "s":
            return units.TIME_FORMAT
        return units.WHOLE_FORMAT if getattr(self.node.type, "whole", False) else units.ANY_FORMAT

    @property
    def unit(self) -> str:
        """The unit as a column of its own tells it: shares are written with their sign."""
        return "" if self.scale.unit == "percent" else self.scale.unit

    @property
    def titled(self) -> str:
        """The title with the unit behind it, unless it says that itself: GPUs."""
        return self.entry.title if self.unit in self.entry.title else f"{self.entry.title}, {self.unit}"


def fields_of(entry: PlanColumn, evaluator: Evaluator) -> tuple[PlanColumn, Node, units.UnitScale]:
    """What a `PlanQuantity` knows of an entry."""
    node = evaluator.graph.nodes[entry.name]
    if isinstance(node.type, Date):
        return entry, node, units.Day()
    if entry.unit and entry.unit != "percent":
        return entry, node, units.UnitScale(entry.unit, evaluator.library.units.parse(entry.unit).scale)
    if node.quantity.is_multiple and not entry.unit:
        return entry, node, units.UnitScale(node.unit, node.shown_in.scale)
    return entry, node, units.UnitScale(entry.unit or base_unit(node.quantity))


class PlanCells(NamedTuple):
    """Where the quantities of an alternative stand, in base units, and the formula of a name."""

    places: Mapping[str, str]
    formula_of: FormulaOf

    def with_more(self, places: Mapping[str, str]) -> "PlanCells":
        """These cells and others, which go before them."""
        return self._replace(places={**self.places, **places})

    def text(self, name: str, scale: units.UnitScale = _IN_BASE) -> str | None:
        """The formula of a name over these cells; None where something that it reads has none."""
        return live_text(name, scale, self.places.get, self.formula_of)


def formulas_of(evaluator: Evaluator, values: Mapping[str, float]) -> FormulaOf:
    """The formula of a name, None where it has none, with finite values instead of names."""
    nodes = evaluator.graph.nodes
    known = {name: value for name, value in values.items() if math.isfinite(value)}
    inputs = (nodes[name] for name in evaluator.schema.inputs if name in nodes)
    positive = {node.name for node in inputs if node.low is not None and node.low >= 0}

    def value(read: e.Reference) -> e.Expression:
        return typed_constant(known[read.node], nodes[read.node].type) if read.node in known else read

    fold = Fold(evaluator.library.units, value, never_negative=positive)

    def formula(name: str) -> e.Expression | None:
        found = nodes[name].expression if name in nodes else None
        return fold(found) if found is not None and known else found

    return formula


def live_text(
    name: str, scale: units.UnitScale, cell_of: Callable[[str], str | None], formula_of: FormulaOf
) -> str | None:
    """The formula of a name in the unit of its cell; None where something that it reads has no cell.

    `cell_of` gives what a name is in base units. The formula of what has no cell stands in the place of its name.
    """
    missing: list[str] = []

    def names(depth: int) -> ExcelNames:
        def spelled(name: str) -> str:
            found = cell_of(name)
            if found is None:
                inner = formula_of(name) if depth < _DEPTH else None
                if inner is None:
                    missing.append(name)
                    return "0"
                found = ExcelPrinter(names(depth + 1)).text(inner)
            return found if found.isalnum() else f"({found})"

        return ExcelNames(spelled, lambda name: f'{spelled(name)}<>""')

    formula = formula_of(name)
    if formula is None:
        return None
    text = ExcelPrinter(names(0)).text(formula)
    return None if missing else text if scale.is_base else scale.from_base(f"({text})")
