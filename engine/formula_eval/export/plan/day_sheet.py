"""Writes the hours of a day on a sheet: rates to edit, the replicas that they take, rent and sums, and a chart."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from xlsxwriter.utility import xl_range, xl_range_abs, xl_rowcol_to_cell

from formula_eval.analyse.plan.demand import DayLayout, Load, PlanColumn
from formula_eval.analyse.plan.planned import HOURS_OF_A_DAY, Alternative, Plan, PlannedDay
from formula_eval.core.graph import Node
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.plan.plan_cells import PlanCells, form_of, live_text, scale_of, shown_unit
from formula_eval.export.plan.rows import hour_text, named_day, sums_titles
from formula_eval.export.workbook import units
from formula_eval.export.workbook.charts import FONT, axis, frame, series
from formula_eval.export.workbook.sheet import Sheet
from formula_eval.export.workbook.styles import ACCENT, GREYS, Styles
from formula_eval.printing.excel import excel_number

_HOUR, _FIRST = 0, 1
_WIDTHS = (34.0, *(14.0 for _ in range(8)))
_CHART = (620, 420)


class _Column(NamedTuple):
    """A column of the hours: what it tells, its node, its unit, and where it stands among the columns of the day."""

    at: int
    entry: PlanColumn
    node: Node
    scale: units.UnitScale
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
    for each in plan.alternatives:
        if each.day is not None:
            writer = _Day(sheet, evaluator, layout, load, cells[each.name])
            at = writer.write(workbook, at, each, each.day)
    sheet.finish()


class _Takes(NamedTuple):
    """The rows beneath the head that say what one replica takes, what two do, and so on."""

    head: int
    rows: int

    def fewest(self, rate: str) -> str:
        """The formula of the fewest replicas that take the rate in a cell."""
        cells = xl_range_abs(self.head + 1, _FIRST, self.head + self.rows, _FIRST)
        last = xl_rowcol_to_cell(self.head + self.rows, _FIRST, row_abs=True, col_abs=True)
        return f"IF({rate}>{last},-INT(-{rate}*{self.rows}/{last}),1+SUMPRODUCT(1*({cells}<{rate})))"


class _Day:
    """Writes the day of one alternative."""

    def __init__(
        self,
        sheet: Sheet,
        evaluator: Evaluator,
        layout: DayLayout,
        load: Load,
        cells: PlanCells,
    ) -> None:
        self._sheet, self._evaluator, self._layout, self._load = sheet, evaluator, layout, load
        self._cells, self._formula_of = cells
        self._hourly = dict(self._cells)  # those of an hour that is scaled
        self._busiest = 0.0  # its rate
        self._stops = False  # whether an hour without requests keeps no replica

    def write(self, workbook: Any, at: int, each: Alternative, day: PlannedDay) -> int:  # noqa: ANN401 - as above
        """Write it from a row on; gives the first row behind it."""
        sheet = self._sheet
        sheet.band(at, named_day(each), len(_WIDTHS))
        self._busiest, self._stops = max(found.rate for found in day.hours), day.stops
        start = PlanColumn("a replica starts in", self._layout.start, self._layout.start_unit)
        self._hourly[start.name] = self._number(at + 1, start, day.start_time)
        if entry := self._commitment(day):
            self._hourly[entry.name] = self._number(at + 2, entry, day.committed, "input")
        head = at + 4
        columns = self._columns(head)
        for column in columns:
            sheet.text(head, column.at, _with_unit(column.entry.title, column.scale), "head", align="right")
        sheet.text(head, _HOUR, "hour", "head")
        sums = sum(any(each.entry.name == one.name for each in columns) for one in self._layout.sums)
        takes = _Takes(head + HOURS_OF_A_DAY + 3 * sums + 2, len(day.takes))
        starts = columns[-1].at + 1
        sheet.text(head, starts, self._layout.starts, "head", align="right")
        for hour, found in enumerate(day.hours):
            row = head + 1 + hour
            sheet.text(row, _HOUR, hour_text(hour))
            for column in columns:
                self._cell(row, column, columns, (takes, starts), found.values[column.place])
            now, then = (self._rented(each, columns) for each in (row, head + (hour or HOURS_OF_A_DAY)))
            sheet.formula(row, starts, f"MAX({now}-({then}),0)", found.starts, "calc", units.WHOLE_FORMAT)
        self._sums(head, columns, day)
        end = self._write_takes(takes, columns, day)
        sheet.raw.insert_chart(at, len(_WIDTHS) + 1, self._chart(workbook, head, columns, each))
        return end + 2

    def _commitment(self, day: PlannedDay) -> PlanColumn | None:
        """The row of how many replicas a commitment is for, where the plan found that."""
        commitment = self._layout.commitment
        if commitment is None or math.isnan(day.committed):
            return None
        return PlanColumn(commitment.title, commitment.input)

    def _number(self, at: int, entry: PlanColumn, value: float, style: str = "number") -> str:
        """Write a number that the plan found; gives its cell in base units."""
        scale = scale_of(entry, self._evaluator)
        node = self._evaluator.graph.nodes[entry.name]
        self._sheet.text(at, _HOUR, _with_unit(entry.title, scale))
        self._sheet.number(at, _FIRST, scale.typed(value), style, form_of(node, scale))
        return scale.to_base(str(xl_rowcol_to_cell(at, _FIRST, row_abs=True, col_abs=True)))

    def _columns(self, head: int) -> list[_Column]:
        """The columns that follow from the rate of an hour by cells: what else a plan finds is left out."""
        found: list[_Column] = []
        for place, entry in enumerate(self._layout.columns):
            node, scale = self._evaluator.graph.nodes[entry.name], scale_of(entry, self._evaluator)
            column = _Column(_FIRST + len(found), entry, node, scale, place)
            if node.kind == "input" or self._text(head + 1, column, found):
                found.append(column)
        return found

    def _text(self, row: int, column: _Column, columns: Sequence[_Column], *, most: bool = False) -> str | None:
        """The formula of an hour, from the other cells of its row; of the largest cells of the day if `most`."""
        own = {
            each.entry.name: each.scale.to_base(
                f"MAX({xl_range(row, each.at, row + HOURS_OF_A_DAY - 1, each.at)})"
                if most
                else str(xl_rowcol_to_cell(row, each.at))
            )
            for each in columns
            if each is not column
        }
        cells = self._cells if most else self._hourly
        return self._live(column.node, column.scale, {**cells, **own})

    def _cell(
        self, row: int, column: _Column, columns: Sequence[_Column], at: tuple[_Takes, int], value: float
    ) -> None:
        takes, starts = at
        form = form_of(column.node, column.scale)
        rate = columns[0]
        if column.node.kind == "input" and column.entry.name != self._load.replicas:
            self._rate(row, column, value, form)
            return
        if column.entry.name == self._load.replicas:
            text: str | None = takes.fewest(xl_rowcol_to_cell(row, rate.at))
        else:
            text = self._text(row, column, columns)
        if column.entry.start:
            node = self._evaluator.graph.nodes[column.entry.start]
            more = self._live(node, column.scale, self._hourly)
            text = f"{text}+{xl_rowcol_to_cell(row, starts)}*({more})"
        if self._stops:
            nothing = "0" if column.entry.name in self._layout.none else '"-"'
            text = f"IF({xl_rowcol_to_cell(row, rate.at)}<=0,{nothing},{text})"
        self._sheet.formula(row, column.at, str(text), column.scale.number(value), "calc", form)

    def _rate(self, row: int, column: _Column, value: float, form: str) -> None:
        """Write an input of an hour for a reader to change: a part of the busiest hour's on the plan's sheet."""
        busiest = self._cells.get(column.entry.name)
        part = value / self._busiest if self._busiest > 0 else 0.0
        if busiest is None or column.entry.name != self._load.rate:
            self._sheet.number(row, column.at, column.scale.typed(value), "input", form)
        else:
            text = f"{excel_number(Fraction(part))}*({busiest})"
            self._sheet.formula(row, column.at, column.scale.from_base(text), column.scale.number(value), "input", form)

    def _write_takes(self, takes: _Takes, columns: Sequence[_Column], day: PlannedDay) -> int:
        """Write what one replica takes, what two do, and so on; gives the row behind them."""
        rate = columns[0]
        title, form = (
            _with_unit(f"{rate.entry.title} within the planned targets, at most", rate.scale),
            form_of(rate.node, rate.scale),
        )
        self._sheet.text(takes.head, _HOUR, "replicas", "head")
        self._sheet.text(takes.head, _FIRST, title, "head", align="right")
        for count, found in enumerate(day.takes, 1):
            self._sheet.number(takes.head + count, _HOUR, count, "number", units.WHOLE_FORMAT)
            self._sheet.number(takes.head + count, _FIRST, rate.scale.typed(found), "number", form)
        return takes.head + 1 + len(day.takes)

    def _rented(self, row: int, columns: Sequence[_Column]) -> str | None:
        """The replicas of an hour that are rented."""
        node = self._evaluator.graph.nodes[self._layout.rented]
        own = {each.entry.name: each.scale.to_base(str(xl_rowcol_to_cell(row, each.at))) for each in columns}
        return self._live(node, units.UnitScale(), {**self._hourly, **own})

    def _live(self, node: Node, scale: units.UnitScale, cells: Mapping[str, str]) -> str | None:
        return live_text(node.name, scale, cells.get, self._formula_of)

    def _sums(self, head: int, columns: Sequence[_Column], day: PlannedDay) -> None:
        """The sums whose hours have a column, with the replicas of each hour and with those of the busiest all day."""
        at = head + 1 + HOURS_OF_A_DAY
        for place, entry in enumerate(self._layout.sums):
            column = next((each for each in columns if each.entry.name == entry.name), None)
            if column is None:
                continue
            form = form_of(column.node, column.scale)
            scaled, steady = day.scaled[place], day.steady[place]
            hours = xl_range(head + 1, column.at, head + HOURS_OF_A_DAY, column.at)
            most = self._text(head + 1, column, columns, most=True)
            titles = sums_titles(entry)
            cells = [xl_rowcol_to_cell(at + turn, column.at) for turn in range(2)]
            for turn, (text, value) in enumerate(
                [
                    (f"SUM({hours})", column.scale.number(scaled)),
                    (f"{HOURS_OF_A_DAY}*({most})", column.scale.number(steady)),
                ]
            ):
                self._sheet.text(at + turn, _HOUR, titles[turn])
                self._sheet.formula(at + turn, column.at, text, value, "calc", form)
            self._sheet.text(at + 2, _HOUR, "less by")
            saved = 1 - scaled / steady if steady else 0.0
            text = f"IF({cells[1]}=0,0,1-{cells[0]}/{cells[1]})"
            self._sheet.formula(at + 2, column.at, text, saved, "calc", units.PERCENT_FORMAT)
            at += 3

    def _chart(self, workbook: Any, head: int, columns: Sequence[_Column], each: Alternative) -> Any:  # noqa: ANN401 - as above
        """Bars of the replicas of each hour, and a line of its requests."""
        title = self._sheet.title
        replicas = next(column for column in columns if column.entry.name == self._load.replicas)
        rate = columns[0]

        def hours(column: _Column, **more: object) -> dict[str, object]:
            rows = head + 1, head + HOURS_OF_A_DAY
            return series(title, (_HOUR, column.at), rows, name=[title, head, column.at], **more)

        chart = workbook.add_chart({"type": "column"})
        chart.add_series(hours(replicas, fill={"color": GREYS[0]}, gap=30))
        line = workbook.add_chart({"type": "line"})
        line.add_series(hours(rate, y2_axis=True, line={"color": ACCENT, "width": 2}))
        chart.combine(line)
        frame(chart, f"{self._layout.title}: {each.name}", _CHART)
        chart.set_x_axis({"num_font": {**FONT, "rotation": -90}})
        chart.set_y_axis(axis(replicas.entry.title, min=0))
        line.set_y2_axis(
            {**axis(f"{rate.entry.title}, {rate.scale.unit}", min=0), "major_gridlines": {"visible": False}}
        )
        return chart


def _with_unit(title: str, scale: units.UnitScale) -> str:
    """A title with the unit behind it, unless it says that itself: GPUs."""
    unit = shown_unit(scale)
    return title if unit in title else f"{title}, {unit}"
