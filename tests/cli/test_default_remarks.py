"""What decides an answer and stands at its default is told: a pipeline of one micro-batch, a run without tokens."""

import pytest

PIPELINE = ("--training", "--model", "llama2-70b", "--gpu", "h100-sxm", "--pp", "4")
BUBBLE = "raise --micro-batches"


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


@pytest.mark.slow
def test_what_moves_a_condition_that_holds_nowhere_is_not_called_idle(run):
    asked = ("solve", "request_rate", "--model", "gpt2", "--gpu", "h100-sxm", "--hours-per-day", "10")
    _, printed, said = run(*asked, "--where", "inference.usd_per_request <= 1e-12 USD")
    assert "no request_rate; nearest at" in printed
    assert "changes nothing" not in said


def test_what_a_run_costs_is_open_without_its_tokens(run):
    asked = ("--training", "--model", "gpt2", "--gpu", "h100-sxm", "--only", "training.run_cost")
    code, printed, said = run(*asked)
    assert code == 0
    assert "not given" in printed
    assert "Give --training-tokens" in printed + said
    _, swept, _ = run("sweep", *asked)
    assert "infinite" not in swept


def test_a_service_that_nobody_uses_is_told(run):
    asked = ("--model", "gpt2", "--gpu", "h100-sxm", "--only", "inference.usd_per_request", "--users")
    assert ["Nobody uses the service" in "".join(run(*asked, people)[1:]) for people in ("0", "10")] == [True, False]


@pytest.mark.slow
def test_all_apis_beside_a_model_are_those_of_it(formulas):
    asked = {"request_rate": "1 request/s", "hardware": "h100-sxm", "tp": 1, "pp": 1}
    names = [each.name for each in formulas.plan(model="openai/gpt-oss-120b", api="all", **asked).alternatives]
    assert sorted(names) == ["cerebras-gpt-oss-120b", "groq-gpt-oss-120b", "sambanova-gpt-oss-120b"]


def test_a_batch_job_has_the_requests_that_generate_its_tokens(formulas):
    asked = {"model": "gpt2", "hardware": "h100-sxm", "generated": 300, "deadline": "1 hour", "tp": 1, "pp": 1}
    by_tokens = formulas.plan(job_output_tokens=1e6, **asked).best
    by_requests = formulas.plan(job_requests=3334, **asked).best
    assert by_tokens.values == by_requests.values


def test_what_holds_of_the_input_that_is_sought_is_not_told(run):
    _, _, said = run("solve", "micro_batches", "--where", "training.mfu >= 0.05", *PIPELINE, "--virtual-stages", "1")
    assert BUBBLE not in said
