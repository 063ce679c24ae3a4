"""examples/solar: what it computes is what a loop over the lines of its file does, and its documents recalculate."""

import csv
import importlib.util
import re
from calendar import monthrange
from pathlib import Path
from types import ModuleType
from zipfile import ZipFile

import pytest
from openpyxl import load_workbook

from export.browser import showing
from export.office import Office
from export.page_answers import wrong_in
from export.test_workbook_recalculates import differences
from export.workbook_cases import book_of
from formula_eval import Formulas
from formula_eval.ask.export_lists import quantities_of
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.document import Document, document_of
from formula_eval.export.html.page import write_page
from formula_eval.records.givens import Question
from libraries import checked

pytestmark = pytest.mark.slow

LIBRARY = Path(__file__).resolve().parents[2] / "examples" / "solar"
WEATHER = LIBRARY / "formulas" / "roof" / "weather.csv"
FIGURES = ("made", "drawn", "bought", "sold")  # kWh


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("weather", LIBRARY / "weather.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def by_hand(area: float, capacity: float) -> tuple[dict[str, float], list[int]]:
    """The energy of a year in kWh, and the months in which some is sold."""
    year, selling, stored = dict.fromkeys(FIGURES, 0.0), [], 0.0
    for line in csv.DictReader(WEATHER.read_text(encoding="utf-8").splitlines()):
        month, days = int(line["month"]), monthrange(2027, int(line["month"]))[1]
        stored = 0.0 if line["hour"] == "6" else stored
        made = area * 0.2 * 0.86 * float(line["irradiance (W/m**2)"]) / 1000
        drawn = float(line["drawn (W)"]) / 1000
        charged = min(max(made - drawn, -stored), capacity - stored)
        stored += charged
        sold = max(0.0, made - drawn - charged)
        hour = {"made": made, "drawn": drawn, "bought": max(0.0, drawn - made + charged), "sold": sold}
        year = {name: year[name] + days * hour[name] for name in FIGURES}
        selling += [month] if sold > 1e-9 else []
    return year, selling


def test_it_is_sound() -> None:
    assert checked(LIBRARY).findings == ()


def test_the_file_is_what_its_formula_gives() -> None:
    assert script().text() == WEATHER.read_text(encoding="utf-8")


@pytest.mark.parametrize(("area", "capacity"), [(25, 5), (16, 0), (60, 12), (3, 2)])
def test_a_year_is_that_of_a_loop(library: Formulas, area: int, capacity: int) -> None:
    year, selling = by_hand(area, capacity)
    only = [*(f"roof.{name}" for name in FIGURES), "roof.first_month", "roof.last_month"]
    found = library.evaluate(only=only, area=f"{area} m**2", capacity=f"{capacity} kWh").numbers
    assert {name: found[f"roof.{name}"] / 3.6e6 for name in FIGURES} == pytest.approx(year, rel=1e-12)
    assert found["roof.first_month"] == (selling[0] if selling else 0)
    assert found["roof.last_month"] == (selling[-1] if selling else 0)


def made(evaluator: Evaluator, form: str) -> Document:
    question = Question({}, {}, namespace="roof")
    wanted = quantities_of(evaluator.library, form, question, evaluator.givens(question))
    return document_of(evaluator, question, evaluator.select(tuple(wanted)))


def test_the_workbook_recalculates(evaluator: Evaluator, office: Office, tmp_path: Path) -> None:
    book, contents = book_of(made(evaluator, "excel"))
    (tmp_path / "roof.xlsx").write_bytes(contents)
    office.open(tmp_path / "roof.xlsx")
    assert differences(office, book, list(book.sheets)) == []
    with ZipFile(tmp_path / "roof.xlsx") as file:
        charts = [file.read(name).decode() for name in file.namelist() if name.startswith("xl/charts/chart")]
    assert [re.findall(r"<c:f>(.*?)</c:f>", each) for each in charts] == [
        ["Tables!$B$7:$C$294", f"Tables!${column}$7:${column}$294"] for column in "DE"
    ]


def test_a_battery_that_gives_has_a_minus_sign(evaluator: Evaluator, tmp_path: Path) -> None:
    (tmp_path / "roof.xlsx").write_bytes(book_of(made(evaluator, "excel"))[1])
    sheet = load_workbook(tmp_path / "roof.xlsx", data_only=True)["Tables"]
    negative = [cell for (cell,) in sheet["G7:G294"] if cell.value < 0]
    assert len(negative) > 100
    assert {cell.number_format for cell in negative} == {"[>=1E+15]0.0E+0;[<0]-#,##0.000;#,##0.000"}


def test_the_page_recalculates(evaluator: Evaluator, tmp_path: Path) -> None:
    document = made(evaluator, "html")
    write_page(document, tmp_path / "roof.html")
    asked = [{"records": {}, "values": {"roof.area": area, "roof.capacity": "0 kWh"}} for area in ("8 m**2", "40 m**2")]
    with showing(tmp_path / "roof.html") as browser:
        assert not wrong_in(document, browser, asked)
