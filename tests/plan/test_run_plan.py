"""Plans of training runs: how many tokens deadline and budget allow, which layout, how much memory stays free."""

import pytest

from formula_eval import FormulaError
from formula_eval.analyse.plan.values import values_of
from formula_eval.cli.command import main

RUN = {"answer": "training", "model": "llama3-8b", "hardware": "h100-sxm", "tp": 1, "pp": 1, "cp": 1, "gpus": 64}
LAID_OUT = {"micro_batch": 2, "zero_stage": 2, "recompute": "none", "virtual_stages": 1}
STAYS = {"optimizer_offload": 0, "activation_offload": 0, "weight_offload": 0}


def test_a_plan_without_tokens_trains_on_as_many_as_deadline_and_budget_allow(formulas):
    bounds = {"deadline": "20 day", "run_budget": "100000 USD"}
    plan = formulas.plan(**RUN, **LAID_OUT, **STAYS, **bounds)
    found = dict(zip([each.name for each in plan.columns], plan.best.values, strict=True))
    asked = {**plan.best.question.records, **plan.best.question.values}
    assert found["training.run_cost"] <= 100_000
    assert found["training.run_time"] <= 20 * 86400
    more = asked | {"training_tokens": found["training_tokens"] + found["training.step_sequences"] * 4096}
    names = ["training.run_over_budget_by", "training.run_late_by"]
    missed = formulas.evaluate(only=names, answer="training", **more)
    assert any(float(missed[name]) > 0 for name in names)


@pytest.mark.parametrize(
    ("bounds", "says"),
    [
        ({}, "on how many tokens the run trains"),
        ({"deadline": "20 day"}, "--run-budget"),
    ],
)
def test_a_plan_whose_tokens_nothing_bounds_says_what_to_give(bounds, says, formulas):
    with pytest.raises(FormulaError, match=says):
        formulas.plan(answer="training", model="llama3-8b", hardware="h100-sxm", **bounds)


def test_a_budget_for_an_accelerator_without_a_price_says_so(formulas):
    run = RUN | LAID_OUT | STAYS | {"hardware": "h800"}
    stopped = formulas.plan(**run, run_budget="100000 USD").alternatives[0]
    assert "Give --price" in stopped.stops[0]


@pytest.mark.slow
def test_a_simpler_layout_is_taken_at_nearly_the_same_cost(formulas):
    run = {"answer": "training", "model": "llama3-70b", "hardware": "h100-sxm", "gpus": 3072, "training_tokens": 1e12}
    fixed = {"tp": 4, "pp": 1, "cp": 1, "micro_batch": 2, "zero_stage": 2, "memory_margin": 0}
    names = ["training.run_cost", "training.complications", "simplicity_premium"]

    def told(**more):
        best = formulas.plan(**run, **fixed, **more).best
        return values_of(formulas.evaluator, best.question, names)

    cheapest, simple = told(simplicity_premium=0), told()
    assert simple["training.complications"] < cheapest["training.complications"]
    most = 1 + simple["simplicity_premium"] * cheapest["training.complications"]
    assert cheapest["training.run_cost"] < simple["training.run_cost"] <= most * cheapest["training.run_cost"]


@pytest.mark.slow
def test_a_run_tells_its_tuning_and_batch_and_no_checkpoints_beyond_its_end(capsys):
    asked = ["plan", "--training", "llama3.1-8b", "h100", "--tuning", "lora", "--lora-targets", "q_v"]
    assert main([*asked, "--training-tokens", "1G", "--deadline", "2d"]) == 0
    text = capsys.readouterr().out
    assumed = text.partition("Assumed")[2].partition("\n\n")[0]
    assert all(each in assumed for each in ("lora", "1,000,000,000 tokens", "1,536 sequences"))
    assert "checkpoint every" not in text


def test_a_question_that_a_check_refuses_has_no_numbers(capsys):
    asked = ["plan", "--training", "deepseek-v3", "h100", "--tuning", "lora", "--training-tokens", "100M"]
    assert main([*asked, "--gpus", "8", "--seconds", "5"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "give --lora-target-widths" in text
    assert "USD" not in text


@pytest.mark.parametrize("margin", [0.0, 0.1, 0.3])
def test_a_run_leaves_the_margin_of_memory_free(margin, formulas):
    asked = {"model": "llama3.1-8b", "gpu": "h100-sxm", "training_tokens": 1e9, "gpus": 8, "memory_margin": margin}
    best = formulas.plan(answer="training", **asked).best
    names = ["memory_capacity", "training.free_bytes"]
    found = values_of(formulas.evaluator, best.question, names)
    assert found["training.free_bytes"] >= margin * found["memory_capacity"] * (1 - 1e-12), found


def test_a_run_that_fills_the_margin_says_so(capsys):
    asked = ["plan", "--training", "llama3.1-8b", "h100", "--training-tokens", "1G", "--gpus", "8", "--dp", "8"]
    layout = ["--tp", "1", "--pp", "1", "--micro-batch", "2", "--zero-stage", "2", "--recompute", "none"]
    assert main([*asked, *layout, "--memory-margin", "90%", "--seconds", "10"]) == 0
    assert "may be filled: --memory-margin says how much stays free" in " ".join(capsys.readouterr().out.split())
