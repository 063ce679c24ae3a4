"""An optimizer that steps within the backward pass, and buckets in which gradients wait."""

import pytest

MEMORY = "training.allocated_bytes"
CARD = {"model": "llama3.1-8b", "hardware": "a100-sxm-80gb", "recipe": "pure_16bit", "seq": 2048}


def value(formulas, **given):
    return formulas.evaluate(only=[MEMORY], **(CARD | given))[MEMORY].value


@pytest.mark.parametrize("optimizer", ["adam", "adam_8bit", "sgd"])
def test_a_step_within_the_backward_pass_keeps_no_gradients(formulas, optimizer):
    kept, stepped = (value(formulas, optimizer=optimizer, steps_in_backward=each) for each in (False, True))
    assert stepped < kept
    # Two bytes for each weight go, but for the matrix whose update is under way.
    assert kept - stepped <= 2 * 8_030_261_248


def test_with_several_micro_batches_gradients_have_to_wait(formulas):
    kept, stepped = (value(formulas, micro_batches=4, steps_in_backward=each) for each in (False, True))
    assert stepped == kept


@pytest.mark.parametrize("gigabytes", [0, 1, 4])
def test_a_bucket_takes_its_bytes(formulas, gigabytes):
    given = {"dp": 8, "zero_stage": 1}
    none, some = (value(formulas, **given, bucket_bytes=f"{each} GB") for each in (0, gigabytes))
    assert some - none == pytest.approx(gigabytes * 1e9, abs=1)
