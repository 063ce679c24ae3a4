"""Tables that take the rows of a sequence: they go through its values, and know the row before."""

from pathlib import Path

import pytest

from formula_eval import Formulas, load
from formula_eval.export.document import document_of
from formula_eval.export.formats import FORMATS, write_document
from formula_eval.records.givens import Question
from libraries import DOCUMENTS

ROOT = '''"""Months of a shop."""

input limit = 3 in 1 .. 6
    "Months that are looked at"

'''
PLAN = '''"""Months, and what is taken in them."""

table months for n in 1 .. limit at most 6
    "Months"
    sold = n * 2
        "Crates sold"

table pairs for across in 1 .. 2, down in 1 .. 3
    "Cells of a shelf"
    height = across * down
        "Height of a cell"
'''
SHOP = '''"""What follows from months."""

table stock for month in plan.months
    "Stock behind each month"
    bought = 2 * month.sold + month.n
        "Crates bought"
    left = (previous.left else 10) + bought - month.sold
        "Crates left"

table cells for cell in plan.pairs
    "What stands in a cell"
    crates = 2 * cell.height + cell.across + (previous.crates else 0)
        "Crates"

table later for week in stock
    "Stock again"
    half = week.left / 2 + n
        "Half of what is left"

at_the_end = last(each.left for each in stock)
    "Crates left behind the last month"
    derived "the last row"
    example limit = 2 -> 19

in_the_shelf = sum(each.crates for each in cells)
    "Crates in the shelf"
    derived "the sum of cells"
    example -> 78

at_the_half = sum(each.half for each in later) + stock.2.left + cells.2x3.crates
    "Halves of all months"
    derived "a sum"
    example limit = 2 -> 68
'''


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Formulas:
    folder = tmp_path_factory.mktemp("shop")
    (folder / "library.toml").write_text('title = "Shop"\nuses = []\nanswer = "shop"\n', encoding="utf-8")
    for name, text in (("root", ROOT), ("plan/plan", PLAN), ("shop/shop", SHOP)):
        path = folder / "formulas" / f"{name}.formula"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return load(folder)


@pytest.mark.parametrize("limit", range(1, 7))
def test_rows_are_those_of_the_sequence(shop: Formulas, limit: int) -> None:
    found = shop.evaluate(only=["shop.at_the_end", "shop.in_the_shelf", "shop.at_the_half"], limit=limit).values
    lefts = [10.0]
    for n in range(1, limit + 1):
        lefts.append(lefts[-1] + 2 * 2 * n + n - 2 * n)
    shelf = [[sum(2 * across * row + across for row in range(1, down + 1)) for down in (1, 2, 3)] for across in (1, 2)]
    assert found["shop.at_the_end"].value == lefts[-1]
    assert found["shop.in_the_shelf"].value == sum(map(sum, shelf))
    second = lefts[2] if limit > 1 else 0
    halves = sum(left / 2 + n for n, left in enumerate(lefts) if n)
    assert found["shop.at_the_half"].value == halves + second + shelf[1][2]


@pytest.mark.parametrize("form", DOCUMENTS)
def test_documents_hold_them(shop: Formulas, form: str, tmp_path: Path) -> None:
    evaluator = shop.evaluator
    document = document_of(evaluator, Question(), evaluator.select(["shop.*"]), named=True)
    target = tmp_path / f"shop{FORMATS[form].ending}"
    write_document(document, form, str(target))
    assert target.stat().st_size
