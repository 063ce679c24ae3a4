"""Cards of a page whose entries say a unit: as the terminal shows them, and as one asked for them instead."""

from pathlib import Path

import pytest

from export.browser import showing
from formula_eval import FormulaError, load
from formula_eval.evaluate.views import selected
from formula_eval.export.document import Document, document_of
from formula_eval.export.html.page import write_page
from formula_eval.export.html.page_layout import page_layout
from formula_eval.records.givens import Question

FORMULAS = '''"""A trip."""

input power: W = 18 kW
    "Power drawn"

input duration: s = 2 hour
    "Time on the road"

energy: J = power * duration
    "Energy drawn"
    derived "power and time"

legs = 3 * duration / (2 hour)
    "Legs of the trip"
    derived "three in two hours"
'''
CARDS = """
[[section]]
kind = "cards"
title = "Trip"
entries = [
    { title = "Energy", name = "energy", unit = "UNIT" },
    { title = "Legs", name = "legs", unit = "legs" },
]
"""


def made(folder: Path, unit: str = "kWh", only: tuple[str, ...] = ("energy", "legs")) -> Document:
    (folder / "formulas").mkdir()
    (folder / "reports").mkdir()
    (folder / "library.toml").write_text('title = "Trip"\nuses = []\n', encoding="utf-8")
    (folder / "formulas" / "trip.formula").write_text(FORMULAS, encoding="utf-8")
    (folder / "reports" / "page.toml").write_text(CARDS.replace("UNIT", unit), encoding="utf-8")
    evaluator, wanted = selected(load(folder).evaluator, only)
    return document_of(evaluator, Question(), wanted, named=True)


def test_a_card_is_in_the_unit_of_its_entry(tmp_path: Path) -> None:
    write_page(made(tmp_path), tmp_path / "trip.html")
    with showing(tmp_path / "trip.html") as browser:
        cards = [each.text.replace("\n", " ") for each in browser.find_elements("css selector", ".card .value")]
    assert cards == ["36 kWh", "3 legs"]


def test_a_unit_that_somebody_asked_for_goes_first(tmp_path: Path) -> None:
    document = made(tmp_path, only=("energy in MJ", "legs"))
    (cards,) = page_layout(document)["section"][:1]
    assert "shown" not in cards["entries"][0]
    assert str(document.result["energy"]) == "129.6 MJ"


def test_a_unit_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormulaError, match=r"`energy` of a report is J, which is not shown in `km`"):
        page_layout(made(tmp_path, unit="km"))
