"""Writes the hours of a day on a sheet: rates to edit, the replicas that they take, rent and sums, and a chart."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from xlsxwriter.utility import xl_range, xl_range_abs, xl_rowcol_to_cell

from formula_eval.analyse.plan.demand import DayLayout, Load, PlanColumn
from formula_eval.analyse.plan.planned import HOURS_OF_A_DAY, Plan, PlannedDay
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.plan.plan_cells import PlanCells, PlanQuantity, fields_of
from formula_eval.export.plan.rows import hour_text, named_day, sums_titles
from formula_eval.export.workbook import units
from formula_eval.export.workbook.charts import FONT, axis, frame, series
from formula_eval.export.workbook.sheet import Sheet
from formula_eval.export.workbook.styles import ACCENT, GREYS, Styles
from formula_eval.printing.excel import excel_number

_HOUR, _FIRST = 0, 1
_WIDTHS = (34.0, *(14.0 for _ in range(8)))
_CHART = (620, 420)


@dataclass(frozen=True, slots=True)
class _Column(PlanQuantity):
    """A column of the hours: where it stands on the sheet, and among the columns of the day."""

    at: int
    place: int


def write_days(
    workbook: Any,  # noqa: ANN401 - a library without types
    styles: Styles,
    plan: Plan,
    evaluator: Evaluator,
    cells: Mapping[str, PlanCells],
) -> None:
    """Write the day of each alternative beneath the other, from the `cells` of its column."""
    layout, load = plan.day, plan.load
    if layout is None or load is None:
        return
    sheet = Sheet(workbook.add_worksheet(layout.title[:31]), styles, list(_WIDTHS))
    sheet.title_lines(layout.title, layout.says)
    at = len(layout.says) + 2
    tops = []
    for alternative in plan.alternatives:
        if alternative.day is not None:
            tops.append(at)
            day = _Day(sheet, evaluator, layout, load, cells[alternative.name], alternative.day, at)
            sheet.band(at, named_day(alternative), len(_WIDTHS))
            end = day.write()
            sheet.raw.insert_chart(at + 1, len(_WIDTHS) + 1, day.chart(workbook, alternative.name))
            at = end + 2
    sheet.finish()
    sheet.raw.set_h_pagebreaks(tops[1:])


class _Day:
    """Writes the day of one alternative.

    Beneath a heading stand numbers that hold all day, the hours, their sums, and what one replica takes, what two do,
    and so on.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - a day, and where it stands
        self,
        sheet: Sheet,
        evaluator: Evaluator,
        layout: DayLayout,
        load: Load,
        cells: PlanCells,
        day: PlannedDay,
        at: int,
    ) -> None:
        self._sheet, self._evaluator, self._layout, self._load = sheet, evaluator, layout, load
        self._day, self._at, self._head = day, at, at + 4
        self._cells = self._hourly = cells  # the latter are those of an hour that is scaled
        self._columns: list[_Column] = []

    def write(self) -> int:
        """Write all rows; gives the first one behind them."""
        sheet, day, head = self._sheet, self._day, self._head
        start = PlanColumn("a replica starts in", self._layout.start, self._layout.start_unit)
        self._write_fixed(self._at + 1, start, day.start_time)
        if (commitment := self._layout.commitment) is not None and not math.isnan(day.committed):
            entry = PlanColumn(commitment.title, commitment.input)
            self._write_fixed(self._at + 2, entry, day.committed, "input")
        self._lay_columns()
        for column in self._columns:
            sheet.text(head, column.at, column.titled, "head", align="right")
        sheet.text(head, _HOUR, "hour", "head")
        starts = self._columns[-1].at + 1
        sheet.text(head, starts, self._layout.starts, "head", align="right")
        summed = {each.name: each for each in self._columns}
        sums = [(place, summed[each.name]) for place, each in enumerate(self._layout.sums) if each.name in summed]
        takes = head + HOURS_OF_A_DAY + 3 * len(sums) + 2
        for hour, found in enumerate(day.hours):
            row = head + 1 + hour
            sheet.text(row, _HOUR, hour_text(hour))
            for column in self._columns:
                self._write_cell(row, column, found.values[column.place], takes, starts)
            before = head + (hour or HOURS_OF_A_DAY)
            now, then = (self._cells_of(each).text(self._layout.rented) for each in (row, before))
            sheet.formula(row, starts, f"MAX({now}-({then}),0)", found.starts, "calc", units.WHOLE_FORMAT)
        for number, (place, column) in enumerate(sums):
            self._write_sums(head + 1 + HOURS_OF_A_DAY + 3 * number, column, place)
        return self._write_takes(takes)

    def _write_fixed(self, at: int, entry: PlanColumn, value: float, style: str = "number") -> None:
        """Write a number that the plan found, which the hours that are scaled read."""
        told = PlanQuantity(*fields_of(entry, self._evaluator))
        self._sheet.text(at, _HOUR, told.titled)
        self._sheet.number(at, _FIRST, told.scale.typed(value), style, told.form)
        cell = told.scale.to_base(str(xl_rowcol_to_cell(at, _FIRST, row_abs=True, col_abs=True)))
        self._hourly = self._hourly.with_more({entry.name: cell})

    def _lay_columns(self) -> None:
        """Lay out the columns that follow from the rate of an hour by cells: what else a plan finds is left out."""
        for place, entry in enumerate(self._layout.columns):
            column = _Column(*fields_of(entry, self._evaluator), _FIRST + len(self._columns), place)
            if column.node.kind == "input" or self._cells_of(self._head + 1).text(entry.name, column.scale):
                self._columns.append(column)

    def _cells_of(self, row: int) -> PlanCells:
        """The cells that the formulas of an hour read, those of its row first."""
        cells = {column.name: str(xl_rowcol_to_cell(row, column.at)) for column in self._columns}
        return self._hourly.with_more(
            {column.name: column.scale.to_base(cells[column.name]) for column in self._columns}
        )

    def _write_cell(self, row: int, column: _Column, value: float, takes: int, starts: int) -> None:
        rate = xl_rowcol_to_cell(row, self._columns[0].at)
        if column.node.kind == "input" and column.name != self._load.replicas:
            self._write_rate(row, column, value)
            return
        if column.name == self._load.replicas:
            text: str | None = self._fewest(rate, takes)
        else:
            text = self._cells_of(row).text(column.name, column.scale)
        if column.entry.start:
            more = self._hourly.text(column.entry.start, column.scale)
            text = f"{text}+{xl_rowcol_to_cell(row, starts)}*({more})"
        if self._day.stops:
            nothing = "0" if column.name in self._layout.none else '"-"'
            text = f"IF({rate}<=0,{nothing},{text})"
        self._sheet.formula(row, column.at, str(text), column.scale.number(value), "calc", column.form)

    def _fewest(self, rate: str, takes: int) -> str:
        """The formula of the fewest replicas that take the rate in a cell."""
        count = len(self._day.takes)
        cells = xl_range_abs(takes + 1, _FIRST, takes + count, _FIRST)
        last = xl_rowcol_to_cell(takes + count, _FIRST, row_abs=True, col_abs=True)
        return f"IF({rate}>{last},-INT(-{rate}*{count}/{last}),1+SUMPRODUCT(1*({cells}<{rate})))"

    def _write_rate(self, row: int, column: _Column, value: float) -> None:
        """Write an input of an hour for a reader to change: a part of the busiest hour's on the plan's sheet."""
        busiest, most = self._cells.places.get(column.name), max(hour.rate for hour in self._day.hours)
        if busiest is None or column.name != self._load.rate:
            self._sheet.number(row, column.at, column.scale.typed(value), "input", column.form)
            return
        text = f"{excel_number(Fraction(value / most if most > 0 else 0.0))}*({busiest})"
        held = column.scale.number(value)
        self._sheet.formula(row, column.at, column.scale.from_base(text), held, "input", column.form)

    def _write_takes(self, head: int) -> int:
        """Write what one replica takes, what two do, and so on; gives the row behind them."""
        rate = self._columns[0]
        told = replace(rate, entry=rate.entry._replace(title=f"{rate.entry.title} within the planned targets, at most"))
        self._sheet.text(head, _HOUR, "replicas", "head")
        self._sheet.text(head, _FIRST, told.titled, "head", align="right")
        for count, found in enumerate(self._day.takes, 1):
            self._sheet.number(head + count, _HOUR, count, "number", units.WHOLE_FORMAT)
            self._sheet.number(head + count, _FIRST, rate.scale.typed(found), "number", rate.form)
        return head + 1 + len(self._day.takes)

    def _write_sums(self, at: int, column: _Column, place: int) -> None:
        """Write a sum of the hours with the replicas of each, with those of the busiest all day, and the difference."""
        first, last = self._head + 1, self._head + HOURS_OF_A_DAY
        largest = {each.name: f"MAX({xl_range(first, each.at, last, each.at)})" for each in self._columns}
        cells = {each.name: each.scale.to_base(largest[each.name]) for each in self._columns}
        busiest = self._cells.with_more(cells).text(column.name, column.scale)
        scaled, steady = self._day.scaled[place], self._day.steady[place]
        texts = f"SUM({xl_range(first, column.at, last, column.at)})", f"{HOURS_OF_A_DAY}*({busiest})"
        sums = zip(sums_titles(self._layout.sums[place]), texts, (scaled, steady), strict=True)
        for row, (title, text, value) in enumerate(sums, at):
            self._sheet.text(row, _HOUR, title)
            self._sheet.formula(row, column.at, text, column.scale.number(value), "calc", column.form)
        self._sheet.text(at + 2, _HOUR, "less by")
        less, more = (xl_rowcol_to_cell(at + turn, column.at) for turn in range(2))
        saved = 1 - scaled / steady if steady else 0.0
        text = f"IF({more}=0,0,1-{less}/{more})"
        self._sheet.formula(at + 2, column.at, text, saved, "calc", units.PERCENT_FORMAT)

    def chart(self, workbook: Any, name: str) -> Any:  # noqa: ANN401 - as above
        """Bars of the replicas of each hour, and a line of its requests."""
        title, head = self._sheet.title, self._head
        replicas = next(column for column in self._columns if column.name == self._load.replicas)
        rate = self._columns[0]

        def hours(column: _Column, **more: object) -> dict[str, object]:
            rows = head + 1, head + HOURS_OF_A_DAY
            return series(title, (_HOUR, column.at), rows, name=[title, head, column.at], **more)

        chart = workbook.add_chart({"type": "column"})
        chart.add_series(hours(replicas, fill={"color": GREYS[0]}, gap=30))
        line = workbook.add_chart({"type": "line"})
        line.add_series(hours(rate, y2_axis=True, line={"color": ACCENT, "width": 2}))
        chart.combine(line)
        frame(chart, f"{self._layout.title}: {name}", _CHART)
        chart.set_x_axis({"num_font": {**FONT, "rotation": -90}})
        chart.set_y_axis(axis(replicas.entry.title, min=0))
        second = axis(f"{rate.entry.title}, {rate.scale.unit}", min=0, major_gridlines={"visible": False})
        line.set_y2_axis(second)
        return chart
