"""Writes a plan as a workbook: alternatives side by side, what is asked and prices to edit, the rest as formulas."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from textwrap import wrap

import xlsxwriter
from xlsxwriter.utility import xl_rowcol_to_cell

from formula_eval.analyse.plan.demand import BUSIEST, Load
from formula_eval.analyse.plan.planned import Alternative, Plan
from formula_eval.analyse.plan.values import values_of
from formula_eval.ask.plan_layout import ASKED, FORMULA, FOUND, INPUT, RowBlock
from formula_eval.ask.workbook.workbook_layout import read_sheet_looks
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.views import View
from formula_eval.export.plan.day_sheet import write_days
from formula_eval.export.plan.grounds import source_lines
from formula_eval.export.plan.heading import heading_of, record_meant
from formula_eval.export.plan.live import changeable, start_values
from formula_eval.export.plan.live_sheet import FreeCells, LiveSheet
from formula_eval.export.plan.plan_cells import FormulaOf, PlanCells, PlanQuantity, fields_of, formulas_of, live_text
from formula_eval.export.plan.rows import PlanSheet, absent_keys, sheet_told
from formula_eval.export.shell_text import lines_of
from formula_eval.export.workbook.readme_sheet import MADE_ON
from formula_eval.export.workbook.sheet import Sheet
from formula_eval.export.workbook.styles import Styles
from formula_eval.export.workbook.writer import OPTIONS

_TITLE, _UNIT, _FIRST_COLUMN = range(3)
_WIDTHS = (38.0, 12.0)
_WIDE = 24.0
_UPRIGHT = 3  # alternatives that a sheet of paper held upright has room for

_Numbers = Mapping[tuple[str, str], float]  # by quantity and hour, in base units


@dataclass(frozen=True, slots=True)
class _Row(PlanQuantity):
    """A row of the sheet, and what its cells are: asked of all, typed, found, or formulas."""

    at: int
    kind: str

    @property
    def is_typed(self) -> bool:
        """Whether its cells are for a reader to change."""
        return self.kind in (ASKED, INPUT)


def plan_workbook(plan: Plan, evaluator: Evaluator, layout: PlanSheet, command: str) -> bytes:
    """The workbook; the same plan gives the same bytes. Raises FormulaError for a formula that lacks a cell to read."""
    held = BytesIO()
    workbook = xlsxwriter.Workbook(held, OPTIONS)
    workbook.set_properties({"created": MADE_ON})
    shown = [alternative for alternative in plan.alternatives if alternative.hours]
    styles = Styles(workbook)
    widths = [*_WIDTHS, *(_WIDE for _ in shown)]
    sheet = Sheet(workbook.add_worksheet(layout.words.title[:31]), styles, widths)
    look = read_sheet_looks(evaluator.library)["plan"]
    blocks = sheet_told(
        layout, look.words["asked"], [alternative.question for alternative in shown if alternative.question], evaluator
    )
    told = {row.name for block in blocks for row in block.rows}
    hidden = {row.name for block in layout.blocks for row in block.rows} - told
    live = LiveSheet(View(evaluator, layout.plan.where), layout.plan, look)
    writer = _Writer(sheet, shown, hidden, live)
    writer.write(layout._replace(blocks=blocks), plan, command)
    if plan.day is not None and plan.load is not None:
        write_days(workbook, styles, plan, evaluator, writer.cells)
    live.write(workbook, styles)
    workbook.close()
    return held.getvalue()


class _Writer:
    """Writes the rows of the plan's own sheet."""

    def __init__(self, sheet: Sheet, shown: list[Alternative], hidden: Collection[str], live: LiveSheet) -> None:
        """Write these alternatives, and add their formulas to the `live` sheet.

        Inputs that are `hidden` have no row, and formulas hold their values.
        """
        self._live = live
        self._evaluator = live.evaluator
        self._hidden = hidden
        self._sheet = sheet
        self._shown = shown
        self._numbers: list[_Numbers] = []  # of each alternative
        self._wide = _FIRST_COLUMN + len(shown)
        self._room = int(sum(_WIDTHS) + _WIDE * len(shown))
        self.cells: dict[str, PlanCells] = {}  # of the busiest hour, by alternative, for other sheets

    def write(self, layout: PlanSheet, plan: Plan, command: str) -> None:
        """Write all rows."""
        heading = heading_of(plan, layout.words, self._evaluator)
        verdict = f"{self._live.look.words['planned']} {heading.verdict}" if heading.verdict else ""
        told = [line for text in (heading.asks, verdict) for line in wrap(text, self._room)]
        self._sheet.title_lines(heading.title, [*told, *layout.words.says])
        head = len(told) + len(layout.words.says) + 2
        self._sheet.head(head, ["", "unit"])
        for column, alternative in enumerate(self._shown, _FIRST_COLUMN):
            self._sheet.text(head, column, alternative.name, "head", align="right")
        self._said(head + 1, "layout", [alternative.layout or "-" for alternative in self._shown])
        self._said(head + 2, "meets the targets", ["no" if alternative.stops else "" for alternative in self._shown])
        place = head + 3
        for title in dict.fromkeys(source.title for source in layout.words.sources):
            sources = [source for source in layout.words.sources if source.title == title]
            files = [record_meant(alternative, sources, self._evaluator) for alternative in self._shown]
            if any(files):
                self._said(place, title, [file.called if file else "-" for file in files])
                place += 1
        rows, end = self._rows(layout.blocks, place + 1)
        self._numbers = [self._values(alternative, rows, plan.load) for alternative in self._shown]
        free = self._add_live(rows, plan.load)
        self._sheet.say_infinite((head + 1, _FIRST_COLUMN), (end, self._wide - 1))
        for place, alternative in enumerate(self._shown):
            self._column(place, alternative, rows)
            followed = free if self._live.is_live(place) else ()
            self._verdict(head + 2, place, alternative, [row for row in rows if row.name not in followed])
        for alternative in plan.alternatives:
            for text in alternative.stops:
                self._sheet.text(end, _TITLE, f"{alternative.name}: {text}", "subtitle")
                end += 1
        cited = source_lines(self._shown, layout.words.sources, self._evaluator, self._room)
        for row, line in enumerate([*cited, "", *lines_of(command, self._room)], end + 1):
            self._sheet.text(row, _TITLE, line, "subtitle")
        is_upright = len(self._shown) <= _UPRIGHT
        self._sheet.finish(frozen=(head + 1, _FIRST_COLUMN), repeat=head, portrait=is_upright)
        if is_upright:
            self._sheet.raw.fit_to_pages(1, 1)

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
                row = _Row(*fields_of(entry, self._evaluator), at, block.kind)
                self._sheet.text(at, _TITLE, entry.title)
                self._sheet.text(at, _UNIT, row.unit, "unit")
                found.append(row)
            at += 2
        return found, at

    def _add_live(self, rows: list[_Row], load: Load | None) -> list[str]:
        """Specialise the formulas of each alternative; gives the inputs whose change they follow."""
        wanted = {
            hour: [row.name for row in rows if row.kind == FOUND and row.entry.hour == hour]
            for hour in self._live.hours
        }
        wanted[BUSIEST] += [condition.node for condition in self._evaluator.conditions]
        wanted[BUSIEST] += [load.average] if load else []
        inputs = [row for row in rows if row.is_typed]
        typed = [row.name for row in inputs if row.entry.hour == BUSIEST and self._can_follow(row)]
        questions = [alternative.question for alternative in self._shown if alternative.question]
        given = set(typed).intersection(*(self._evaluator.givens(question).values for question in questions))
        every = [name for names in wanted.values() for name in names]
        free = changeable(self._evaluator, typed, every, given)
        for place, alternative in enumerate(self._shown):
            cells = {
                (row.entry.hour, row.name): self._base(row, place, f"'{self._sheet.title}'!")
                for row in inputs
                if row.name in free
            }
            values = {name: self._numbers[place][name, BUSIEST] for name in free}
            self._live.add(alternative, wanted, free, FreeCells(cells, values))
        self._live.place()
        return free

    def _can_follow(self, row: _Row) -> bool:
        """Whether formulas may read what is typed: each alternative has a value, or an empty cell for one."""
        values = [number[row.key] for number in self._numbers]
        return all(math.isfinite(value) or (math.isnan(value) and row.kind == INPUT) for value in values)

    def _cell(self, row: _Row, place: int) -> str:
        return str(xl_rowcol_to_cell(row.at, _FIRST_COLUMN + place))

    def _base(self, row: _Row, place: int, sheet: str = "") -> str:
        """What a cell is in base units; not available as long as it is an empty one to type in."""
        cell = f"{sheet}{self._cell(row, place)}"
        text = row.scale.to_base(cell)
        return f'IF({cell}="",NA(),{text})' if row.is_typed and math.isnan(self._numbers[place][row.key]) else text

    def _column(self, place: int, alternative: Alternative, rows: list[_Row]) -> None:
        """Write the cells of an alternative."""
        cells = {row.key: self._base(row, place) for row in rows}
        known = values_of(self._evaluator, alternative.hours.get(BUSIEST), self._hidden)
        formula_of = formulas_of(self._evaluator, known)
        title = self._sheet.title
        places = {row.name: self._base(row, place, f"'{title}'!") for row in rows if row.entry.hour == BUSIEST}
        self.cells[alternative.name] = PlanCells(places, formula_of)
        empty = {row.name for row in rows if row.is_typed and math.isnan(self._numbers[place][row.key])}
        for row in rows:
            value = self._numbers[place][row.key]
            at, form = (row.at, _FIRST_COLUMN + place), row.form
            waits = math.isnan(value) and not empty.isdisjoint(self._evaluator.graph.ancestors([row.name]))
            text = self._formula(row, place, cells, formula_of) if waits or math.isfinite(value) else ""
            if waits and text:  # for what is typed in an empty cell
                self._sheet.formula(*at, f'IFERROR({text},"-")', "-", "calc", form)
            elif not math.isfinite(value):
                self._missing(row, at, "-" if math.isnan(value) else "infinite")
            elif text:
                style = "number" if row.kind == FOUND else "calc"
                self._sheet.formula(*at, text, row.scale.number(value), style, form)
            else:
                self._sheet.number(*at, row.scale.typed(value), "input" if row.is_typed else "number", form)

    def _formula(self, row: _Row, place: int, cells: Mapping[tuple[str, str], str], formula_of: FormulaOf) -> str:
        """The formula of a cell; nothing where it holds what was asked, or what the plan found once for all."""
        if row.kind == FOUND:
            followed = self._live.cell(place, row.entry.hour, row.name)
            return row.scale.from_base(followed) if followed is not None else ""
        if row.kind == FORMULA and row.node.expression is not None:
            return _text(row, cells, formula_of)
        is_same = self._numbers[place][row.key] == self._numbers[0][row.key]
        return self._cell(row, 0) if row.kind == ASKED and place > 0 and is_same else ""

    def _verdict(self, at: int, place: int, alternative: Alternative, rows: list[_Row]) -> None:
        """Say whether the conditions hold, as long as what decides and no formula follows is as it was planned."""
        if alternative.stops and not self._live.is_live(place):
            return
        deciding = set(self._evaluator.graph.ancestors([row.name for row in rows if row.kind == FOUND]))
        same = [
            f"{self._cell(row, place)}={row.scale.typed(self._numbers[place][row.key])}"
            for row in rows
            if row.is_typed and row.entry.hour == BUSIEST and row.name in deciding
            if not math.isnan(self._numbers[place][row.key])
        ]
        text = '"yes"'
        if self._live.is_live(place):
            holds = self._live.conditions(place, [condition.node for condition in self._evaluator.conditions])
            text = f'IF(IFERROR(AND({",".join(holds)}),FALSE),"yes","no")'
        if same:
            text = f'IF(AND({",".join(same)}),{text},"ask again")'
        self._sheet.formula(at, _FIRST_COLUMN + place, text, "no" if alternative.stops else "yes", "calc")

    def _missing(self, row: _Row, at: tuple[int, int], text: str) -> None:
        """Write a cell without a value: an empty one to type a price in, or a text, as where a flag does not hold."""
        if row.kind == INPUT and not row.entry.when:
            self._sheet.blank(*at, "input", row.form)
        else:
            self._sheet.text(*at, text, "number")

    def _values(self, alternative: Alternative, rows: list[_Row], load: Load | None) -> _Numbers:
        """The value of each row in base units, nan where there is none."""
        absent = absent_keys([row.entry for row in rows], alternative.question, self._evaluator)
        found = {
            (name, hour): math.nan if (name, hour) in absent else value
            for hour in self._live.hours
            for name, value in values_of(
                self._evaluator, alternative.hours.get(hour), [row.name for row in rows if row.entry.hour == hour]
            ).items()
        }
        asked = [row.name for row in rows if row.kind == ASKED]
        said = start_values(self._evaluator, alternative, asked, load)
        return found | {(name, BUSIEST): value for name, value in said.items() if name in asked and value is not None}


def _text(row: _Row, cells: Mapping[tuple[str, str], str], formula_of: FormulaOf) -> str:
    """The formula of a row, which reads cells of its own hour, else of the busiest, else of any."""
    missing: list[str] = []

    def cell(name: str) -> str | None:
        hours = (row.entry.hour, BUSIEST, *(hour for _, hour in cells))
        found = next((cells[name, hour] for hour in hours if (name, hour) in cells), None)
        missing.extend([] if found else [name])
        return found

    text = live_text(row.name, row.scale, cell, formula_of)
    if text is None:
        help_ = f"Give `{missing[0]}` a row of its own in reports/plan.toml."
        message = f"The formula of `{row.name}` reads `{missing[0]}`, which has no cell"
        raise refuse("bad-report", message, help=help_)
    return text
