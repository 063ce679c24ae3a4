"""Pieces of a `where`: their values are those of the text written out; one is computed only where it is read."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from formula_eval import Formulas, load
from formula_eval.evaluate.batch import evaluate_many
from formula_eval.evaluate.program import compile_program
from formula_eval.export.document import document_of
from formula_eval.export.formats import FORMATS, write_document
from formula_eval.records.givens import Question
from libraries import DOCUMENTS

ROOT = '''"""A shop."""

choice season = summer | winter

input crates = 20 in 0 .. 100
    "Crates sold"

input season: season = summer
    "Season of the sale"

in_pieces = base * growth + (more(base) if growth > 1 else 0)
    where growth = 1 + base / 100
    where base = crates * 2
    "What is sold, in pieces"
    derived "crates, and how they grow"
    example crates = 20 -> 76.5

written_out = crates * 2 * (1 + crates * 2 / 100) + (
    crates * 2 * (crates * 2 / 80) + crates * 2 / 80 if 1 + crates * 2 / 100 > 1 else 0
)
    "What is sold, written out"
    derived "crates, and how they grow"
    example crates = 20 -> 76.5

def more(amount) = amount * half + half
    where half = amount / 80
    "What is sold besides an amount"
    derived "by half"
    example amount = 40 -> 20.5

def factor_from_ten(x) = (big if big > 1 else 1 / big) if x > 0 else 0
    where big = x / 10
    "How far a number is from ten, as a factor"
    derived "a quotient"
    example x = 20 -> 2
    example x = 5 -> 2

from_ten = factor_from_ten(crates) if season == summer else 0
    "How far the crates are from ten in summer"
    derived "by the factor"
    example crates = 5 -> 2

ratio = match season
    summer -> inverse
    winter -> 2 * inverse if crates > 0 else 0
    where inverse = 1 / crates
    "Inverse of the crates, where there are some"
    derived "a quotient"
    example crates = 20 -> 0.05

table weeks for week in 1 .. 3
    "Weeks of the sale"
    sold = (previous.sold * rate else rate)
        where rate = week + 1
        "Crates sold in a week"

weekly = sum(each.sold for each in weeks)
    "Crates sold in all weeks"
    derived "the sum over weeks"
    example crates = 20 -> 32

in_winter = (ratio with season = winter)
    "Ratio in winter"
    derived "the same in winter"
    example crates = 20 -> 0.1
'''


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Formulas:
    folder = tmp_path_factory.mktemp("shop")
    (folder / "formulas").mkdir()
    (folder / "library.toml").write_text('title = "Shop"\nuses = []\n', encoding="utf-8")
    (folder / "formulas" / "root.formula").write_text(ROOT, encoding="utf-8")
    return load(folder)


@pytest.mark.parametrize("crates", range(0, 101, 7))
def test_pieces_give_what_the_text_gives_written_out(shop: Formulas, crates: int) -> None:
    found = shop.evaluate(only=["in_pieces", "written_out"], crates=crates).values
    assert found["in_pieces"].value == found["written_out"].value


@pytest.mark.parametrize(
    ("given", "value"),
    [({"crates": 4}, 0.25), ({"crates": 4, "season": "winter"}, 0.5), ({"crates": 0, "season": "winter"}, 0)],
)
def test_a_piece_is_computed_where_it_is_read(shop: Formulas, given: Mapping[str, int | str], value: float) -> None:
    assert shop.evaluate(only="ratio", **given).values["ratio"].value == value


def test_lanes_that_do_not_read_a_piece_do_not_fail_by_it(shop: Formulas) -> None:
    program = compile_program(shop.evaluator.graph, ["ratio"])
    found = evaluate_many(program, {"crates": np.array([0.0, 4.0]), "season": 1.0})
    assert found["ratio"].tolist() == [0, 0.5]


def test_a_with_reaches_into_pieces(shop: Formulas) -> None:
    assert shop.evaluate(only="in_winter", crates=10).values["in_winter"].value == 0.2


def test_an_explanation_shows_the_pieces(shop: Formulas) -> None:
    text = str(shop.explain("in_pieces"))
    assert "growth = 1.4" in text
    assert "= 1 + base / 100" in text


@pytest.mark.parametrize("form", DOCUMENTS)
def test_documents_hold_the_pieces(shop: Formulas, form: str, tmp_path: Path) -> None:
    evaluator = shop.evaluator
    document = document_of(evaluator, Question(), evaluator.select(["in_pieces", "ratio"]), named=True)
    target = tmp_path / f"shop{FORMATS[form].ending}"
    write_document(document, form, str(target))
    assert target.stat().st_size
    if target.suffix in {".tex", ".md", ".html"}:
        assert "where" in target.read_text(encoding="utf-8")


@pytest.mark.parametrize(("crates", "value"), [(20, 2), (5, 2), (0, 0)])
def test_a_piece_decides_where_it_is_read_again(shop: Formulas, crates: int, value: float) -> None:
    """Also in a call that is computed only under a condition: the piece must not wait for itself."""
    assert shop.evaluate(only="from_ten", crates=crates).values["from_ten"].value == value
