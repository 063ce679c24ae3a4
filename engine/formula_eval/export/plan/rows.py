"""Lists what is told of each alternative of a plan: its rows with their values, those of its page and of its sheet."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from formula_eval.analyse.plan.capacity import resized
from formula_eval.analyse.plan.demand import PlanColumn, PlanLayout, case_columns
from formula_eval.analyse.plan.planned import Alternative, DayHour, Plan
from formula_eval.analyse.plan.values import shown_quantity, told_columns, untold
from formula_eval.ask.plan_layout import ASKED, FORMULA, INPUT, PageWords, RowBlock, SheetWords, plan_section
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.library import Library
from formula_eval.records.givens import Question
from formula_eval.records.schema import Schema

_SHARE_DIGITS = 5  # of a small share, such as that of late requests: a plan knows no more of it
_SMALL = 0.1
_NOTHING = "-"


class Told(NamedTuple):
    """A row of a plan: what it tells, and its text for each alternative."""

    title: str
    texts: Sequence[str]

    @property
    def is_empty(self) -> bool:
        """Whether no alternative has a value."""
        return all(text == _NOTHING for text in self.texts)


def rows_of(plan: Plan, several: Sequence[Alternative], evaluator: Evaluator) -> list[Told]:
    """What a plan tells of these alternatives: the layout, then its columns."""
    layout = Told("layout", [alternative.layout or _NOTHING for alternative in several])
    told = values_told(plan.columns, [alternative.values for alternative in several], evaluator)
    return [layout, *told, *mosts_told(plan, several, evaluator), *days_told(plan, several, evaluator)]


def cases_told(plan: Plan, several: Sequence[Alternative], evaluator: Evaluator) -> list[Told]:
    """A row for each case, of what has a value in some alternative: `32 GPUs, 91,571 USD`."""
    found = []
    for case in plan.cases.cases:
        told = [(turn, row) for turn, row in enumerate(plan.columns) if row.hour == case.name]
        values = [[alternative.values[turn] for turn, _ in told] for alternative in several]
        rows = [each for each in values_told([row for _, row in told], values, evaluator) if not each.is_empty]
        if rows:
            texts = zip(*(row.texts for row in rows), strict=True)
            found.append(Told(case.title, [_joined(text) for text in texts]))
    return found


def _joined(texts: Sequence[str]) -> str:
    """Those that are values, one behind the other."""
    return ", ".join(text for text in texts if text != _NOTHING) or _NOTHING


def case_titles(plan: Plan) -> set[str]:
    """The titles of the rows that tell of a case."""
    return {column.title for column in plan.columns if column.hour in plan.cases.names}


def mosts_told(plan: Plan, several: Sequence[Alternative], evaluator: Evaluator) -> Iterator[Told]:
    """The largest rate at which one replica meets the targets, where requests arrive at a rate."""
    if plan.load is not None:
        row = PlanColumn(plan.load.most, plan.load.rate)
        yield from values_told([row], [[alternative.most] for alternative in several], evaluator)


def days_told(plan: Plan, several: Sequence[Alternative], evaluator: Evaluator) -> Iterator[Told]:
    """The sums of a day where its hours were asked for: scaled by the hour, and with the busiest hour's replicas."""
    if plan.day is None:
        return
    none = [math.nan for _ in plan.day.sums]
    for turn, sums in enumerate(
        (
            [alternative.day.scaled if alternative.day else none for alternative in several],
            [alternative.day.steady if alternative.day else none for alternative in several],
        )
    ):
        for entry, row in zip(plan.day.sums, values_told(plan.day.sums, sums, evaluator), strict=True):
            yield row._replace(title=sums_titles(entry)[turn])
    committed = [alternative.day.committed if alternative.day else math.nan for alternative in several]
    if plan.day.commitment and not all(map(math.isnan, committed)):
        column = PlanColumn(f"{plan.day.commitment.title}, by the hour", plan.day.commitment.input)
        yield from values_told([column], [[number] for number in committed], evaluator)


def sums_titles(entry: PlanColumn) -> tuple[str, str]:
    """The titles of a sum of the day: with the replicas of each hour, and with those of the busiest all day."""
    return f"{entry.title}, by the hour", f"{entry.title}, never scaled"


def detail_titles(plan: Plan) -> set[str]:
    """The titles of the rows that a brief has no room for."""
    sums = (sums_titles(entry) for entry in (plan.day.sums if plan.day else ()) if entry.detail)
    return {column.title for column in plan.columns if column.detail}.union(*sums)


def hour_text(hour: int) -> str:
    """An hour of the day as a clock shows it."""
    return f"{hour:02}:00"


def named_day(alternative: Alternative) -> str:
    """The title above the hours of an alternative."""
    return f"A day of {alternative.name}"


def hours_told(plan: Plan, alternative: Alternative, evaluator: Evaluator) -> list[Told]:
    """The hours of the day of an alternative, one row each, beneath the titles of the columns; none without one."""
    if plan.day is None or alternative.day is None:
        return []
    columns = [Told("hour", [*(row.title for row in plan.day.columns), plan.day.starts])]
    rows = [_row_of_hour(hour, plan.day.columns, evaluator) for hour in alternative.day.hours]
    return columns + rows


def _row_of_hour(hour: DayHour, columns: Sequence[PlanColumn], evaluator: Evaluator) -> Told:
    texts = [row.texts[0] for row in values_told(columns, [hour.values], evaluator)]
    return Told(hour_text(hour.hour), [*texts, f"{hour.starts:.0f}" if hour.starts else ""])


def values_told(rows: Sequence[PlanColumn], several: Sequence[Sequence[float]], evaluator: Evaluator) -> Iterator[Told]:
    """Rows with the texts of their values in each alternative."""
    for number, row in enumerate(rows):
        yield Told(row.title, [_text(values[number], row, evaluator) for values in several])


def absent_keys(rows: Sequence[PlanColumn], question: Question | None, evaluator: Evaluator) -> set[tuple[str, str]]:
    """Name and hour of what has no value for an alternative, since the flag of no row of it holds."""
    left_out = untold(rows, question, evaluator) if question else set()
    said = {(row.name, row.hour) for row in rows if (row.name, row.hour, row.when) not in left_out}
    return {(name, hour) for name, hour, _ in left_out} - said


def _text(value: float, row: PlanColumn, evaluator: Evaluator) -> str:
    """A value as people read it; a dash where there is none."""
    if math.isnan(value):
        return _NOTHING
    shown = shown_quantity(row, evaluator)
    if words := evaluator.schema.quantity(row.name).words:
        return words[round(value)]
    small = shown.unit == "percent" and value < _SMALL
    return shown_value(round(value, _SHARE_DIGITS) if small else value, shown)


class PlanSheet(NamedTuple):
    """The words of the sheet of a plan, inputs that hold for all alternatives, and its blocks."""

    plan: PlanLayout
    words: SheetWords
    asked: Sequence[PlanColumn]
    blocks: Sequence[RowBlock]


def read_plan_sheet(library: Library, purpose: str, schema: Schema, plan: PlanLayout) -> PlanSheet:
    """What the sheet of a purpose holds; raises FormulaError where no library says it, or the file is wrong.

    What holds for all alternatives are the fields of the page, without those that each has a cell of its own for.
    """
    section = plan_section(library, purpose, schema, "the sheet of a plan for `{}` holds", "sheet", "block")
    blocks: Sequence[RowBlock] = section["block"]
    cases = plan.cases.cases
    blocks = [block._replace(rows=case_columns(block.rows, cases)) if block.each_case else block for block in blocks]
    own = {row.name for block in blocks if block.kind == INPUT for row in block.rows}
    asked = [row for row in _fields(section.get("page"), plan) if row.name not in own]
    return PlanSheet(plan, section["sheet"], asked, blocks)


def sheet_told(sheet: PlanSheet, title: str, asked: Sequence[Question], evaluator: Evaluator) -> list[RowBlock]:
    """The blocks, behind one of what is asked of all alternatives, without rows whose flag holds in none of them."""
    idle = _idle_cases(sheet.plan, evaluator)
    own = (
        block._replace(rows=[row for row in block.rows if row.hour not in idle]) if block.kind == INPUT else block
        for block in sheet.blocks
    )
    blocks = [RowBlock(title, ASKED, sheet.asked), *own]
    first, *others = (block._replace(rows=told_columns(block.rows, asked, evaluator)) for block in blocks)
    stand = {(row.name, row.hour) for row in first.rows}
    others = [block._replace(rows=[row for row in block.rows if (row.name, row.hour) not in stand]) for block in others]
    return [block for block in (first, *others) if block.rows]


def _idle_cases(layout: PlanLayout, evaluator: Evaluator) -> set[str]:
    """The cases that take the replicas of the plan."""
    return {*layout.cases.names} - resized(evaluator, layout)


class PlanPage(NamedTuple):
    """What stands on the page of a plan that tells what `layout` says.

    `fields` are inputs that hold for all alternatives, `typed` the rows of which each alternative has a field of its
    own.
    """

    layout: PlanLayout
    heading: SheetWords  # the same as that of the sheet
    words: PageWords  # its sentences and its charts
    fields: Sequence[PlanColumn]
    groups: Sequence[RowBlock]  # rows of each alternative, beneath their headings
    typed: frozenset[tuple[str, str]]


def read_plan_page(library: Library, purpose: str, schema: Schema, plan: PlanLayout) -> PlanPage:
    """What the page of a purpose holds; raises FormulaError where no library says it, or the file is wrong.

    Its rows are those that a plan tells, and behind them those of the sheet's blocks that are not among them.
    """
    page: PageWords = plan_section(library, purpose, schema, "the page of a plan for `{}` holds", "page")["page"]
    sheet = read_plan_sheet(library, purpose, schema, plan)
    fields = _fields(page, plan)
    typed = frozenset((row.name, row.hour) for block in sheet.blocks if block.kind == INPUT for row in block.rows)
    groups = [*_groups(page.rows, plan, sheet, {field.name for field in fields})]
    return PlanPage(plan, sheet.words, page, fields, groups, typed)


def _fields(page: PageWords | None, plan: PlanLayout) -> list[PlanColumn]:
    """The inputs that hold for all alternatives: one that the plan finds does not, since each has its own."""
    found = plan.solved.input if plan.solved else ""
    return [field for field in page.fields if field.name != found] if page else []


def page_told(page: PlanPage, asked: Sequence[Question], evaluator: Evaluator) -> PlanPage:
    """The page without rows, fields and charts whose flag holds in no alternative."""

    def told(rows: Sequence[PlanColumn]) -> list[PlanColumn]:
        return told_columns(rows, asked, evaluator)

    idle = _idle_cases(page.layout, evaluator)

    def held(rows: Sequence[PlanColumn]) -> list[PlanColumn]:
        return [
            column for column in told(rows) if column.hour not in idle or (column.name, column.hour) not in page.typed
        ]

    groups = [group._replace(rows=rows) for group in page.groups if (rows := held(group.rows))]
    charts = [
        percentile._replace(rows=rows) for percentile in page.words.percentiles if (rows := told(percentile.rows))
    ]
    words = page.words._replace(percentiles=charts)
    typed = page.typed & {(row.name, row.hour) for group in groups for row in group.rows}
    return page._replace(groups=groups, words=words, fields=told(page.fields), typed=typed)


def _groups(title: str, plan: PlanLayout, sheet: PlanSheet, fields: set[str]) -> Iterator[RowBlock]:
    """The rows that a plan tells, then each block of the sheet without those shown already or in a field for all."""
    written: set[tuple[str, str]] = set()
    cases = plan.cases
    own = [column for column in plan.columns if column.hour not in cases.names]
    others = [column for column in plan.columns if column.hour in cases.names]
    for name, rows in ((title, own), (cases.title, others), *((block.title, block.rows) for block in sheet.blocks)):
        new = [row for row in rows if row.name not in fields and (row.name, row.hour) not in written]
        written |= {(column.name, column.hour) for column in new}
        if new:
            yield RowBlock(name, FORMULA, new)
