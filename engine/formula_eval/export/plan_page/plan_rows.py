"""Reads from reports/plan.toml what stands on the page of a plan: fields for all alternatives, rows, charts."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from formula_eval.analyse.plan.plan import PlanColumn, PlanLayout
from formula_eval.export.plan.plan_layout import INPUT, Chart, PageWords, plan_section
from formula_eval.export.plan_sheet.plan_blocks import PlanSheet, read_plan_sheet
from formula_eval.library import Library
from formula_eval.records.schema import Schema


class Group(NamedTuple):
    """Rows beneath a title."""

    title: str
    rows: Sequence[PlanColumn]


class PlanPage(NamedTuple):
    """What stands on the page of a plan that tells what `layout` says.

    `fields` are inputs that hold for all alternatives, `typed` the rows of which each alternative has a field of its
    own, `assumed` what all rests on and nobody changes there.
    """

    layout: PlanLayout
    title: str
    says: Sequence[str]
    fields: Sequence[PlanColumn]
    assumed: Sequence[PlanColumn]
    groups: Sequence[Group]
    typed: frozenset[tuple[str, str]]
    percentiles: Sequence[Chart]
    bars: Sequence[Chart]


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
    return PlanPage(plan, sheet.title, page.says, fields, page.assumed, groups, typed, page.percentiles, page.bars)


def _groups(title: str, plan: PlanLayout, sheet: PlanSheet, fields: set[str]) -> Iterator[Group]:
    """The rows that a plan tells, then each block of the sheet without those shown already or in a field for all."""
    written: set[tuple[str, str]] = set()
    for name, rows in ((title, plan.columns), *((each.title, each.rows) for each in sheet.blocks)):
        new = [each for each in rows if each.name not in fields and (each.name, each.hour) not in written]
        written |= {(each.name, each.hour) for each in new}
        if new:
            yield Group(name, new)
