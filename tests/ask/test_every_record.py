"""`all` stands for every record of a kind where several may be named, or for the record of that name."""

import pytest

from formula_eval import Formulas, load
from formula_eval.ask.question import with_every_record
from formula_eval.records.givens import Question
from formula_eval.records.record_files import all_records

GIVEN = {"model": "llama3.1-8b"}


@pytest.mark.slow
def test_a_sweep_goes_through_all(formulas: Formulas) -> None:
    rows = formulas.sweep(only="inference.ttft", **GIVEN, workload="all")
    kinds = formulas.evaluator.schema.kinds
    assert [*rows["workload"]] == [each.id for each in all_records(formulas.evaluator.library, kinds["workload"])]


@pytest.mark.slow
def test_a_search_finds_the_best_of_all(formulas: Formulas) -> None:
    """The fastest memory makes the fastest token, and no other accelerator is searched than there is."""
    found = formulas.search(minimise="inference.tpot", **GIVEN, hardware="all", tp=1, pp=1, batch=1)
    best = found.given["hardware"]
    assert formulas.evaluate(only="inference.tpot", **GIVEN, hardware=best)["inference.tpot"].value == pytest.approx(
        min(formulas.sweep(only="inference.tpot", **GIVEN, hardware="all")["inference.tpot"])
    )


def test_a_record_of_that_name_is_meant(tmp_path) -> None:
    (tmp_path / "formulas").mkdir()
    (tmp_path / "library.toml").write_text('title = "cars"\nuses = []\n')
    text = '"""Cars."""\n\nrecord car in cars/\n\ninput speed: whole from car in 1 .. 1000\n    "Speed"\n'
    (tmp_path / "formulas" / "cars.formula").write_text(text)
    (tmp_path / "cars").mkdir()
    for name in ("all", "one"):
        (tmp_path / "cars" / f"{name}.toml").write_text("speed = 3\n")
    evaluator = load(tmp_path).evaluator
    assert with_every_record(evaluator, Question({"car": "all"})).records == {"car": "all"}
