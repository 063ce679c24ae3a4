"""Writes a document as a live Excel workbook: every sheet, its names, and the numbers of the engine in every cell."""

from io import BytesIO
from typing import Any

import xlsxwriter

from formula_eval.ask.workbook import naming
from formula_eval.ask.workbook.naming import Refs
from formula_eval.export.document import Document
from formula_eval.export.workbook.calc_sheet import plan_calc, write_calc
from formula_eval.export.workbook.checks_sheet import plan_checks, write_checks
from formula_eval.export.workbook.data_table_plan import DATA_TABLE, data_table_plan, plan_data_table
from formula_eval.export.workbook.data_table_sheet import write_data_table
from formula_eval.export.workbook.inputs_sheet import plan_inputs, write_inputs
from formula_eval.export.workbook.names_sheet import write_names
from formula_eval.export.workbook.outputs_sheet import OUTPUTS, write_outputs
from formula_eval.export.workbook.readme_sheet import README, properties, write_readme
from formula_eval.export.workbook.record_sheets import plan_records, title_of, write_records
from formula_eval.export.workbook.scenario_plan import scenario_plan
from formula_eval.export.workbook.scenarios_sheet import SCENARIOS, write_scenarios
from formula_eval.export.workbook.sources_sheet import SOURCES, write_sources
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
    book = Book(document, workbook, refs)
    records = [title_of(book, supplier) for supplier in book.tables]
    plan_records(book)
    varied = data_table_plan(book)
    if varied:
        plan_data_table(book, varied)
    plan_inputs(book)
    plan_calc(book)
    plan_checks(book)
    sweeps, structured, scenarios = sweeps_of(book), has_structure(book), scenario_plan(book)
    shown = [
        *([STRUCTURE] if structured else []),
        title_of_tables(document),
        *([SWEEP] if sweeps else []),
        *([DATA_TABLE] if varied else []),
    ]
    book.announce(
        [
            README,
            OUTPUTS,
            naming.INPUTS,
            *([SCENARIOS] if scenarios else []),
            *shown,
            naming.CALC,
            naming.CHECKS,
            *records,
            naming.NAMES,
            SOURCES,
        ]
    )
    write_readme(book)
    write_outputs(book)
    write_inputs(book)
    if scenarios:
        write_scenarios(book, scenarios)
    if structured:
        write_structure_sheet(book)
    write_tables(book)
    if sweeps:
        write_sweep(book, sweeps)
    if varied:
        write_data_table(book, varied)
    write_calc(book)
    write_checks(book)
    for table in book.tables.values():
        write_records(book, table)
    write_names(book)
    write_sources(book)
    if refs == "names":
        for name, address in sorted(book.naming.defined().items()):
            workbook.define_name(name, f"={address}")
    workbook.set_properties(properties(document))
    workbook.set_size(2400, 1400)
    return book
