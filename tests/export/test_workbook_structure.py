"""The structure as a sheet of the workbook: the blocks of operators, their numbers, and how it prints."""

import io
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from counted import seen
from export.office import Office
from export.workbook_cases import book_of, document, evaluator
from formula_eval.export.diagram.diagram_layout import read_diagram_layout
from formula_eval.export.diagram.structure import structure_of
from formula_eval.export.document import Document
from formula_eval.export.workbook.structure_sheet import STRUCTURE
from formula_eval.export.workbook.sweep_sheet import SWEEP
from formula_eval.export.workbook.tables_sheet import OPERATORS

pytestmark = pytest.mark.slow

CASES: tuple[tuple[dict[str, str], dict[str, Any]], ...] = (
    ({"model": "mixtral-8x7b"}, {"tp": 2, "batch": 8}),
    ({"model": "falcon-40b"}, {"tp": 4}),
)


Written = Callable[[int], tuple[Document, bytes]]


@pytest.fixture(scope="module")
def written() -> Written:
    """The document of what is drawn of a case, and its workbook, which takes seconds to write."""
    engine = evaluator()
    drawn = tuple(read_diagram_layout(engine.library).quantities(engine.schema))

    @cache
    def of(case: int) -> tuple[Document, bytes]:
        made = document(*CASES[case], drawn)
        return made, book_of(made)[1]

    return of


def grid_of(contents: bytes) -> list[tuple[Any, ...]]:
    workbook = openpyxl.load_workbook(io.BytesIO(contents), data_only=True, read_only=True)
    return list(workbook[STRUCTURE].iter_rows(values_only=True))


def blocks_of(grid: list[tuple[Any, ...]], title: str) -> list[list[Any]]:
    """The cells of all blocks of this title, left to right: one for each phase."""
    found = [(row, column) for row, cells in enumerate(grid) for column, text in enumerate(cells) if text == title]
    found.sort(key=lambda place: place[1])
    return [[each[column : column + 4] for each in grid[row : row + 4]] for row, column in found]


def base(value: float, unit: str) -> float:
    return float(value * evaluator().library.units.parse(unit).scale)


@pytest.mark.parametrize("case", range(len(CASES)))
def test_every_block_shows_the_numbers_of_the_picture(case: int, written: Written) -> None:
    of, contents = written(case)
    phases = structure_of(of).phases
    grid = grid_of(contents)
    for number, phase in seen(enumerate(phases)):
        for operator in phase.operators.values():
            head, times, work, bound = blocks_of(grid, operator.title)[number]
            assert head[3] == (None if operator.count == 1 and head[3] is None else operator.count)
            assert base(*times[:2]) == pytest.approx(operator.time.value, rel=1e-9)
            assert times[3] == pytest.approx(operator.share, rel=1e-9)
            assert bound[1] == operator.bound
            if operator.flops.text:
                assert base(*work[:2]) == pytest.approx(operator.flops.value, rel=1e-12)
                assert base(*work[2:]) == pytest.approx(operator.bytes.value, rel=1e-12)


def test_what_does_not_run_says_so(written: Written) -> None:
    grid = grid_of(written(1)[1])
    assert [block[3][1] for block in blocks_of(grid, "router")] == ["nothing, does not run"] * 2


def test_without_operators_the_sheet_is_left_out() -> None:
    _, data = book_of(document({"hardware": "mi300x"}, {}, ("operators.matrix_peak",)))
    titles = openpyxl.load_workbook(io.BytesIO(data), read_only=True).sheetnames
    assert OPERATORS in titles
    assert not {STRUCTURE, SWEEP} & set(titles)


def test_it_prints_on_one_page_with_every_number(office: Office, written: Written, tmp_path: Path) -> None:
    pypdfium2 = pytest.importorskip("pypdfium2")
    path = tmp_path / "drawn.xlsx"
    path.write_bytes(written(0)[1])
    office.open(path)
    office.ask("pdf", str(tmp_path / "drawn.pdf"), "1-20")
    texts = [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(tmp_path / "drawn.pdf")]
    drawn = [text for text in texts if "bound by" in text]
    assert len(drawn) == 1
    assert "output head" in drawn[0]
    assert "###" not in drawn[0]
