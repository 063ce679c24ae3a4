"""Writes a document as a live Excel workbook: every sheet, its names, and the numbers of the engine in every cell."""

from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import Any

import xlsxwriter

from formula_eval.ask.workbook import naming
from formula_eval.ask.workbook.naming import Refs
from formula_eval.export.document import Document
from formula_eval.export.workbook.calc_sheet import plan_calc, write_calc
from formula_eval.export.workbook.charts import OUTPUTS
from formula_eval.export.workbook.checks_sheet import plan_checks, with_followed_checks, write_checks
from formula_eval.export.workbook.data_table_sheet import DATA_TABLE, data_table_plan, plan_data_table, write_data_table
from formula_eval.export.workbook.inputs_sheet import plan_inputs, write_inputs
from formula_eval.export.workbook.outputs_sheet import write_outputs
from formula_eval.export.workbook.readme_sheet import README, properties, write_readme
from formula_eval.export.workbook.record_sheets import plan_records, title_of, write_records
from formula_eval.export.workbook.reference_sheets import SOURCES, write_names, write_sources
from formula_eval.export.workbook.scenarios_sheet import SCENARIOS, scenario_plan, write_scenarios
from formula_eval.export.workbook.sheet import TableWorksheet
from formula_eval.export.workbook.structure_sheet import STRUCTURE, has_structure, write_structure_sheet
from formula_eval.export.workbook.sweep_sheet import SWEEP, sweeps_of, write_sweep
from formula_eval.export.workbook.tables_sheet import title_of_tables, write_tables
from formula_eval.export.workbook.workbook_context import Book

# Text is never taken for anything else, and nothing is written to disk on the way.
OPTIONS = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "nan_inf_to_errors": True,
}
_Writer = Callable[[Book], None]


def workbook_bytes(document: Document, refs: Refs = "names", fill: str = "") -> bytes:
    """The workbook, whose formulas refer to `names` or `cells`; the same document gives the same bytes.

    `fill` is a workbook of the user's own, whose cells say where values go: it is that one, with the sheets that
    compute behind its own. Raises FormulaError for what Excel cannot hold.
    """
    held = BytesIO()
    workbook = xlsxwriter.Workbook(held, OPTIONS)
    book = build(document, workbook, refs)
    workbook.close()
    if not fill:
        return held.getvalue()
    from formula_eval.export.workbook.template import filled  # noqa: PLC0415 - most workbooks are ours

    return filled(book, held.getvalue(), fill)


def build(document: Document, workbook: Any, refs: Refs) -> Book:  # noqa: ANN401 - a library without types
    """All sheets of a workbook; the book tells what each of its formula cells holds."""
    book = Book(with_followed_checks(document), workbook, refs)
    plan_records(book)
    varied = data_table_plan(book)
    if varied:
        plan_data_table(book, varied)
    plan_inputs(book)
    plan_calc(book)
    plan_checks(book)
    sweeps, scenarios = sweeps_of(book), scenario_plan(book)
    sheets: list[tuple[str, _Writer]] = [
        (README, write_readme),
        (OUTPUTS, write_outputs),
        (naming.INPUTS, write_inputs),
        *([(SCENARIOS, partial(write_scenarios, plan=scenarios))] if scenarios else []),
        *([(STRUCTURE, write_structure_sheet)] if has_structure(book) else []),
        (title_of_tables(document), write_tables),
        *([(SWEEP, partial(write_sweep, plans=sweeps))] if sweeps else []),
        *([(DATA_TABLE, partial(write_data_table, plan=varied))] if varied else []),
        (naming.CALC, write_calc),
        (naming.CHECKS, write_checks),
        *((title_of(book, kind), partial(write_records, table=table)) for kind, table in book.tables.items()),
        (naming.NAMES, write_names),
        (SOURCES, write_sources),
    ]
    for title, _ in sheets:
        workbook.add_worksheet(title, TableWorksheet)
    for _, write in sheets:
        write(book)
    if refs == "names":
        for name, address in sorted(book.naming.defined().items()):
            workbook.define_name(name, f"={address}")
    workbook.set_properties(properties(document))
    workbook.set_size(2400, 1400)
    return book
