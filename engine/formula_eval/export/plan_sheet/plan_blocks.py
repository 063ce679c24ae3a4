"""reports/plan.toml to the blocks of rows on the sheet of a plan, checked for what they name."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from formula_eval.analyse.plan.plan import PlanColumn
from formula_eval.core.diagnostic import refuse
from formula_eval.export import layout
from formula_eval.export.plan.plan_layout import PLAN_FILE, read_plan_rows
from formula_eval.library import Library
from formula_eval.records.schema import Schema

INPUT, FOUND, FORMULA = KINDS = ("input", "plan", "formula")


class Block(NamedTuple):
    """Rows beneath a title: cells to type in, what the plan found, or formulas that read other cells."""

    title: str
    kind: str
    rows: Sequence[PlanColumn]


class PlanSheet(NamedTuple):
    """The title of the sheet, the sentences beneath it, and its blocks."""

    title: str
    says: Sequence[str]
    blocks: Sequence[Block]


def read_plan_sheet(library: Library, purpose: str, schema: Schema) -> PlanSheet:
    """What the sheet of a purpose holds; raises FormulaError where no library says it, or the file is wrong."""
    shown, data = library.last(PLAN_FILE)
    section = data.get(purpose, {})
    if "sheet" not in section or not section.get("block"):
        help_ = f"[{purpose}.sheet] and [[{purpose}.block]] of {PLAN_FILE} of a library say it."
        raise refuse("bad-report", f"Nothing says what the sheet of a plan for `{purpose}` holds", help=help_)
    layout.check_keys(section["sheet"], ("title", "says"), f"{shown}: [{purpose}.sheet]")
    layout.check_tables(section["block"], ("title", "kind", "rows"), f"{shown}: a [[{purpose}.block]]")
    blocks = tuple(_block(each, shown) for each in section["block"])
    layout.known_quantities([row.name for each in blocks for row in each.rows], schema, shown)
    return PlanSheet(section["sheet"]["title"], tuple(section["sheet"]["says"]), blocks)


def _block(table: dict[str, Any], shown: str) -> Block:
    rows = read_plan_rows(table["rows"], f"{shown}: one of the `rows`")
    if table["kind"] not in KINDS:
        named = f"{shown}: `{table['kind']}` is not a kind of block"
        raise refuse("bad-report", named, help=f"There are {', '.join(KINDS)}.")
    return Block(table["title"], table["kind"], rows)
