"""examples/household: what it computes is what banks, calendars and car makers say, and it speaks of nothing else."""

import re
from calendar import monthrange
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from shutil import copytree

import pytest

from examples.conftest import Asked
from formula_eval import Formulas
from formula_eval.core.date import date_text
from formula_eval.export.formats import FORMATS
from libraries import checked

pytestmark = pytest.mark.slow  # a library with all its documents

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "examples" / "household"
OF_OURS = re.compile(
    r"llama|h100|\bmodels?\b|accelerator|hardware|\boperators?\b|kernel|\btokens?\b|\bGPUs?\b|serving|training",
    re.IGNORECASE,
)
QUESTIONS = {
    "usual": "",
    "long": "--term 360month --extra 500EUR --car ioniq-6-77 --tariff germany --road-tariff eu-average",
}
# Price, interest of a year, months, what is paid besides each year, first payment.
LOANS = [
    (30000, "0.049", 60, 0, date(2027, 1, 31)),
    (200000, "0.065", 360, 0, date(2026, 12, 15)),
    (56000, "0.049", 84, 2000, date(2027, 1, 31)),
    (1200, "0", 24, 250, date(2028, 2, 29)),
    (9000, "0.12", 1, 0, date(2099, 12, 31)),
]


def months_later(first: date, count: int) -> date:
    """The same day of a later month, or its last."""
    year, month = divmod(first.year * 12 + first.month - 1 + count, 12)
    return date(year, month + 1, min(first.day, monthrange(year, month + 1)[1]))


def paid_back(price: int, rate: str, months: int, extra: int) -> tuple[Decimal, Decimal, int]:
    """The payment of a month, the interest in all and how many payments there are, in decimal arithmetic."""
    r = Decimal(rate) / 12
    payment = Decimal(price) / months if not r else price * r / (1 - (1 + r) ** -months)
    owed, interest = Decimal(price), Decimal(0)
    for number in range(1, months + 1):
        interest += owed * r
        owed = owed * (1 + r) - payment - (extra if number % 12 == 0 else 0)
        if owed <= Decimal("1e-9"):
            return payment, interest, number
    return payment, interest, months


def test_it_is_sound() -> None:
    assert checked(LIBRARY).findings == ()


@pytest.mark.parametrize(("price", "rate", "months", "extra", "first"), LOANS)
def test_a_loan_is_that_of_a_bank(  # noqa: PLR0913 - what a loan is
    library: Formulas, *, price: int, rate: str, months: int, extra: int, first: date
) -> None:
    given = {"price": f"{price} EUR", "deposit": "0 EUR", "yearly_rate": float(rate), "term": f"{months} month"}
    only = ["loan.payment", "loan.total_interest", "loan.last_payment", f"loan.plan.{months}.close"]
    found = library.evaluate(**given, extra=f"{extra} EUR", first_payment=first.isoformat(), only=only).numbers
    payment, interest, payments = paid_back(price, rate, months, extra)
    assert found["loan.payment"] == pytest.approx(float(payment), rel=1e-12)
    assert found["loan.total_interest"] == pytest.approx(float(interest), rel=1e-9, abs=1e-9)
    assert date_text(found["loan.last_payment"]) == months_later(first, payments - 1).isoformat()
    assert found[f"loan.plan.{months}.close"] == 0


def test_every_day_of_a_plan_is_one_of_the_calendar(library: Formulas) -> None:
    only = [f"loan.plan.{number}.due" for number in range(1, 361)]
    for first in (date(2000, 1, 31), date(2026, 11, 30), date(2069, 10, 29)):  # 2100 is not a leap year
        found = library.evaluate(term="360 month", first_payment=first.isoformat(), only=only).numbers
        dues = [date_text(found[name]) for name in only]
        assert dues == [months_later(first, number).isoformat() for number in range(360)]


def test_ranges_are_the_published_ones(library: Formulas) -> None:
    for car, km in (("ioniq-6-53", 429), ("ioniq-6-77", 614)):
        found = library.evaluate(car=car, only="driving.rated_range").numbers
        assert found["driving.rated_range"] == pytest.approx(1000 * km, rel=0.01)


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_answer(name: str, columns: int, screen: Callable[[str, int], str]) -> None:
    assert not OF_OURS.search(screen(name, columns))


def test_a_record_that_is_wrong_is_told_once(tmp_path: Path) -> None:
    copytree(LIBRARY, tmp_path / "car")
    record = tmp_path / "car" / "cars" / "ioniq-6-53.toml"
    record.write_text(record.read_text().replace("0.139 kWh/km", "13.9 kWh/100km"))
    (finding,) = checked(tmp_path / "car").findings
    assert "a number within its unit" in finding.message
    assert finding.following == 1  # an example that reads it


def test_columns_are_listed_with_their_units(asked: Asked) -> None:
    lines = asked("list formulas loan.plan")[1].splitlines()
    assert [line.split()[:2] for line in lines if "plan.*.open" in line] == [["loan.plan.*.open", "EUR"]]
    assert [line.split()[1] for line in lines if "plan.*.due" in line] == ["date"]
    assert "Owed before: column of 360 rows" in "\n".join(lines)
    assert "date" in asked("list inputs first-payment")[1]


@pytest.mark.parametrize("verb", ["--help", "list inputs", "list formulas", "list cars", "list tariffs"])
def test_what_there_is_speaks_of_it_alone(verb: str, asked: Asked) -> None:
    assert not OF_OURS.search(asked(verb)[1])


@pytest.mark.parametrize("name", ["json", "markdown", "latex", "graph"])
def test_documents_speak_of_it_alone(name: str, asked: Asked, tmp_path: Path) -> None:
    file = tmp_path / f"car{FORMATS[name].ending}"
    code, out, _ = asked(f"export {name} -o {file}")
    text = file.read_text(encoding="utf-8")
    assert code == 0
    assert not OF_OURS.search(f"{out.partition(': ')[2]} {text}")
