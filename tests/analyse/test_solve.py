"""Solutions: conditions hold at them and not beyond, equations are met, and what has none says so."""

import pytest

from formula_eval import FormulaError

GIVEN = {"model": "llama2-70b", "tp": 8}


def test_the_largest_batch_that_fits(formulas):
    found = formulas.solve("batch", where="fits", **GIVEN)
    (span,) = found.spans
    assert span.low.plain == 1
    most = span.high.plain
    fits = [
        formulas.evaluate(only="memory.fits", **{**GIVEN, "batch": each})["memory.fits"] for each in (most, most + 1)
    ]
    assert [each.plain for each in fits] == [True, False]


def test_an_equation_is_met(formulas):
    found = formulas.solve("memory_bandwidth", where="inference.tpot == 9 ms", **GIVEN)
    (span,) = found.spans
    assert span.low.plain == span.high.plain
    there = formulas.evaluate(only="inference.tpot", memory_bandwidth=span.low.plain, **GIVEN)["inference.tpot"]
    assert float(there) == pytest.approx(9e-3, rel=1e-9)


def test_every_value_of_a_short_range_is_tried_and_several_parts_are_listed(formulas):
    found = formulas.solve("tp", where=["heads % tp == 0", "tp < 10"], model="llama2-70b")
    assert found.every
    assert [(each.low.plain, each.high.plain) for each in found.spans] == [(1, 2), (4, 4), (8, 8)]


def test_an_equation_that_no_value_meets_tells_the_nearest(formulas):
    found = formulas.solve("memory_bandwidth", where="inference.tpot == 1 us", **GIVEN)
    assert found.spans == ()
    assert found.nearest is not None
    assert found.nearest.plain == found.ends.high.plain


def test_bounds_prove_that_it_holds_nowhere_else(formulas):
    found = formulas.solve("batch", where="fits", **GIVEN)
    assert found.is_proven
    assert (found.domain.low.plain, found.domain.high.plain) == (1, 10_000_000)
    assert not found.every


def test_bounds_prove_that_no_value_meets_an_equation(formulas):
    assert formulas.solve("memory_bandwidth", where="inference.tpot == 1 us", **GIVEN).is_proven


def test_bounds_find_what_lies_between_the_values_that_are_tried(formulas):
    found = formulas.solve("batch", where="(batch - 12345) * (batch - 12345) < 2", **GIVEN)
    assert [(each.low.plain, each.high.plain) for each in found.spans] == [(12344, 12346)]
    assert found.is_proven


@pytest.mark.parametrize(
    ("name", "where", "message"),
    [
        ("btch", "memory.fits", "Did you mean `batch`"),
        ("tp", "memory.fits", "given a value and solved for"),
        ("batch", "memory.fit", "memory"),
        ("batch", "inference.tpot == 9 GB", "Cannot compare"),
        ("batch", "params.total > 1 param", "does not depend on `batch`"),
        ("phase", "memory.fits", "is a word"),
        ("batch", [], "Nothing says what should hold"),
    ],
)
def test_bad_input_is_refused(formulas, name, where, message):
    with pytest.raises(FormulaError) as refused:
        formulas.solve(name, where=where, **GIVEN)
    assert message in str(refused.value)


def test_a_rate_is_solved_for_within_what_is_sustained(formulas):
    asked = {"model": "llama3.1-8b", "hardware": "h100-sxm"}
    found = formulas.solve("request_rate", where="inference.usd_per_request <= 1 USD", **asked)
    assert found.conditions[-1] == "inference.is_stable"
    span, told = found.spans[-1], found.told[-1]
    assert told.low.name == "inference.utilization"
    assert 0 <= told.low.plain < 0.9 < told.high.plain <= 1
    beyond = span.high.plain * 1.001
    stable = formulas.evaluate(only="inference.is_stable", request_rate=beyond, **asked)["inference.is_stable"]
    assert stable.plain is False


def test_a_condition_that_names_it_is_asked_alone(formulas):
    asked = {"model": "llama3.1-8b", "hardware": "h100-sxm"}
    found = formulas.solve("request_rate", where="not inference.is_stable", **asked)
    assert len(found.conditions) == 1
    assert found.told[0].high.plain > 1
