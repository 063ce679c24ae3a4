"""The rows that `first`, `last`, `smallest` and `count` find are those that a loop in Python finds."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from formula_eval import Formulas, load
from formula_eval.evaluate.batch import evaluate_many
from formula_eval.evaluate.program import compile_program
from samples import samples

MONTHS = 7
ROOT = f'''"""A loan."""

input price = 1000 in 0 .. 1e9
    "Price of the house"

input pay = 130 in 1 .. 1e9
    "Paid each month"

input term = {MONTHS} in 1 .. {MONTHS}
    "Months of the loan"

table months for month in 1 .. term at most {MONTHS}
    "Months of the loan, one by one"
    open = (previous.close else price)
        "Owed at the start of a month"
    close = abs(open * 1.5 - pay)
        "Owed at the end of a month"

first_month = first(each.month for each in months if each.close < each.open) else 0
    "First month that ends with less"
    derived "looked for"
    example price = 100 -> 1

last_month = last(each.month for each in months if each.close < each.open) else -1
    "Last month that ends with less"
    derived "looked for"
    example price = 100 -> 6

months_with_less = count(each.close < each.open for each in months)
    "Months that end with less"
    derived "counted"
    example price = 100 -> 4

least_open = months[smallest(each.close for each in months)].open
    "Owed at the start of the month that ends with the least"
    derived "looked up"
    example price = 100 -> 93.125
'''
FIGURES = ("first_month", "last_month", "months_with_less", "least_open")


@pytest.fixture(scope="module")
def loan(tmp_path_factory: pytest.TempPathFactory) -> Formulas:
    folder = tmp_path_factory.mktemp("loan")
    (folder / "formulas").mkdir()
    (folder / "library.toml").write_text('title = "Loan"\nuses = []\n', encoding="utf-8")
    (folder / "formulas" / "root.formula").write_text(ROOT, encoding="utf-8")
    return load(folder)


def by_hand(price: int, pay: int, term: int) -> list[float]:
    rows, owed = [], float(price)
    for month in range(1, term + 1):
        rows.append((month, owed, abs(owed * 1.5 - pay)))
        owed = rows[-1][2]
    less = [month for month, start, end in rows if end < start]
    least = min(rows, key=lambda row: row[2])[1]
    return [less[0] if less else 0, less[-1] if less else -1, len(less), least]


@settings(max_examples=samples(50))
@given(price=st.integers(0, 400), pay=st.integers(1, 300), term=st.integers(1, MONTHS))
def test_rows_are_found_as_by_hand(loan: Formulas, price: int, pay: int, term: int) -> None:
    found = loan.evaluate(only=list(FIGURES), price=price, pay=pay, term=term).values
    assert [found[name].value for name in FIGURES] == by_hand(price, pay, term)


def test_lanes_find_their_own_rows(loan: Formulas) -> None:
    prices = np.array([0.0, 60.0, 100.0, 250.0, 400.0])
    found = evaluate_many(compile_program(loan.evaluator.graph, FIGURES), {"price": prices})
    expected = [by_hand(int(price), 130, MONTHS) for price in prices]
    assert np.array([found[name] for name in FIGURES]).T.tolist() == expected
