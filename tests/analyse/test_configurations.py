"""Configurations side by side: their answers are those of each alone, and causes lead to inputs that really differ."""

import pytest

from formula_eval.analyse.compare.configurations import MOST, ComparedRow, configurations, side_by_side
from formula_eval.core.diagnostic import FormulaError
from formula_eval.records.givens import Question

NAMES = ("inference.ttft", "inference.tpot", "memory.fits", "inference.usd_per_million_output_tokens")


@pytest.fixture(scope="module")
def evaluator(formulas):
    return formulas.evaluator


@pytest.fixture(scope="module")
def compared(evaluator):
    question = Question({"model": "llama2-7b,llama3.1-70b", "hardware": "h100-sxm,h200-sxm"}, {"tp": "2"})
    asked = configurations([question], evaluator.schema)
    return asked, side_by_side(evaluator, asked, [ComparedRow(each, each) for each in NAMES])


def test_each_column_is_what_its_configuration_gives_alone(evaluator, compared):
    asked, found = compared
    assert [each.title for each in found.columns] == [
        "llama2-7b, h100-sxm",
        "llama2-7b, h200-sxm",
        "llama3.1-70b, h100-sxm",
        "llama3.1-70b, h200-sxm",
    ]
    for each, column in zip(asked, found.columns, strict=True):
        alone = evaluator.evaluate(evaluator.givens(each.question), NAMES)
        assert [row.answers[column.key].value.value for row in found.rows] == [alone[name].value for name in NAMES]


def test_ratios_are_to_the_first_and_flags_have_none(compared):
    _, found = compared
    by_title = {row.title: row for row in found.rows}
    times = by_title["inference.tpot"].answers
    assert times["1"].ratio is None
    assert times["3"].ratio == times["3"].value.value / times["1"].value.value
    assert by_title["memory.fits"].answers["3"].ratio is None


def test_a_cause_by_itself_is_what_the_engine_gives_for_that_change(evaluator, compared):
    asked, found = compared
    row = next(each for each in found.rows if each.title == "inference.tpot")
    first = evaluator.givens(asked[0].question)
    causes = row.differences["3"].causes
    assert {"layers", "hidden"} <= {each.name for each in causes}
    assert [abs(each.alone - 1) > 0 for each in causes] == [True] * len(causes)
    for each in causes:
        values = {**first.values, each.name: float(each.there.value)}
        changed = evaluator.program(["inference.tpot"]).evaluate(values)["inference.tpot"]
        assert each.alone == pytest.approx(changed / row.answers["1"].value.value, rel=1e-12)


def test_one_changed_input_explains_everything(evaluator):
    asked = configurations([Question({"model": "llama2-7b"}, {"memory_bandwidth": "2 TB/s, 4 TB/s"})], evaluator.schema)
    found = side_by_side(evaluator, asked, [ComparedRow("tpot", "inference.tpot")])
    (row,) = found.rows
    (cause,) = row.differences["2"].causes
    assert (cause.name, str(cause.here), str(cause.there)) == ("memory_bandwidth", "2 TB/s", "4 TB/s")
    assert cause.alone == pytest.approx(row.answers["2"].ratio, rel=1e-12)
    assert row.differences["2"].way[-1][0].startswith("operators.")
    assert found.columns[1].title == "memory bandwidth 4 TB/s"


@pytest.mark.slow
def test_rows_without_a_value_are_left_out_unless_named(evaluator):
    asked = configurations([Question({"model": "llama2-7b", "hardware": "h800"}, {"tp": "1,2"})], evaluator.schema)
    rows = [ComparedRow("time", "inference.tpot", named=False), ComparedRow("cost", NAMES[-1], named=False)]
    assert [each.title for each in side_by_side(evaluator, asked, rows).rows] == ["time"]
    rows[-1] = rows[-1]._replace(named=True)
    assert [each.title for each in side_by_side(evaluator, asked, rows).rows] == ["time", "cost"]


def test_too_many_are_refused(evaluator):
    with pytest.raises(FormulaError, match="do not fit side by side"):
        configurations([Question({"model": "llama2-7b"}, {"batch": f"1..{MOST + 1}"})], evaluator.schema)
