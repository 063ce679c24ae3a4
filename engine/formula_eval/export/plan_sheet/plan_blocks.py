"""Reads from reports/plan.toml what stands on the sheet of a plan."""

from collections.abc import Sequence
from typing import NamedTuple

from formula_eval.export.plan.plan_layout import Block, SheetSource, SheetWords, plan_section
from formula_eval.library import Library
from formula_eval.records.schema import Schema


class PlanSheet(NamedTuple):
    """The title of the sheet, the sentences beneath it, rows of sources, and its blocks."""

    title: str
    says: Sequence[str]
    sources: Sequence[SheetSource]
    blocks: Sequence[Block]


def read_plan_sheet(library: Library, purpose: str, schema: Schema) -> PlanSheet:
    """What the sheet of a purpose holds; raises FormulaError where no library says it, or the file is wrong."""
    section = plan_section(library, purpose, schema, "the sheet of a plan for `{}` holds", "sheet", "block")
    words: SheetWords = section["sheet"]
    return PlanSheet(words.title, words.says, words.sources, section["block"])
