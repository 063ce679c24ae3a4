"""Writes a plan: one list of rows, and writers for text, a page that computes, a sheet, a brief, JSON and CSV.

In: a `Plan` and reports/plan.toml. Out: text, or one file. Read first: `rows.py`; then `text.py`. `live.py` specialises
the formulas of an alternative to what a reader may change, for the page and for `live_sheet.py` of the workbook.
"""

from typing import TYPE_CHECKING

from formula_eval.lazy_modules import modules_of

if TYPE_CHECKING:
    from formula_eval.export.plan import (
        data as data,
        plan_brief as plan_brief,
        plan_page as plan_page,
        plan_sheet as plan_sheet,
        rows as rows,
        text as text,
    )

__getattr__ = modules_of(__name__)
