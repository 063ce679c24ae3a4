"""The closed forms of a paper: those of `derive`, in rows that fit a page, or how to have a longer one printed."""

import pytest

from export.papers import evaluator, usual
from formula_eval.analyse.derive import derive
from formula_eval.export.document import Document, document_of
from formula_eval.export.paper import closed_forms
from formula_eval.export.paper.closed_forms import aligned_rows, closed_forms_of
from formula_eval.export.paper.markdown import markdown_paper
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def document() -> Document:
    question = Question({"model": "llama2-70b"}, {"tp": 8, "batch": 4})
    return document_of(evaluator(), question, evaluator().select(usual(form="latex")))


def test_they_are_those_that_derive_prints(document: Document) -> None:
    found = {each.name: each for each in closed_forms_of(document)}
    assert found["memory.cache_bytes"].free == ("batch", "prompt", "generated")
    form = found["inference.decode_time"]
    wanted = derive(evaluator(), Question({"model": "llama2-70b"}, {"tp": 8}), form.name, form.free).latex
    whole = [" ".join(row.removeprefix("&\\quad ") for row in rows) for rows in form.equations]
    assert [each.replace(" &= ", " = ", 1) for each in whole] == wanted.splitlines()
    assert any(len(rows) > 1 for rows in form.equations)


def test_one_that_is_too_long_says_how_to_have_it(document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closed_forms, "_MOST_FORMULAS", 1)
    text = markdown_paper(document, "symbolic", brief=True)
    assert "`formula-eval derive inference.decode_time --free batch,step_context` prints it" in text
    assert "655" in text.partition("memory.cache_bytes")[2].partition("decode_time")[0]


@pytest.mark.parametrize(
    ("equation", "rows"),
    [
        ("y = a + b", ["y &= a + b"]),
        ("y = aaaa + bbbb - cccc", ["y &= aaaa", "&\\quad + bbbb", "&\\quad - cccc"]),
        ("y = aaaa\\left(b + c\\right) + d", ["y &= aaaa\\left(b + c\\right)", "&\\quad + d"]),
        ("y = \\frac{aaaa + b}{c} + d", ["y &= \\frac{aaaa + b}{c}", "&\\quad + d"]),
    ],
)
def test_a_row_is_broken_in_the_outermost_sum_alone(equation: str, rows: list[str]) -> None:
    assert aligned_rows(equation, 5) == rows
