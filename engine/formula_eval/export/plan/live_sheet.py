"""Writes the sheet of the formulas behind a plan's workbook.

A column for each alternative, a row for each formula: first those of the busiest hour, behind them those of the others.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from xlsxwriter.utility import xl_rowcol_to_cell

from formula_eval.analyse.plan.demand import BUSIEST, PlanLayout, hours_of
from formula_eval.analyse.plan.planned import Alternative
from formula_eval.analyse.plan.values import values_of
from formula_eval.ask.workbook.workbook_layout import SheetLook
from formula_eval.core import expression as e
from formula_eval.evaluate.fold import is_known
from formula_eval.evaluate.value import base_unit
from formula_eval.evaluate.views import View
from formula_eval.export.plan.live import live_formulas
from formula_eval.export.workbook import units
from formula_eval.export.workbook.formula_lint import too_large
from formula_eval.export.workbook.sheet import Sheet
from formula_eval.export.workbook.styles import Styles
from formula_eval.printing.excel import INFINITY, LARGEST_NUMBER, ExcelNames, ExcelPrinter

_TITLE = "Formulas"
_NAME, _SAYS, _UNIT, _FIRST = range(4)
_WIDE = 24.0
_LONGEST = 0  # no formula is written into another: Excel's text of a power holds its base several times

HourName = tuple[str, str]  # an hour, and a quantity at it


class FreeCells(NamedTuple):
    """The inputs of an alternative that a reader may change: the cell of each in base units, and its value."""

    cells: Mapping[HourName, str]
    values: Mapping[str, float]


class LiveSheet:
    """The formulas of all alternatives; `add` them first, then `place` gives each a row, then they can be read."""

    def __init__(self, evaluator: View, layout: PlanLayout, look: SheetLook) -> None:
        """Take formulas of this evaluator, which knows the conditions of the plan."""
        self.evaluator, self._load, self.look = evaluator, layout.load, look
        self._cases = {case.name: case for case in layout.cases.cases}
        self.hours = hours_of(layout.cases)
        self._head = len(look.words["says"]) + 2
        self._free: Sequence[str] = ()
        self._added: list[tuple[Alternative, FreeCells]] = []
        self._left: list[dict[HourName, e.Expression]] = []  # of each alternative; empty where a formula is too large
        self._places: dict[HourName, int] = {}

    def add(
        self, alternative: Alternative, wanted: Mapping[str, Sequence[str]], free: Sequence[str], cells: FreeCells
    ) -> None:
        """Specialise what is wanted of an alternative at each hour; the same inputs are free in all of them."""
        self._free = free
        left: dict[HourName, e.Expression] = {}
        for hour, names in wanted.items():
            question = alternative.hours.get(hour)
            if question is not None and names:
                found = live_formulas(self.evaluator, question, names, self._free, self._load, longest=_LONGEST)
                left.update({(hour, name): x for name, x in found.items()})
        self._added.append((alternative, cells))
        self._left.append(left)

    def place(self) -> None:
        """Give each formula a row, without those of alternatives of which a cell cannot hold one."""
        graph = self.evaluator.graph
        row = self._head + 1
        live = {key for left in self._left for key, x in left.items() if not is_known(x)}
        for hour in self.hours if live else ():
            names = [name for at, name in live if at == hour]
            own = [*self._free, *sorted(names, key=graph.places.__getitem__)] if names or hour == BUSIEST else []
            for name in own:
                self._places[hour, name] = row = row + 1
            row += 2 if own else 0
        for column, left in enumerate(self._left):
            texts = (self._text(column, hour, x) for (hour, _), x in left.items())
            if any(next(too_large(text), None) for text in texts):
                self._left[column] = {}

    def is_live(self, column: int, hour: str = BUSIEST) -> bool:
        """Whether the formulas of an alternative at an hour stand on the sheet."""
        return bool(self._left[column]) and self._added[column][0].hours.get(hour) is not None

    def cell(self, column: int, hour: str, name: str) -> str | None:
        """The cell of a quantity of an alternative; None of one that stays as it is, or has no formula here."""
        x = self._left[column].get((hour, name))
        is_free = name in self._free and self.is_live(column, hour) and (hour, name) in self._places
        return f"{_TITLE}!{self._address(column, hour, name)}" if is_free or (x and not is_known(x)) else None

    def conditions(self, column: int, names: Sequence[str]) -> list[str]:
        """What says whether each of these flags holds in the busiest hour: a cell, or TRUE or FALSE."""
        known = {name: self._left[column][BUSIEST, name] for name in names}
        return [self.cell(column, BUSIEST, name) or self._text(column, BUSIEST, x) for name, x in known.items()]

    def write(self, workbook: Any, styles: Styles) -> None:  # noqa: ANN401 - a library without types
        """Write the sheet, if any alternative has formulas."""
        if not any(self._left):
            return
        look = self.look
        widths = [*look.widths, *(_WIDE for _ in self._added)]
        sheet = Sheet(workbook.add_worksheet(_TITLE), styles, widths)
        sheet.title_lines(_TITLE, look.words["says"])
        head = self._head
        sheet.head(head, look.heads)
        for column, (alternative, _) in enumerate(self._added, _FIRST):
            sheet.text(head, column, alternative.name, "head", align="right")
        for hour in self.hours:
            rows = [(name, row) for (at, name), row in self._places.items() if at == hour]
            if rows:
                title = self._cases[hour].title if hour in self._cases else str(look.words[hour])
                sheet.band(rows[0][1] - 1, title, len(widths))
            for name, row in rows:
                self._write_row(sheet, row, name)
            for column in range(len(self._added)):
                if self.is_live(column, hour):
                    self._write_column(sheet, column, hour, dict(rows))
        sheet.finish(frozen=(head + 1, _FIRST), repeat=head, to_read=False)

    def _write_row(self, sheet: Sheet, row: int, name: str) -> None:
        node = self.evaluator.graph.nodes[name]
        sheet.text(row, _NAME, name, "name")
        sheet.text(row, _SAYS, node.sentence, "wrap")
        sheet.text(row, _UNIT, base_unit(node.quantity), "unit")

    def _write_column(self, sheet: Sheet, column: int, hour: str, rows: Mapping[str, int]) -> None:
        each, free = self._added[column]
        values = values_of(self.evaluator, each.hours.get(hour), list(rows))
        values |= free.values if hour == BUSIEST else {}
        for name, row in rows.items():
            if name in self._free:
                text = self._input(column, hour, name)
            elif (x := self._left[column].get((hour, name))) is not None:
                text = self._text(column, hour, x)
            else:
                continue
            node = self.evaluator.graph.nodes[name]
            sheet.formula(row, _FIRST + column, text, units.cell_value(values[name], node), "calc")

    def _input(self, column: int, hour: str, name: str) -> str:
        """The formula of an input at an hour: its own cell of the plan, else what holds in the busiest hour."""
        _, free = self._added[column]
        if (hour, name) in free.cells:
            return free.cells[hour, name]
        busiest = self._address(column, BUSIEST, name)
        if hour in self._cases:
            factor = self._cases[hour].scales.get(name)
            return busiest if factor is None else f"{factor}*{busiest}"
        if self._load is None or name != self._load.rate or hour == BUSIEST:
            return busiest
        return self.cell(column, BUSIEST, self._load.average) or busiest

    def _text(self, column: int, hour: str, x: e.Expression) -> str:
        """A formula of an alternative over the cells of its own column."""

        def spelled(name: str) -> str:
            return LARGEST_NUMBER if name == INFINITY else self._address(column, hour, name)

        return ExcelPrinter(ExcelNames(spelled, lambda name: f'{spelled(name)}<>""')).text(x)

    def _address(self, column: int, hour: str, name: str) -> str:
        return str(xl_rowcol_to_cell(self._places[hour, name], _FIRST + column))
