"""The workbook as a file: what stands in its cells, its names, its limits, and texts that would like to be formulas."""

import io
import re
import zipfile
from datetime import datetime
from typing import Any

import openpyxl
import pytest
from openpyxl.utils.datetime import to_excel

from counted import seen
from formula_eval.ask.workbook.naming import CALC, INPUTS
from formula_eval.export.workbook.formula_lint import excel_findings
from formula_eval.export.workbook.workbook_context import Book
from formula_eval.printing.excel_names import excel_meaning

pytestmark = pytest.mark.slow

SHEETS = [
    "README",
    "Outputs",
    "Inputs",
    "Scenarios",
    "Structure",
    "Operators",
    "Sweep",
    "Data table",
    "Calc",
    "Checks",
    "Models",
    "Instances",
    "Workloads",
    "Hardware",
    "Formats",
    "Families",
    "Offers",
    "Engines",
    "Intervals",
    "Names",
    "Sources",
]


@pytest.fixture(scope="module")
def values(llama: tuple[Book, bytes]) -> Any:
    return openpyxl.load_workbook(io.BytesIO(llama[1]), data_only=True, read_only=True)


@pytest.fixture(scope="module")
def opened(llama: tuple[Book, bytes]) -> Any:
    """All that openpyxl knows of it, which takes ten seconds to read."""
    return openpyxl.load_workbook(io.BytesIO(llama[1]))


def test_its_sheets(values: Any) -> None:
    assert values.sheetnames == SHEETS


def test_other_programs_read_the_numbers_of_the_engine(llama: tuple[Book, bytes], values: Any) -> None:
    book = llama[0]
    for title in seen(values.sheetnames):
        grid = list(values[title].iter_rows(values_only=True))
        for (row, column), expected in book.sheets[title].formulas.items():
            found = grid[row][column]
            found = to_excel(found) if isinstance(found, datetime) else found
            assert found == (None if expected == "" else expected), f"{title}, row {row + 1}, column {column + 1}"


def test_every_node_stands_once_with_its_text_and_source(llama: tuple[Book, bytes], values: Any) -> None:
    book = llama[0]
    grid = list(values[CALC].iter_rows(values_only=True))
    for node in seen(book.computed):
        row = grid[book.naming.places[node.name].row]
        assert row[0] == node.base
        assert row[5]
        assert row[8] == f"{node.declaration.span.file}:{node.declaration.span.line}"


def test_names_are_none_of_excels_own(llama: tuple[Book, bytes]) -> None:
    names = llama[0].naming.defined()
    assert len(names) > 1000
    assert len({name.lower() for name in names}) == len(names)
    for name in names:
        assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,254}", name)
        assert excel_meaning(name) == ""
    workbook = openpyxl.load_workbook(io.BytesIO(llama[1]), read_only=True)
    assert set(workbook.defined_names) >= set(names)


def test_formulas_keep_to_what_every_excel_has(llama: tuple[Book, bytes]) -> None:
    count = tables = 0
    with zipfile.ZipFile(io.BytesIO(llama[1])) as packed:
        for part in packed.namelist():
            if part.startswith("xl/worksheets/sheet"):
                tables += packed.read(part).count(b'<f t="dataTable"')
                count += packed.read(part).count(b'"></f>')  # further cells of a formula that several share
                for text in re.findall(rb"<f(?: t=.shared.[^>]*)?>([^<]+)</f>", packed.read(part)):
                    formula = text.decode().replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
                    assert list(excel_findings(formula)) == []
                    count += 1
    assert tables == 1
    assert count + tables == sum(len(sheet.formulas) for sheet in llama[0].sheets.values())


def test_every_input_is_checked_described_and_open(llama: tuple[Book, bytes], opened: Any) -> None:
    book = llama[0]
    sheet = opened[INPUTS]
    checked = {str(each.sqref) for each in sheet.data_validations.dataValidation}
    assert sheet.protection.sheet
    for node in book.inputs:
        row = book.naming.places[node.name].row + 1
        assert f"C{row}" in checked
        assert sheet[f"C{row}"].protection.locked is False
        assert sheet[f"F{row}"].protection.locked is True
        assert sheet[f"B{row}"].value == node.declaration.notes.sentence
    places = [book.naming.places[f"{selector.key} chosen"] for selector in book.selectors]
    assert all(f"C{place.row + 1}" in checked for place in places)


def test_what_one_reads_prints_a_page_wide_and_the_rest_not_at_all(
    llama: tuple[Book, bytes], opened: Any, values: Any
) -> None:
    assert all(sheet.sheet_properties.pageSetUpPr.fitToPage for sheet in opened)
    empty = [sheet.title for sheet in opened if sheet.print_area.endswith("!$XFD$1")]
    printed = [sheet for sheet in opened if sheet.title not in empty]
    assert {"Calc", "Names", "Models", "Hardware"} <= {*empty}
    assert {"README", "Outputs", INPUTS, "Operators", "Checks", "Sources"} <= {sheet.title for sheet in printed}
    rows = sum(
        int(sheet.print_area.rpartition("$")[2] or 0) if sheet.print_area else sheet.max_row for sheet in printed
    )
    assert rows < 1_200  # some 50 rows on a page; with Calc and Names there are 20,000
    inputs = opened[INPUTS].print_area.rpartition("$")[2]
    cells = {str(row[0].value): row[5].value for row in values[INPUTS].iter_rows(max_row=int(inputs))}
    assert {"model", "hardware", "tp", "batch", "prompt"} <= cells.keys()
    assert "#N/A" not in cells.values()
    other = {selector.key for selector in llama[0].selectors if "draft_model" in selector.key}
    assert other
    assert not other & cells.keys()


def test_ends_of_intervals_are_numbers_beneath_their_headline(llama: tuple[Book, bytes], values: Any) -> None:
    book, sheet = llama[0], values["Outputs"]
    numbers = {
        cell.value for row in sheet.iter_rows(min_row=5, max_row=20) for cell in row if not isinstance(cell.value, str)
    }
    ends = [("inference.ttft_low", 1e3), ("inference.ttft_high", 1e3), ("memory.total_bytes_high", 1e-9)]
    for name, factor in seen(ends, at_least=3):
        assert any(each == pytest.approx(book.value(name) * factor) for each in numbers if each is not None), name


def test_a_record_is_called_by_its_name(values: Any) -> None:
    assert str(values["Outputs"]["A1"].value).startswith("Llama 2 70B on NVIDIA")
    says = [str(row[0].value) for row in values[INPUTS].iter_rows(min_col=8, max_col=8, max_row=12)]
    assert "Llama 2 70B, a row of Models" in says


def test_names_beneath_headlines_shrink_to_their_cell(opened: Any) -> None:
    rows = opened["Outputs"].iter_rows(min_row=5, max_row=20)
    names = [cell for row in rows for cell in row if str(cell.value).startswith("inference.")]
    assert all(cell.alignment.shrink_to_fit for cell in seen(names, at_least=2))


def test_charts_are_there_and_described(llama: tuple[Book, bytes]) -> None:
    with zipfile.ZipFile(io.BytesIO(llama[1])) as packed:
        charts = [name for name in packed.namelist() if name.startswith("xl/charts/chart")]
        drawings = b"".join(packed.read(name) for name in packed.namelist() if "drawings/drawing" in name)
    assert len(charts) == 4
    assert drawings.count(b"descr=") == 4


def test_no_number_of_the_operators_is_shown_unrounded(values: Any) -> None:
    cells = [cell for row in values["Operators"].iter_rows() for cell in row if isinstance(cell.value, float)]
    assert [cell.coordinate for cell in cells if cell.number_format == "General" and cell.value % 1] == []


def test_grids_work_out_what_the_document_does_not_need(values: Any) -> None:
    rows = list(values["Operators"].iter_rows(values_only=True))
    titles = [str(row[0]) for row in rows]
    parts = ("batch=inference.own_prefill_part_time", "cached=0")
    at = next(n for n, each in enumerate(titles) if all(part in each for part in parts))
    heads, units, cells = rows[at + 1], rows[at + 2], {row[0]: row for row in rows[at + 3 : at + 30]}
    column = {head: place for place, head in enumerate(heads)}
    assert {cells[name][column["bound"]] for name in ("embedding_lookup", "ffn_in")} == {"memory", "compute"}
    assert [units[column[name]] for name in ("compute_time", "memory_time", "time")] == ["us"] * 3
    row = cells["embedding_lookup"]
    assert row[column["memory_time"]] == pytest.approx(row[column["time"]])
    assert row[column["memory_time"]] > 0


def test_a_table_under_other_inputs_holds_what_was_computed_under_them(llama: tuple[Book, bytes], values: Any) -> None:
    book, _ = llama
    for node in seen((node for node in book.document.nodes if node.original), at_least=1000):
        found = book.cell(node.original, node.binding)
        assert found is None or book.value(found.name) == book.value(node.name), (node.original, node.binding)
    titles = [str(row[0]) for row in values["Operators"].iter_rows(values_only=True)]
    assert not [each for each in titles if "draft_model" in each]  # nobody chose one
