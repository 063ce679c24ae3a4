"""The data table of a workbook: a spreadsheet computes each cell of it, whatever quantity and inputs are chosen."""

import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from counted import seen
from export.office import Office
from export.workbook_cases import agrees, book_of, document, evaluator
from formula_eval.export.workbook.data_table_sheet import (
    ACROSS_ROW,
    CHOSEN,
    DATA_TABLE,
    DOWN_ROW,
    EDGE,
    QUANTITY_ROW,
    DataTablePlan,
    data_table_plan,
    shown_scale,
)
from formula_eval.export.workbook.workbook_context import Book
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow
ASKED = {"tp": 8}


@pytest.fixture(scope="module")
def made() -> tuple[Book, DataTablePlan, bytes]:
    book, contents = book_of(
        document({"model": "llama2-70b"}, ASKED, ("inference.lone_prefill_time", "memory.total_bytes"))
    )
    plan = data_table_plan(book)
    assert plan is not None
    return book, plan, contents


def test_each_cell_is_what_the_engine_says_of_its_edges(
    made: tuple[Book, DataTablePlan, bytes], office: Office, tmp_path: Path
) -> None:
    book, plan, contents = made
    (tmp_path / "table.xlsx").write_bytes(contents)
    office.open(tmp_path / "table.xlsx")
    grid = office.read(DATA_TABLE)
    scale = shown_scale(book, plan.quantity)
    for line, row in seen(enumerate(plan.cells)):
        for column, number in enumerate(row):
            assert agrees(scale.number(number), grid[EDGE + 1 + line][1 + column])


def test_another_quantity_over_other_inputs(
    made: tuple[Book, DataTablePlan, bytes], office: Office, tmp_path: Path
) -> None:
    book, plan, contents = made
    (tmp_path / "chosen.xlsx").write_bytes(contents)
    office.open(tmp_path / "chosen.xlsx")
    for row, name in ((QUANTITY_ROW, "memory.total_bytes"), (ACROSS_ROW, "kv_bits"), (DOWN_ROW, "batch")):
        office.ask("set", DATA_TABLE, row, CHOSEN, name)
    bits, batches = (8, 16), (3, 40)
    for column in range(len(plan.across.points)):
        office.ask("set", DATA_TABLE, EDGE, 1 + column, bits[column % 2])
    for row in range(len(plan.down.points)):
        office.ask("set", DATA_TABLE, EDGE + 1 + row, 0, batches[row % 2])
    grid = office.read(DATA_TABLE)
    scale, asked = shown_scale(book, book.document.graph.nodes["memory.total_bytes"]), evaluator()
    program = asked.program(["memory.total_bytes"])
    for row, batch in seen(enumerate(batches)):
        for column, kv_bits in enumerate(bits):
            values = {**ASKED, "batch": batch, "kv_bits": kv_bits}
            numbers = program.evaluate(asked.givens(Question({"model": "llama2-70b"}, values)).values)
            assert agrees(scale.number(numbers["memory.total_bytes"]), grid[EDGE + 1 + row][1 + column])


def test_the_file_holds_a_table_with_the_numbers_of_the_engine(made: tuple[Book, DataTablePlan, bytes]) -> None:
    book, plan, contents = made
    with zipfile.ZipFile(BytesIO(contents)) as archive:
        sheets = [archive.read(name).decode() for name in archive.namelist() if "worksheets/sheet" in name]
    (text,) = (each for each in sheets if "dataTable" in each)
    last = f"{chr(ord('A') + len(plan.across.points))}{EDGE + 1 + len(plan.down.points)}"
    assert f'<f t="dataTable" ref="B{EDGE + 2}:{last}" dt2D="1" dtr="1" r1="B8" r2="C8"/>' in text
    value = shown_scale(book, plan.quantity).number(plan.cells[0][0])
    assert f"<v>{value:.16G}</v>" in text


def test_a_document_of_few_inputs_has_the_table_that_it_can() -> None:
    book, _ = book_of(document({"model": "llama2-70b"}, ASKED, ("params.total",)))
    plan = data_table_plan(book)
    assert plan is not None
    assert plan.quantity.name == "params.total"
    assert plan.across.node.name != plan.down.node.name
    assert len(plan.across.points) > 1
    assert plan.cells[0][0] > 0
