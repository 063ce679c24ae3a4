"""Lists what is told of each alternative of a plan: its rows with their values, those of its page and of its sheet."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from formula_eval.analyse.plan.day import DayHour
from formula_eval.analyse.plan.demand import PlanColumn, PlanLayout
from formula_eval.analyse.plan.plan import Alternative, Plan, values_of
from formula_eval.ask.answer_layout import quoted
from formula_eval.ask.plan_layout import FORMULA, INPUT, PageWords, RowBlock, SheetSource, SheetWords, plan_section
from formula_eval.core.quantity import Quantified
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.display_unit import unit_of_entry
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.library import Library
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
        return all(each == _NOTHING for each in self.texts)


def rows_of(plan: Plan, several: Sequence[Alternative], evaluator: Evaluator) -> list[Told]:
    """What a plan tells of these alternatives: the layout, then its columns."""
    layout = Told("layout", [each.layout or _NOTHING for each in several])
    told = values_told(plan.columns, [each.values for each in several], evaluator)
    return [layout, *told, *mosts_told(plan, several, evaluator), *days_told(plan, several, evaluator)]


def mosts_told(plan: Plan, several: Sequence[Alternative], evaluator: Evaluator) -> Iterator[Told]:
    """The largest rate at which one replica meets the targets, where requests arrive at a rate."""
    if plan.load is not None:
        row = PlanColumn(plan.load.most, plan.load.rate)
        yield from values_told([row], [[each.most] for each in several], evaluator)


def days_told(plan: Plan, several: Sequence[Alternative], evaluator: Evaluator) -> Iterator[Told]:
    """The sums of a day where its hours were asked for: scaled by the hour, and with the busiest hour's replicas."""
    if plan.day is None:
        return
    none = [math.nan for _ in plan.day.sums]
    for turn, sums in enumerate(
        (
            [each.day.scaled if each.day else none for each in several],
            [each.day.steady if each.day else none for each in several],
        )
    ):
        for entry, row in zip(plan.day.sums, values_told(plan.day.sums, sums, evaluator), strict=True):
            yield row._replace(title=sums_titles(entry)[turn])


def sums_titles(entry: PlanColumn) -> tuple[str, str]:
    """The titles of a sum of the day: with the replicas of each hour, and with those of the busiest all day."""
    return f"{entry.title}, by the hour", f"{entry.title}, never scaled"


def hour_text(hour: int) -> str:
    """An hour of the day as a clock shows it."""
    return f"{hour:02}:00"


def named_day(each: Alternative) -> str:
    """The title above the hours of an alternative."""
    return f"A day of {each.name}"


def hours_told(plan: Plan, each: Alternative, evaluator: Evaluator) -> list[Told]:
    """The hours of the day of an alternative, one row each, beneath the titles of the columns; none without one."""
    if plan.day is None or each.day is None:
        return []
    columns = [Told("hour", [*(row.title for row in plan.day.columns), plan.day.starts])]
    rows = [_row_of_hour(hour, plan.day.columns, evaluator) for hour in each.day.hours]
    return columns + rows


def _row_of_hour(hour: DayHour, columns: Sequence[PlanColumn], evaluator: Evaluator) -> Told:
    texts = [row.texts[0] for row in values_told(columns, [hour.values], evaluator)]
    return Told(hour_text(hour.hour), [*texts, f"{hour.starts:.0f}" if hour.starts else ""])


def day_sentence(plan: Plan, evaluator: Evaluator) -> str:
    """What scaling by the hour saves the best, and how often a replica starts; nothing where no day was asked for."""
    best = plan.best
    if plan.day is None or best is None or best.day is None:
        return ""
    day = best.day
    told = list(days_told(plan, [best], evaluator))
    scaled, steady = told[0].texts[0], told[len(plan.day.sums)].texts[0]
    if math.isnan(day.scaled[0]):
        return ""
    less = f"{1 - day.scaled[0] / day.steady[0]:.1%} less than {steady}" if day.steady[0] else f"instead of {steady}"
    if not day.starts:
        return f"The {plan.day.sums[0].title} is {steady} on {best.name}: every hour takes as many replicas."
    start = shown_value(day.start_time, evaluator.schema.quantity(plan.day.start))
    return (
        f"With the replicas that each hour takes, the {plan.day.sums[0].title} is {scaled} on {best.name}, {less} "
        f"with those of the busiest hour all day. {day.starts:.0f} replicas start in its course: each is rented from "
        f"{start} before the hour at which it has to answer."
    )


def values_told(rows: Sequence[PlanColumn], several: Sequence[Sequence[float]], evaluator: Evaluator) -> Iterator[Told]:
    """Rows with the texts of their values in each alternative."""
    for number, row in enumerate(rows):
        yield Told(row.title, [_text(values[number], row, evaluator) for values in several])


def shown_quantity(row: PlanColumn, evaluator: Evaluator) -> Quantified:
    """The quantity that shows the values of a row; raises FormulaError for a unit of something else."""
    quantity = evaluator.schema.quantity(row.name)
    entry = {"unit": row.unit} if row.unit else {}
    shown = unit_of_entry(row.name, quantity, entry, evaluator.schema.units)
    return shown if isinstance(shown, Quantified) else quantity


def _text(value: float, row: PlanColumn, evaluator: Evaluator) -> str:
    """A value as people read it; a dash where there is none."""
    if math.isnan(value):
        return _NOTHING
    shown = shown_quantity(row, evaluator)
    small = shown.unit == "percent" and value < _SMALL
    return shown_value(round(value, _SHARE_DIGITS) if small else value, shown)


def verdict_of(plan: Plan, evaluator: Evaluator) -> str:
    """The sentence about a plan: of its best, or of the first that comes near; nothing where none is to be said."""
    best, day = plan.best, day_sentence(plan, evaluator)
    told = best or next((each for each in plan.alternatives if each.question), None)
    parts = plan.verdict.best if best else plan.verdict.nothing
    if told is None or not parts:
        return day
    values = values_of(evaluator, told.question, {name for part in parts for name in quoted(part)})
    known = [part for part in parts if not any(math.isnan(values[name]) for name in quoted(part))]
    said = f"{told.name} ({told.layout}){''.join(known)}"
    for name, value in values.items():
        if not math.isnan(value):
            said = said.replace(f"{{{name}}}", shown_value(value, evaluator.schema.quantity(name)))
    return f"{said} {day}".strip()


class PlanSheet(NamedTuple):
    """The title of the sheet, the sentences beneath it, rows of sources, and its blocks."""

    title: str
    says: Sequence[str]
    sources: Sequence[SheetSource]
    blocks: Sequence[RowBlock]


def read_plan_sheet(library: Library, purpose: str, schema: Schema) -> PlanSheet:
    """What the sheet of a purpose holds; raises FormulaError where no library says it, or the file is wrong."""
    section = plan_section(library, purpose, schema, "the sheet of a plan for `{}` holds", "sheet", "block")
    words: SheetWords = section["sheet"]
    return PlanSheet(words.title, words.says, words.sources, section["block"])


class PlanPage(NamedTuple):
    """What stands on the page of a plan that tells what `layout` says.

    `fields` are inputs that hold for all alternatives, `typed` the rows of which each alternative has a field of its
    own.
    """

    layout: PlanLayout
    title: str  # heading, the same as that of the sheet
    words: PageWords  # its sentences and its charts
    fields: Sequence[PlanColumn]
    groups: Sequence[RowBlock]  # rows of each alternative, beneath their headings
    typed: frozenset[tuple[str, str]]


def read_plan_page(library: Library, purpose: str, schema: Schema, plan: PlanLayout) -> PlanPage:
    """What the page of a purpose holds; raises FormulaError where no library says it, or the file is wrong.

    Its rows are those that a plan tells, and behind them those of the sheet's blocks that are not among them. An input
    that the plan finds is no field, since each alternative has its own.
    """
    page: PageWords = plan_section(library, purpose, schema, "the page of a plan for `{}` holds", "page")["page"]
    sheet = read_plan_sheet(library, purpose, schema)
    found = plan.solved.input if plan.solved else ""
    fields = [each for each in page.fields if each.name != found]
    typed = frozenset((row.name, row.hour) for each in sheet.blocks if each.kind == INPUT for row in each.rows)
    groups = [*_groups(page.rows, plan, sheet, {each.name for each in fields})]
    return PlanPage(plan, sheet.title, page, fields, groups, typed)


def _groups(title: str, plan: PlanLayout, sheet: PlanSheet, fields: set[str]) -> Iterator[RowBlock]:
    """The rows that a plan tells, then each block of the sheet without those shown already or in a field for all."""
    written: set[tuple[str, str]] = set()
    for name, rows in ((title, plan.columns), *((each.title, each.rows) for each in sheet.blocks)):
        new = [each for each in rows if each.name not in fields and (each.name, each.hour) not in written]
        written |= {(each.name, each.hour) for each in new}
        if new:
            yield RowBlock(name, FORMULA, new)
