"""Writes a plan as a workbook: alternatives side by side, prices to edit, money as formulas of them."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from io import BytesIO
from textwrap import wrap
from typing import NamedTuple

import xlsxwriter
from xlsxwriter.utility import xl_rowcol_to_cell

from formula_eval.analyse.plan.demand import BUSIEST, HOURS, PlanColumn
from formula_eval.analyse.plan.plan import told_columns, values_of
from formula_eval.analyse.plan.planned import Alternative, Plan
from formula_eval.ask.plan_layout import FORMULA, INPUT, RowBlock
from formula_eval.core.diagnostic import refuse
from formula_eval.core.graph import Node
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.plan.day_sheet import write_days
from formula_eval.export.plan.heading import heading_of, source_named
from formula_eval.export.plan.plan_cells import (
    FormulaOf,
    PlanCells,
    form_of,
    formulas_of,
    live_text,
    scale_of,
    shown_unit,
)
from formula_eval.export.plan.rows import PlanSheet
from formula_eval.export.shell_text import lines_of
from formula_eval.export.workbook import units
from formula_eval.export.workbook.sheet import Sheet
from formula_eval.export.workbook.styles import Styles
from formula_eval.export.workbook.writer import OPTIONS

_TITLE, _UNIT, _FIRST_COLUMN = range(3)
_WIDTHS = (38.0, 12.0)
_WIDE = 24.0
_UPRIGHT = 3  # alternatives that a sheet of paper held upright has room for


class _Row(NamedTuple):
    """A row of the sheet: what it tells, its node and the unit that its cells are in."""

    at: int
    kind: str
    entry: PlanColumn
    node: Node
    scale: units.UnitScale


def plan_workbook(plan: Plan, evaluator: Evaluator, layout: PlanSheet, command: str) -> bytes:
    """The workbook; the same plan gives the same bytes. Raises FormulaError for a formula that lacks a cell to read."""
    held = BytesIO()
    workbook = xlsxwriter.Workbook(held, OPTIONS)
    shown = [each for each in plan.alternatives if each.hours]
    styles = Styles(workbook)
    widths = [*_WIDTHS, *(_WIDE for _ in shown)]
    sheet = Sheet(workbook.add_worksheet(layout.words.title[:31]), styles, widths)
    asked = [each.question for each in shown if each.question]
    blocks = [each._replace(rows=told_columns(each.rows, asked, evaluator)) for each in layout.blocks]
    told = {row for each in blocks for row in each.rows}
    hidden = {row.name for each in layout.blocks for row in each.rows} - {row.name for row in told}
    writer = _Writer(sheet, evaluator, shown, hidden)
    writer.write(layout._replace(blocks=blocks), plan, command)
    if plan.day is not None and plan.load is not None:
        write_days(workbook, styles, plan, evaluator, writer.cells)
    workbook.close()
    return held.getvalue()


class _Writer:
    """Writes the rows of the one sheet."""

    def __init__(self, sheet: Sheet, evaluator: Evaluator, shown: list[Alternative], hidden: Collection[str]) -> None:
        """Write these alternatives; inputs that are `hidden` have no row, and formulas hold their values."""
        self._hidden = hidden
        self._sheet = sheet
        self._evaluator = evaluator
        self._shown = shown
        self._wide = _FIRST_COLUMN + len(shown)
        self._room = int(sum(_WIDTHS) + _WIDE * len(shown))
        self.cells: dict[str, PlanCells] = {}  # of the busiest hour, by alternative, for other sheets

    def write(self, layout: PlanSheet, plan: Plan, command: str) -> None:
        """Write all rows."""
        heading = heading_of(plan, layout.words, self._evaluator)
        told = [line for text in (heading.asks, heading.verdict) for line in wrap(text, self._room)]
        self._sheet.title_lines(heading.title, [*told, *layout.words.says])
        head = len(told) + len(layout.words.says) + 2
        self._sheet.head(head, ["", "unit"])
        for column, each in enumerate(self._shown, _FIRST_COLUMN):
            self._sheet.text(head, column, each.name, "head", align="right")
        self._said(head + 1, "layout", [each.layout or "-" for each in self._shown])
        self._said(head + 2, "meets the targets", ["no" if each.stops else "" for each in self._shown])
        titles = dict.fromkeys(each.title for each in layout.words.sources)
        for place, title in enumerate(titles, head + 3):
            sources = [each for each in layout.words.sources if each.title == title]
            self._said(place, title, [source_named(each, sources, self._evaluator) for each in self._shown])
        rows, end = self._rows(layout.blocks, head + 4 + len(titles))
        for column, each in enumerate(self._shown, _FIRST_COLUMN):
            self._column(column, each, rows)
            if not each.stops:
                self._verdict(head + 2, column, each, rows)
        for each in plan.alternatives:
            for text in each.stops:
                name = " ".join(word for _, word in each.varies)
                self._sheet.text(end, _TITLE, f"{name}: {text}", "subtitle")
                end += 1
        for row, line in enumerate(lines_of(command, self._room), end + 1):
            self._sheet.text(row, _TITLE, line, "subtitle")
        self._sheet.raw.freeze_panes(head + 1, _FIRST_COLUMN)
        self._sheet.finish(repeat=head, portrait=len(self._shown) <= _UPRIGHT)

    def _said(self, row: int, title: str, texts: list[str]) -> None:
        self._sheet.text(row, _TITLE, title)
        for column, text in enumerate(texts, _FIRST_COLUMN):
            self._sheet.text(row, column, text, "note", align="right")

    def _rows(self, blocks: Sequence[RowBlock], at: int) -> tuple[list[_Row], int]:
        """The rows with their places, after their titles are written; and the first row behind them."""
        found = []
        for block in blocks:
            self._sheet.band(at, block.title, self._wide)
            for entry in block.rows:
                at += 1
                node, scale = self._evaluator.graph.nodes[entry.name], scale_of(entry, self._evaluator)
                self._sheet.text(at, _TITLE, entry.title)
                self._sheet.text(at, _UNIT, shown_unit(scale), "unit")
                found.append(_Row(at, block.kind, entry, node, scale))
            at += 2
        return found, at

    def _column(self, column: int, each: Alternative, rows: list[_Row]) -> None:
        numbers = dict(self._numbers(each, rows))
        cells = {
            (row.entry.name, row.entry.hour): row.scale.to_base(str(xl_rowcol_to_cell(row.at, column))) for row in rows
        }
        known = values_of(self._evaluator, each.hours.get(BUSIEST), self._hidden)
        formula_of = formulas_of(self._evaluator, known)
        title = self._sheet.title
        places = {name: f"'{title}'!{cell}" for (name, hour), cell in cells.items() if hour == BUSIEST}
        self.cells[each.name] = PlanCells(places, formula_of)
        for row in rows:
            value = numbers[row.entry.name, row.entry.hour]
            form = form_of(row.node, row.scale)
            style = "input" if row.kind == INPUT else "number"
            if not math.isfinite(value):
                self._missing(row, column, "-" if math.isnan(value) else "infinite")
            elif row.kind == FORMULA and row.node.expression is not None:
                text = _text(row, cells, formula_of)
                self._sheet.formula(row.at, column, text, row.scale.number(value), "calc", form)
            else:
                self._sheet.number(row.at, column, row.scale.typed(value), style, form)

    def _verdict(self, at: int, column: int, each: Alternative, rows: list[_Row]) -> None:
        """Say that targets are kept as long as what decides about them is as it was planned."""
        found = [row.entry.name for row in rows if row.kind not in (INPUT, FORMULA)]
        deciding = set(self._evaluator.graph.ancestors(found))
        numbers = dict(self._numbers(each, rows))
        same = [
            f"{xl_rowcol_to_cell(row.at, column)}={row.scale.typed(numbers[row.entry.name, BUSIEST])}"
            for row in rows
            if row.kind == INPUT and row.entry.hour == BUSIEST and row.entry.name in deciding
        ]
        text = f'IF(AND({",".join(same) or "TRUE"}),"yes","ask again")'
        self._sheet.formula(at, column, text, "yes", "calc")

    def _missing(self, row: _Row, column: int, text: str) -> None:
        """Write a cell without a value: an empty one to type a price in, or a text."""
        if row.kind == INPUT:
            self._sheet.blank(row.at, column, "input", form_of(row.node, row.scale))
        else:
            self._sheet.text(row.at, column, text, "number")

    def _numbers(self, each: Alternative, rows: list[_Row]) -> Iterator[tuple[tuple[str, str], float]]:
        """The value of each row in base units, nan where there is none."""
        for hour in HOURS:
            names = [row.entry.name for row in rows if row.entry.hour == hour]
            for name, value in values_of(self._evaluator, each.hours.get(hour), names).items():
                yield (name, hour), value


def _text(row: _Row, cells: Mapping[tuple[str, str], str], formula_of: FormulaOf) -> str:
    """The formula of a row, which reads cells of its own hour, else of the busiest, else of any."""
    missing: list[str] = []

    def cell(name: str) -> str | None:
        hours = (row.entry.hour, BUSIEST, *HOURS)
        found = next((cells[name, hour] for hour in hours if (name, hour) in cells), None)
        missing.extend([] if found else [name])
        return found

    text = live_text(row.entry.name, row.scale, cell, formula_of)
    if text is None:
        help_ = f"Give `{missing[0]}` a row of its own in reports/plan.toml."
        message = f"The formula of `{row.entry.name}` reads `{missing[0]}`, which has no cell"
        raise refuse("bad-report", message, help=help_)
    return text
