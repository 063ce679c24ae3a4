"""What decides an answer and stands at its default is told: a pipeline of one micro-batch, a run without tokens."""

import pytest

PIPELINE = ("--training", "--model", "llama2-70b", "--gpu", "h100-sxm", "--pp", "4")
BUBBLE = "raise micro_batches"


@pytest.mark.parametrize(
    "asked",
    [
        ("sensitivity", "training.step_time", "--tp", "8"),
        ("solve", "tp", "--where", "training.mfu >= 0.05"),
    ],
)
def test_one_micro_batch_in_a_pipeline_is_told(asked, run):
    _, _, said = run(*asked, *PIPELINE)
    assert BUBBLE in said
    _, _, said = run(*asked, *PIPELINE, "--micro-batches", "64")
    assert BUBBLE not in said


def test_a_sweep_of_a_cost_tells_that_a_run_lacks_its_tokens(run):
    asked = ("sweep", "--training", "--model", "gpt2", "--gpu", "h100-sxm", "--only", "training.run_cost")
    _, _, said = run(*asked)
    assert "Give --training-tokens" in said
    _, _, said = run(*asked, "--training-tokens", "1e9")
    assert "Give --training-tokens" not in said


def test_what_holds_of_the_input_that_is_sought_is_not_told(run):
    _, _, said = run("solve", "micro_batches", "--where", "training.mfu >= 0.05", *PIPELINE, "--virtual-stages", "1")
    assert BUBBLE not in said
