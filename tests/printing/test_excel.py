"""Each row of excel.toml is printed and compared, and the linter knows what Excel refuses."""

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from formula_eval.core import expression as e
from formula_eval.export.workbook.formula_lint import excel_findings
from formula_eval.printing import excel
from printing.rows import lowered, rows, written

NAMES = excel.ExcelNames(str, lambda name: f'{name}_set_by<>"default"', lambda name: name == "measured")
PRINTER = excel.ExcelPrinter(NAMES)


@pytest.mark.parametrize("row", rows("excel.toml"), ids=lambda row: row["text"])
def test_excel(row: dict[str, str]) -> None:
    formula = PRINTER.text(lowered(written(row["text"])))
    assert formula == row["excel"]
    assert list(excel_findings(formula)) == []


def test_lowered_calls_of_many_terms() -> None:
    terms = tuple(e.Reference(f"cell_{number}") for number in range(300))
    assert PRINTER.text(e.Call("sum", terms[:3])) == "cell_0+cell_1+cell_2"
    assert PRINTER.text(e.Call("sum", ())) == "0"
    assert list(excel_findings(PRINTER.text(e.Call("max", terms)))) == []
    cells = tuple(e.Binary("*", e.Reference(f"t.{row}.a"), e.Reference("t.x.a")) for row in "xyz")
    places = PRINTER.text(e.Call("largest", cells[1:]))
    assert places == 'IF(t.y.a*t.x.a>=MAX(t.z.a*t.x.a),"0","1")'
    rows = tuple(e.Binary("+", e.Reference(f"t.{row}.a@copy"), e.Reference("tp")) for row in "xyz")
    named = excel.ExcelPrinter(excel.ExcelNames(lambda name: name[2:3] or name, str)).text(e.Call("largest", rows))
    assert named == 'IF(x+tp>=MAX(y+tp,z+tp),"x",IF(y+tp>=MAX(z+tp),"y","z"))'


def test_numbers_of_too_many_digits_are_quotients() -> None:
    assert excel.excel_number(Fraction(1, 3)) == "1/3"
    assert excel.excel_number(Fraction("0.1")) == "0.1"
    assert excel.excel_number(Fraction(10**21)) == "1E+21"


@given(number=st.floats(-1e290, 1e290, allow_nan=False).filter(lambda each: not 0 < abs(each) < 1e-290))
def test_no_number_loses_its_last_digits(number: float) -> None:
    text = excel.excel_number(Fraction(number))
    assert eval(text) == number
    assert list(excel_findings(text)) == []


def test_texts_are_quoted_and_short() -> None:
    assert excel.excel_string('say "no"') == '"say ""no"""'
    assert excel.excel_string("x" * 300) == '"' + "x" * 250 + '"&"' + "x" * 50 + '"'


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("1+" * 5000 + "1", "characters"),
        ("IF(TRUE," * 65 + "1" + ")" * 65, "nested 65 deep"),
        (f"MAX({','.join('1' * 256)})", "more than 255 arguments"),
        (f'"{"x" * 256}"', "longer than 255 characters"),
        ("XLOOKUP(1,2,3)", "XLOOKUP is not a function"),
        ("_xlfn.LET(x,1,x)", "_xlfn.LET is not a function"),
        ("1234567890123456789*2", "more than 15 digits"),
    ],
    ids=lambda text: text[:20],
)
def test_what_excel_refuses(formula: str, said: str) -> None:
    assert any(said in finding for finding in excel_findings(formula)), list(excel_findings(formula))
