"""reports/plan.toml to what stands on the page of a plan: fields for all alternatives, groups of rows, charts."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from formula_eval.analyse.plan.plan import PlanColumn, PlanLayout
from formula_eval.core.diagnostic import refuse
from formula_eval.export import layout
from formula_eval.export.plan.plan_layout import PLAN_FILE, read_plan_rows
from formula_eval.export.plan_sheet.plan_blocks import INPUT, PlanSheet, read_plan_sheet
from formula_eval.library import Library
from formula_eval.records.schema import Schema

_KEYS = ("says", "rows", "fields", "assumed", "percentiles", "bars")


class Chart(NamedTuple):
    """Quantities of each alternative beside each other, and the input that none of them should exceed."""

    title: str
    rows: Sequence[PlanColumn]
    target: str = ""


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
    shown, data = library.last(PLAN_FILE)
    section: dict[str, Any] = data.get(purpose, {}).get("page", {})
    if not section:
        help_ = f"[{purpose}.page] of {PLAN_FILE} of a library says it."
        raise refuse("bad-report", f"Nothing says what the page of a plan for `{purpose}` holds", help=help_)
    named = f"{shown}: [{purpose}.page]"
    layout.check_keys(section, ("says", "rows", "fields"), named)
    layout.check_known_keys(section, _KEYS, named)
    found = plan.solved.input if plan.solved else ""
    fields = [each for each in read_plan_rows(section["fields"], f"{named}: one of the `fields`") if each.name != found]
    assumed = read_plan_rows(section.get("assumed", ()), f"{named}: one of `assumed`")
    charts = {key: [*_charts(section.get(key, ()), f"{named}: one of the `{key}`")] for key in ("percentiles", "bars")}
    held = [row for several in charts.values() for each in several for row in each.rows]
    targets = [each.target for each in charts["percentiles"]]
    layout.known_quantities([*(each.name for each in (*fields, *assumed, *held)), *targets], schema, shown)
    sheet = read_plan_sheet(library, purpose, schema)
    typed = frozenset((row.name, row.hour) for each in sheet.blocks if each.kind == INPUT for row in each.rows)
    groups = [*_groups(section["rows"], plan, sheet, {each.name for each in fields})]
    return PlanPage(plan, sheet.title, tuple(section["says"]), fields, assumed, groups, typed, *charts.values())


def _groups(title: str, plan: PlanLayout, sheet: PlanSheet, fields: set[str]) -> Iterator[Group]:
    """What a plan tells, then each block of the sheet without what stands there already, or in a field for all."""
    written: set[tuple[str, str]] = set()
    for name, rows in ((title, plan.columns), *((each.title, each.rows) for each in sheet.blocks)):
        new = [each for each in rows if each.name not in fields and (each.name, each.hour) not in written]
        written |= {(each.name, each.hour) for each in new}
        if new:
            yield Group(name, new)


def _charts(tables: Any, named: str) -> Iterator[Chart]:  # noqa: ANN401 - as the file holds them
    layout.check_tables(tables, ("title", "rows"), named)
    for each in tables:
        layout.check_known_keys(each, Chart._fields, named)
        yield Chart(each["title"], read_plan_rows(each["rows"], f"{named}: one of its `rows`"), each.get("target", ""))
