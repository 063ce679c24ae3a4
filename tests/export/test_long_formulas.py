"""Formulas that are too long for a cell of Excel: their parts stand beside them, and recalculate to the same values."""

from pathlib import Path

import pytest

from export.office import Office
from export.test_workbook_recalculates import differences
from export.workbook_cases import book_of
from formula_eval import FormulaError, load
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.document import document_of
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow

YEARS = '''"""A cash flow."""

choice season = summer | winter

input season: season = summer
    "Season of the year"

input discount = 0.05 in 0 .. 1
    "Discount of a year"

input price = 1000 in 0 .. 1e9
    "Price of the house"

table cash for n in 1 .. 150
    "Cash flow year by year"
    open = (previous.close else price)
        "Owed at the start of the year"
    spent = 100 + n
        "Spent in the year"
    close = max(0, open * 1.01 - 20)
        "Owed at the end of the year"

inverse_worth = 1 / sum(
    each.spent / (1 + discount) ** each.n + one_if(each.spent > 120) * each.n / (1 + discount) ** each.n
    for each in cash
)
    "Inverse of what all years are worth"
    derived "the sum over years"
    example discount = 0 -> 2.97e-5

paid_off = (first(each.n for each in cash if each.close == 0) else -1) + (
    sum(each.n for each in cash) if season == winter else 0
)
    "Year in which it is paid off"
    derived "looked for"
    example discount = 0 -> 70

by_season = match season
    summer -> max(each.spent / (1 + discount) ** each.n + each.open / (1 + discount) ** (2 * each.n) for each in cash)
    winter -> min(each.spent / (1 + discount) ** each.n + each.open / (1 + discount) ** (2 * each.n) for each in cash)
    "Most or least of a year, by season"
    derived "chosen"
    example season = winter -> ?

table rows for number in 1 .. 1500
    "Rows of a long table"
    twice = price * number
        "Price of so many"

input row_picked: rows
    "Row that is looked up"

picked = rows[row_picked].twice
    "Price in the row that is looked up"
    derived "looked up"
    example row_picked = 2 -> 2000

lowest = cash[smallest(each.close + each.spent for each in cash)].n
    "Year with the least owed and spent"
    derived "looked up"
    example discount = 0 -> ?
'''


@pytest.fixture(scope="module")
def years(tmp_path_factory: pytest.TempPathFactory) -> Evaluator:
    folder = tmp_path_factory.mktemp("years")
    (folder / "formulas" / "years").mkdir(parents=True)
    (folder / "library.toml").write_text('title = "Years"\nuses = []\n', encoding="utf-8")
    (folder / "formulas" / "years" / "years.formula").write_text(YEARS, encoding="utf-8")
    return load(folder).evaluator


@pytest.mark.parametrize("values", [{}, {"season": "winter"}, {"price": 3000.0}, {"price": 3000.0, "season": "winter"}])
def test_parts_recalculate(years: Evaluator, values: dict[str, float | str], office: Office, tmp_path: Path) -> None:
    wanted = years.select(["years.inverse_worth", "years.paid_off", "years.by_season"])
    book, contents = book_of(document_of(years, Question(values=values), wanted))
    (tmp_path / "years.xlsx").write_bytes(contents)
    office.open(tmp_path / "years.xlsx")
    assert differences(office, book, list(book.sheets)) == []


def test_a_row_sought_among_too_many_is_refused_by_name(years: Evaluator) -> None:
    with pytest.raises(FormulaError, match=r"`years\.lowest` looks for the row") as error:
        book_of(document_of(years, Question(), years.select(["years.lowest"])))
    assert error.value.diagnostics[0].labels


def test_a_lookup_in_too_many_rows_is_refused_by_name(years: Evaluator) -> None:
    question = Question(values={"years.row_picked": "2"})
    with pytest.raises(FormulaError, match=r"`years\.picked` has more branches"):
        book_of(document_of(years, question, years.select(["years.picked"])))
