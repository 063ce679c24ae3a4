"""Libraries that change one formula in turn: what each sort of change gives, in which order, and what tells of it."""

import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

from formula_eval import Formulas, load
from formula_eval.analyse.explain import Step, explain
from formula_eval.analyse.show import describe
from formula_eval.check.library import soundness
from formula_eval.export.document import document_of
from formula_eval.export.formats import FORMATS, write_document
from formula_eval.printing.diagnostic import rendered
from formula_eval.records.givens import Question
from libraries import DOCUMENTS

BASE = '''"""A shop."""

unit EUR base
    "euro"

input pieces: whole = 4 in 1 .. 100
    "Pieces"

fare: EUR = each_one * pieces
    where each_one: EUR = 3 EUR
    "Fare of all pieces"
    derived "each costs the same"
    example pieces = 2 -> 6 EUR

delay: day = 2 day
    "Time until all are there"
    derived "a definition"
    example pieces = 2 -> 2 day

in_stock: flag = pieces < 50
    "Whether all are there at once"
    derived "a definition"
    example pieces = 2 -> true
'''
FEE = '''"""A fee."""

extend shop.fare + 2 EUR
    "Fee"
    derived "a fee"
    example shop.pieces = 4 -> 2 EUR
'''
DISCOUNT = '''"""A discount."""

extend shop.fare * 0.5 if shop.pieces > 3
    "Discount for many"
    derived "half"
    example shop.pieces = 4 -> 0.5
    example shop.pieces = 3 -> 1
'''
LIMITS = '''"""Limits."""

extend shop.fare at most 10 EUR
    "Nobody pays more"
    derived "a promise"
    example shop.pieces = 4 -> 10 EUR

extend shop.delay at least 3 day if shop.pieces > 3
    "Many take longer"
    derived "a rule"
    example shop.pieces = 4 -> 3 day

extend shop.in_stock and shop.delay < 7 day
    "Only what comes soon"
    derived "a rule"
    example shop.pieces = 4 -> true

extend shop.in_stock and shop.pieces != 7
    "Never seven"
    derived "a rule"
    example shop.pieces = 6 -> true
    example shop.pieces = 7 -> false
'''
RENEWED = '''"""Another fare."""

replace shop.fare = max(original, 1 EUR) + (original with shop.pieces = 1)
    derived "one piece more than before"
    example shop.pieces = 2 -> 9 EUR
'''
NEW = '''"""A fare of its own."""

replace shop.fare = 7 EUR
    derived "a single price"
    example shop.pieces = 2 -> 7 EUR
'''
TEXTS = {"shop": BASE, "fee": FEE, "discount": DISCOUNT, "limits": LIMITS, "renewed": RENEWED, "new": NEW}


@pytest.fixture(scope="module")
def stacked(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., list[str]]:
    """The folders of some libraries, the shop first."""
    home = tmp_path_factory.mktemp("libraries")
    for name, text in TEXTS.items():
        chapter = home / name / "formulas" / name / f"{name}.formula"
        chapter.parent.mkdir(parents=True)
        chapter.write_text(text, encoding="utf-8")
        (home / name / "library.toml").write_text(f'title = "{name}"\nuses = []\n', encoding="utf-8")
    return lambda *names: [str(home / each) for each in ("shop", *names)]


def fare(formulas: Formulas, pieces: int) -> float:
    return float(formulas.evaluate(only="shop.fare", pieces=pieces)["shop.fare"].value)


@pytest.mark.parametrize(
    ("names", "many", "few"),
    [
        ([], 12, 9),
        (["fee"], 14, 11),
        (["discount"], 6, 9),
        (["fee", "discount"], 7, 11),
        (["discount", "fee"], 8, 11),
        (["limits"], 10, 9),
        (["discount", "limits", "fee"], 8, 11),
        (["limits", "discount"], 5, 9),
        (["renewed"], 15, 12),
        (["fee", "renewed"], 14 + 5, 11 + 5),
        (["renewed", "fee", "discount"], (15 + 2) / 2, 14),
        (["fee", "new"], 7, 7),
        (["new", "renewed"], 14, 14),
        (["new", "fee", "renewed", "discount"], 9, 18),
    ],
    ids=str,
)
def test_the_later_library_is_applied_to_what_the_former_gives(
    stacked: Callable[..., list[str]], names: list[str], many: float, few: float
) -> None:
    formulas = load(*stacked(*names))
    assert fare(formulas, 4) == pytest.approx(many)
    assert fare(formulas, 3) == pytest.approx(few)


def test_flags_and_limits(stacked: Callable[..., list[str]]) -> None:
    formulas = load(*stacked("limits"))
    for pieces, delay, ready in ((3, 2, True), (4, 3, True), (7, 3, False), (60, 3, False)):
        made = formulas.evaluate(only=["shop.delay", "shop.in_stock"], pieces=pieces)
        assert made["shop.delay"].to("day") == pytest.approx(delay)
        assert made["shop.in_stock"].value is ready


def told(formulas: Formulas, pieces: int) -> str:
    made = formulas.evaluate(only="shop.fare", pieces=pieces)
    return " ".join(each.message for each in made.checks if not each.ok)


def test_answers_say_the_order_where_it_counts(stacked: Callable[..., list[str]]) -> None:
    composed = load(*stacked("fee", "discount"))
    assert "shop.fare is multiplied by discount" in told(composed, 4)
    assert "after what fee changed): Discount for many." in told(composed, 4)
    assert "discount" not in told(composed, 3)
    assert "after" not in told(load(*stacked("fee")), 4)
    assert "without what fee changed" in told(load(*stacked("fee", "new")), 4)
    assert "is extended" not in told(load(*stacked("fee", "new")), 4)


def test_check_says_it_too(stacked: Callable[..., list[str]]) -> None:
    for name in TEXTS:
        *before, last = dict.fromkeys(stacked(name))
        alone = soundness(last, tuple(before))
        assert not [rendered(each, lambda _: None) for each in alone.findings]
        assert not alone.remarks
    *before, last = stacked("fee", "discount", "limits", "renewed")
    (of_discount, of_limits, of_renewed) = soundness(last, tuple(before)).remarks
    assert of_discount.startswith("`shop.fare` is multiplied by discount (")
    assert "after what fee and discount changed" in of_limits
    assert "from the original in" in of_renewed


def test_explain_and_show_read_the_original(stacked: Callable[..., list[str]]) -> None:
    formulas = load(*stacked("fee", "renewed"))
    step = explain(formulas.evaluator, formulas.evaluator.givens(Question()), "shop.fare")
    assert step.formula == "max(original, 1 EUR) + (original with shop.pieces = 1)"
    assert step.filled == "max(14 EUR, 1 EUR) + 5 EUR"
    (original, one) = step.steps
    assert (original.name, original.value) == ("original", "14 EUR")
    assert _names(one) >= {"shop.fare.plus_fee"}
    text = describe("shop.fare", formulas.evaluator).text
    assert text.index("extend shop.fare + 2 EUR") < text.index("replace shop.fare = max(original, 1 EUR)")


def _names(step: Step) -> set[str]:
    return {step.name, *(name for each in step.steps for name in _names(each))}


@pytest.mark.parametrize("form", DOCUMENTS)
def test_every_document_holds_all_of_them(stacked: Callable[..., list[str]], form: str, tmp_path: Path) -> None:
    formulas = load(*stacked("discount", "limits", "fee", "renewed"))
    target = tmp_path / f"shop{FORMATS[form].ending}"
    wanted = ["shop.fare", "shop.delay", "shop.in_stock"]
    write_document(document_of(formulas.evaluator, Question(), wanted, named=True), form, str(target))
    assert target.stat().st_size
    if form == "python":
        module = runpy.run_path(str(target))
        assert module["shop_fare"]() == pytest.approx(8 + 5)
        assert module["shop_in_stock"]() is True
