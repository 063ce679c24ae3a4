"""Parts: each quantity is that of its folder with what the part gives, in every notation and on every base."""

from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from formula_eval import Formulas, load
from formula_eval.export.document import document_of
from formula_eval.export.formats import FORMATS, write_document
from formula_eval.records.givens import Question
from libraries import DOCUMENTS, checked
from samples import samples

TEXTS = {
    "library.toml": 'title = "Loans"\nuses = []\nanswer = "home"\n',
    "formulas/sources.toml": "",
    "formulas/units.formula": '"""Units."""\n\nunit EUR base with cents\n    "Euro"\n',
    "formulas/loan/loan.formula": '''"""A loan."""

choice pace = slow | fast

input price: EUR = 1000 EUR in 1 EUR .. 1_000_000 EUR
    "What is lent"

input years: whole = 2 in 1 .. 5
    "How long it runs"

input pace: pace = slow
    "How it is paid back"

situation quick: years = 1, pace = fast
    "Paid back within a year"

yearly: EUR = price / years * (2 if pace == fast else 1)
    "What is paid each year"
    symbol "A"
    derived "in equal shares"
    example loan.price = 600 EUR, loan.years = 3 -> 200.00 EUR

table plan for year in 1 .. years at most 5
    "The loan, year by year"
    open: EUR = previous.close else price
        "Owed before"
    close: EUR = open - yearly
        "Owed behind"

owed: EUR = sum(each.open for each in plan)
    "What is owed, over all years"
    derived "the sum over the plan"
    example loan.price = 600 EUR, loan.years = 3 -> 1200.00 EUR

check affordable warn: yearly <= price
    "{yearly} a year is more than {price}."
''',
    "formulas/home/home.formula": '''"""A house and a car."""

input car_price: EUR = 20 EUR in 1 EUR .. 100_000 EUR
    "Price of the car"

part house = loan with price = 300 EUR, years = 3
    "The loan for the house"

part car = loan with price = car_price, quick
    "The loan for the car"

both: EUR = house.yearly + car.yearly
    "What both cost each year"
    derived "the sum"
    example -> 140.00 EUR

by_hand: EUR = (
    (loan.yearly with loan.price = 300 EUR, loan.years = 3) + (loan.yearly with loan.price = car_price, loan.quick)
)
    "What both cost each year, without parts"
    derived "the sum"
    example -> 140.00 EUR

owed: EUR = sum(each.open for each in house.plan) + car.owed
    "What is owed"
    derived "the sums over both plans"
    example -> 620.00 EUR
''',
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("loans")
    for name, text in TEXTS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def loans(folder: Path) -> Formulas:
    return load(folder)


def test_the_library_is_sound(folder: Path) -> None:
    assert checked(folder).findings == ()


@given(price=st.integers(1, 100_000), lent=st.integers(1, 1_000_000))
@settings(max_examples=samples(50))
def test_a_part_is_its_folder_with_what_it_gives(loans: Formulas, price: int, lent: int) -> None:
    only = ["both", "by_hand", "home.house.owed", "home.car.owed", "loan.owed"]
    found = loans.evaluate(only=only, car_price=f"{price} EUR", **{"loan.price": f"{lent} EUR"}).values
    assert found["home.both"].value == found["home.by_hand"].value
    assert found["home.car.owed"].value == price
    assert found["home.house.owed"].value == 600
    alone = loans.evaluate(only="loan.owed", **{"loan.price": f"{price} EUR", "loan.years": 1, "loan.pace": "fast"})
    assert alone.values["loan.owed"].value == found["home.car.owed"].value


def test_the_checks_of_its_folder_speak_for_a_part(loans: Formulas) -> None:
    said = loans.evaluate(only="home.*").checks
    assert [each.message for each in said if not each.ok] == ["car: 40 EUR a year is more than 20 EUR."]


def test_a_part_is_asked_for_as_a_folder_is(loans: Formulas) -> None:
    names = set(loans.evaluate(only="home.house").values)
    assert {"home.house.yearly", "home.house.price", "home.house.plan.3.close"} <= names


@pytest.mark.parametrize("form", DOCUMENTS)
def test_documents_hold_the_parts(loans: Formulas, form: str, tmp_path: Path) -> None:
    evaluator = loans.evaluator
    document = document_of(evaluator, Question(), evaluator.select(["home.*"]))
    target = tmp_path / f"loans{FORMATS[form].ending}"
    write_document(document, form, str(target))
    if target.suffix in {".tex", ".md"}:
        text = target.read_text(encoding="utf-8")
        assert "Home: house" in text
        assert "The loan for the car" in text
