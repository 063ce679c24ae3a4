"""Values as people write them, by the table that the page is held to as well."""

import tomllib
from pathlib import Path

import pytest

from formula_eval import FormulaError
from formula_eval.cache import Cache
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.libraries import find_library
from formula_eval.records.givens import Question

WRITTEN = tomllib.loads(Path(__file__).with_name("written.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def evaluator(kept: Path) -> Evaluator:
    return Evaluator(find_library(), Cache(kept))


def given(evaluator: Evaluator, name: str, text: str) -> float:
    return evaluator.givens(Question({"model": "llama2-70b"}, {name: text})).values[name]


def test_what_is_read(evaluator: Evaluator) -> None:
    for name, text, number in WRITTEN["read"]:
        assert given(evaluator, name, text) == number, (name, text)


def test_what_is_refused(evaluator: Evaluator) -> None:
    for name, text in WRITTEN["refused"]:
        with pytest.raises(FormulaError, match=name):
            given(evaluator, name, text)


def test_what_is_relative(evaluator: Evaluator) -> None:
    for name, text, factor in WRITTEN["relative"]:
        base = evaluator.evaluate(evaluator.givens(Question({"model": "llama2-70b"})), [name]).numbers[name]
        assert given(evaluator, name, text) == pytest.approx(base * factor, rel=1e-14), (name, text)
