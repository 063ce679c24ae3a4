"""Spreads: intervals come back where a quantity is proportional, shares add up, the same seed gives the same."""

import pytest

from formula_eval import FormulaError

GIVEN = {"model": "llama2-7b"}


def test_a_proportional_quantity_has_the_interval_of_its_input(formulas):
    whole = formulas.evaluate(only="memory.kv_cache_bytes", batch=1, **GIVEN)["memory.kv_cache_bytes"]
    found = formulas.uncertainty("memory.kv_cache_bytes", batch="100 to 400", **GIVEN)
    ends = [each / float(whole) for each in (float(found.low), float(found.median), float(found.high))]
    assert ends == pytest.approx([100, 200, 400], rel=0.03)
    assert [each.total for each in found.shares] == pytest.approx([1.0], abs=0.02)
    assert [each.first for each in found.shares] == pytest.approx([1.0], abs=0.02)


def test_shares_of_a_product(formulas):
    """Of x * y, both drawn from 1 and 3, each brings 4/9 of the variance by itself and 5/9 with the other."""
    found = formulas.uncertainty(
        "memory.kv_cache_bytes", batch=[1, 3], prompt=[1023, 3071], generated=1, draws=4096, **GIVEN
    )
    assert [each.first for each in found.shares] == pytest.approx([4 / 9, 4 / 9], abs=0.03)
    assert [each.total for each in found.shares] == pytest.approx([5 / 9, 5 / 9], abs=0.03)


def test_the_same_seed_gives_the_same(formulas):
    asked = {"memory_bandwidth": "2 to 3 TB/s", "batch": "1,8,16", **GIVEN}
    assert str(formulas.uncertainty("inference.tpot", **asked)) == str(formulas.uncertainty("inference.tpot", **asked))


def test_a_group_of_thousands_is_one_value(formulas):
    found = formulas.uncertainty("memory.kv_cache_bytes", prompt="1,024", batch="1 to 4", **GIVEN)
    assert [each.name for each in found.shares] == ["batch"]


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("inference.tpot", {"batch": 4}, "No input is uncertain"),
        ("inference.tpot", {"memory_bandwidth": "3 to 2 TB/s"}, "is not an interval"),
        ("inference.tpot", {"memory_bandwidth": "2 to 3 GB"}, "is needed"),
        ("inference.tpot", {"tp": [3, 5, 7]}, "of the draws have no value"),
        ("memory.fits", {"batch": "1 to 4"}, "is not a number"),
        ("params.total", {"batch": "1 to 4"}, "does not depend on batch"),
        ("inference.tpo", {"batch": "1 to 4"}, "No quantity is named"),
    ],
)
def test_bad_input_is_refused(formulas, name, given, message):
    with pytest.raises(FormulaError) as refused:
        formulas.uncertainty(name, **{**GIVEN, **given})
    assert message in str(refused.value)


def test_a_single_interval_brings_all(formulas):
    """However skewed: samples would say 90 % of one that reaches over four powers of ten."""
    found = formulas.uncertainty("memory.kv_cache_bytes", batch="1 to 10000", **GIVEN)
    assert [(each.first, each.total) for each in found.shares] == [(1, 1)]
