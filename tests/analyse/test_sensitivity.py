"""Sensitivities: the slopes of the closed form, steps that the engine takes, goals that it reaches."""

import math

import pytest

from counted import seen
from formula_eval import FormulaError
from formula_eval.analyse.influences import of_deployment

GIVEN = {"model": "llama2-70b", "tp": 8}


@pytest.fixture(scope="module")
def found(formulas):
    return formulas.sensitivity("inference.tpot", goal=0.8, **GIVEN)


@pytest.mark.slow
def test_a_smooth_elasticity_is_that_of_the_closed_form(formulas, found):
    smooth = [each for each in found.influences if each.smooth][:4]
    assert len(smooth) == 4
    for each in smooth:
        form = formulas.derive("inference.tpot", free=each.name, **GIVEN)
        slope = form.diff(each.name)
        at = {name: float(each.value) for name in slope.free}
        assert each.elasticity == pytest.approx(
            slope.evaluate(**at) * float(each.value) / float(found.quantity), rel=1e-4
        )


def test_a_step_is_what_the_engine_says(formulas, found):
    for each in seen(found.influences[:5]):
        there = formulas.evaluate(only="inference.tpot", **{**GIVEN, each.name: float(each.other)})["inference.tpot"]
        assert each.factor == pytest.approx(float(there) / float(found.quantity), rel=1e-12)


def test_a_goal_is_reached_where_it_says(formulas, found):
    reached = [each for each in found.influences if math.isfinite(each.needed) and each.smooth]
    assert reached
    for each in reached[:3]:
        there = formulas.evaluate(only="inference.tpot", **{**GIVEN, each.name: each.needed})["inference.tpot"]
        assert float(there) == pytest.approx(0.8 * float(found.quantity), rel=1e-6)


def test_the_strongest_goes_first(found):
    sizes = [abs(each.elasticity) for each in found.influences]
    assert sizes == sorted(sizes, reverse=True)
    assert found.idle > 0


def test_what_a_check_refuses_is_no_step(found):
    (tp,) = [each for each in found.influences if each.name == "tp"]
    assert tp.other.plain not in (9.0, 10.0)  # 64 heads are not split by them


@pytest.mark.slow
def test_what_every_step_is_warned_of_is_left_out(formulas):
    asked = {"concurrency": 64, "tp": 4}
    found = formulas.sensitivity("inference.serving_tokens_per_second", model="llama2-70b", **asked)
    by_name = {each.name: each for each in found.influences}
    assert by_name["attention_dp"].warned  # a dense model has no experts to spread
    turned = of_deployment(found, formulas.evaluator)
    assert not {"attention_dp", "ep"} & {each.name for each in turned.influences}
    assert {"tp", "concurrency", "prompt"} <= {each.name for each in turned.influences}
    mixture = formulas.sensitivity("inference.serving_tokens_per_second", model="mixtral-8x7b", **asked)
    assert not any(each.warned for each in mixture.influences if each.name == "attention_dp")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("memory.fits", "nothing grows"),
        ("inference.tpo", "No quantity is named"),
        ("operators.pass_operators", "names"),
    ],
)
def test_what_cannot_grow_is_refused(formulas, name, message):
    with pytest.raises(FormulaError, match=message):
        formulas.sensitivity(name, phase="decode", **GIVEN)


def test_what_nobody_can_turn_is_left_out(formulas, found):
    """The shape of the model, and an input that acts by the default of another one alone."""
    ranked = formulas.sensitivity("inference.tpot", every=False, **GIVEN)
    names, all_names = ({each.name for each in these.influences} for these in (ranked, found))
    supplier = {name: formulas.evaluator.schema.inputs[name].supplier for name in all_names}
    assert all_names - names >= {"layers", "hidden", "published_weight_bits"}
    assert {"memory_bandwidth", "tp", "weight_bits"} <= names
    assert not [name for name in names if supplier[name] == "model"]
    assert ranked.left_out == len(all_names - names)


def test_the_shape_is_ranked_where_nothing_else_moves_it(formulas):
    ranked = formulas.sensitivity("params.total", every=False, model="llama2-70b")
    assert "hidden" in {each.name for each in ranked.influences}
    assert ranked.left_out == 0
