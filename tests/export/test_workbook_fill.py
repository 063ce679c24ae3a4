"""A workbook of the user's own comes back with its look, and with formulas that give the engine's numbers."""

from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.styles import Font, PatternFill

from export.office import Office
from export.workbook_cases import book_of, document
from formula_eval.core.diagnostic import FormulaError
from formula_eval.export.workbook.template import filled, names_in
from formula_eval.export.workbook.workbook_context import Book

pytestmark = pytest.mark.slow

OPERATORS = "operators.pass_operators@decode"


def template(folder: Path, cells: dict[str, Any]) -> Path:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Summary"
    for place, value in cells.items():
        sheet[place] = value
    sheet["B2"].font = Font(bold=True, color="FF1F6FB2")
    sheet["A8"].fill = PatternFill("solid", fgColor="FFFFF2CC")
    book.save(folder / "company.xlsx")
    return folder / "company.xlsx"


ONLY = ("inference.first_decode_step_time", "operators.operators_time@decode", "memory.fits", "price")


@pytest.fixture(scope="module")
def made() -> tuple[Book, bytes]:
    return book_of(document({"model": "llama3-8b"}, {"batch": 4}, ONLY))


CELLS = {
    "A1": "Cost of {{ input('batch') }} sequences",
    "B2": '{{ value("inference.first_decode_step_time", "ms") }}',
    "B3": '{{ value("inference.first_decode_step_time") * 1000 }}',
    "B4": '{{ input("price") }}',
    "B5": '{{ value("memory.fits") }}',
    "B6": "=B2*2",
    "A8": "{% for each in operators('" + OPERATORS + "') %}{{ each.name }}",
    "B8": "{{ each.time * each.count }}",
    "A60": "{% for each in checks %}{{ each.name }}",
    "B60": "{{ each.holds }}{% endfor %}",
    "C1": "{{ 'plain' }}",
}


def test_its_cells_become_formulas_and_keep_their_look(
    tmp_path: Path, office: Office, made: tuple[Book, bytes]
) -> None:
    path, of = tmp_path / "out.xlsx", made[0].document
    path.write_bytes(filled(*made, str(template(tmp_path, CELLS))))
    sheet = load_workbook(path)["Summary"]
    assert sheet["B2"].value.startswith("=")
    assert (sheet["B2"].font.b, sheet["B2"].font.color.rgb) == (True, "FF1F6FB2")
    assert sheet["A9"].fill.fgColor.rgb == "FFFFF2CC"
    assert sheet["C1"].value == "plain"
    office.open(path)
    rows = office.read("Summary")
    cells = {f"{chr(65 + at)}{line}": each for line, row in enumerate(rows, 1) for at, each in enumerate(row)}
    tpot = of.numbers["inference.first_decode_step_time"]
    assert cells["A1"] == "Cost of 4 sequences"
    assert cells["B2"] == pytest.approx(tpot * 1000, rel=1e-12)
    assert cells["B3"] == pytest.approx(tpot * 1000, rel=1e-12)
    assert cells["B6"] == pytest.approx(tpot * 2000, rel=1e-12)
    assert cells["B4"] == pytest.approx(of.numbers["price"] * 3600, rel=1e-12)
    assert cells["B5"] == "yes"
    kernels = of.graph.tables["operators.pass_operators"].rows
    times = {cells[f"A{line}"]: cells[f"B{line}"] for line in range(8, 8 + len(kernels))}
    for row in kernels:
        count, time = (of.numbers.get(f"operators.pass_operators.{row}.{each}@decode") for each in ("count", "time"))
        if count and time:
            assert times[row.replace("_", " ")] == pytest.approx(count * time, rel=1e-12)
    assert cells["A60"] in {each.name for each in of.result.checks}
    assert cells["B60"] in {"yes", "no"}


def test_the_quantities_it_names_are_found(tmp_path: Path) -> None:
    assert names_in(template(tmp_path, CELLS)) == ["inference.first_decode_step_time", "memory.fits"]


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ({"B2": '{{ value("inference.tpott") }}'}, "cell B2: no quantity of this workbook is named `inference.tpott`"),
        ({"B2": '{{ input("bach") }}'}, "cell B2: no input is named `bach`"),
        (
            {"B2": '{{ value("inference.first_decode_step_time", "GB") }}'},
            "cell B2: `inference.first_decode_step_time` is s",
        ),
        ({"B2": "{{ valu(1) }}"}, "cell B2: `valu(1)`: 'valu' is undefined"),
        ({"B2": "{{ 1 + }}"}, "cell B2: `1 +`"),
        ({"B2": "{{ 1 / 0 }}"}, "cell B2: `1 / 0`: division by zero"),
        ({"B2": "{{ ''.__class__.__mro__ }}"}, "cell B2: "),
        ({"B2": "{% if 1 %}x{% endif %}"}, "cell B2: "),
        (
            {"A8": "{% for each in checks %}{{ each.name }}", "A9": "Total"},
            "cell A9: The rows of a loop need this cell",
        ),
        ({"A8": "{% for each in 3 %}{{ each }}"}, "cell A8: `3`: nothing to go through"),
        ({"A8": "{% for each in operators('no.table') %}{{ each }}"}, "cell A8: no table is named `no.table`"),
        ({"B2": "{{ 1e400 }}"}, "cell B2: `1e400`: a number beyond what a cell holds"),
        ({"B2": "{{ 1e400 - 1e400 }}"}, "cell B2: `1e400 - 1e400`: a number beyond"),
        ({"B2": "{{ 9**99**9 }}"}, "cell B2: `9**99**9`: "),
        ({"B2": r"{{ '\x01' }}"}, "cell B2: `'\\x01'`: a control character"),
        ({"B2": "{{ " + "[" * 150 + "]" * 150 + " }}"}, "cell B2: `["),
        ({"B2": "{{ " + "(" * 500 + "1" + ")" * 500 + " }}"}, "it is nested too deep"),
        ({"B2": "{{ " + "not " * 3000 + "1 }}"}, "it is nested too deep"),
        ({"B2": "{{ 'a' * 10**10 }}"}, "cell B2: `'a' * 10**10`: only numbers are multiplied"),
        ({"B2": "{{ [0] * 10**9 }}"}, "only numbers are multiplied"),
        ({"B2": "{{ '%999999999d' % 1 }}"}, "a width of more than three digits"),
        ({"B2": "{{ '%*d' % (999999999, 1) }}"}, "a width of more than three digits"),
        ({"B2": "{{ '{:>999999999}'.format(1) }}"}, "not safely callable"),
        ({"B2": "{{ 'a'.ljust(10**9) }}"}, "unsafe"),
        ({"B2": "{{ 1|round(10**9) }}"}, "a power above 100"),
        ({"B2": "{{ range(9999)|join('0123456789') }}"}, "letters, and a cell takes 32,767"),
        ({"B2": "{{ ('a' * 0)|replace('', '') }}"}, "only numbers are multiplied"),
        ({"B2": "{{ range(9999)|join|replace('1', '0123456789' ~ '0123456789') }}"}, "and a cell takes 32,767"),
        ({"A8": "{% for each in 'a' * 10**7 %}{{ each }}"}, "cell A8: `'a' * 10**7`: only numbers"),
        ({"A8": "{% for each in range(10**5) %}{{ each }}"}, "a range takes 10,000 numbers"),
        ({"B2": "{{ [1]|slice(999999999)|list }}"}, "No filter named 'slice'"),
        ({"B2": "{{ value }}"}, "cell B2: `value` gives nothing that a cell can hold"),
        ({"B2": "{{ 1[1:3] if 1 > 2 else value }}"}, "value` gives nothing that a cell can hold"),  # Python warns of it
        ({"B2": "{{ (-8) ** 0.5 }}"}, "gives nothing that a cell can hold"),
        ({"B2": '{{ value("inference.first_decode_step_time") }}' * 400}, "a formula that Excel refuses: it has"),
        (
            {"B2": "{{ " + "+".join(['input("batch")'] * 80) + " }}"},
            "a formula that Excel refuses: functions are nested",
        ),
    ],
)
def test_what_cannot_be_filled_names_its_sheet_and_cell(
    cells: dict[str, str], said: str, tmp_path: Path, made: tuple[Book, bytes]
) -> None:
    with pytest.raises(FormulaError) as caught:
        filled(*made, str(template(tmp_path, cells)))
    message = caught.value.diagnostics[0].message
    assert "company.xlsx`, sheet `Summary`, " in message
    assert said in message


def test_a_sheet_called_as_one_of_ours_is_refused(tmp_path: Path, made: tuple[Book, bytes]) -> None:
    path = template(tmp_path, {})
    book = load_workbook(path)
    book.create_sheet("Calc")
    book.save(path)
    with pytest.raises(FormulaError, match="has a sheet `Calc`"):
        filled(*made, str(path))
