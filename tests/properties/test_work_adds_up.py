"""The work of whole passes against the work of their parts, for every sort of layer and every way to count."""

from itertools import product
from pathlib import Path

import pytest

from formula_eval import Formulas
from formula_eval.records.givens import Question

CONFIGS = Path(__file__).parents[1] / "architectures" / "reference" / "configs"
MODELS = [
    "llama-2-70b",
    "gemma-2-9b",
    "gemma-3n-e4b",
    "gemma-4-26b-a4b",
    "deepseek-v3.2",
    "deepseek-v4-flash",
    "mamba-130m",
    "qwen3-next-80b-a3b",
    "t5-base",
    "lfm2-1.2b",
]
COUNTED = [
    dict(zip(("attention_pairs", "latent_products", "scan_count", "sparse_pairs"), each, strict=True))
    for each in product(
        ("causal", "full"), ("as_served", "expanded"), ("recurrence", "matrix_products"), ("selected", "all")
    )
]


def _value(formulas: Formulas, name: str, model: str, **givens: object) -> float:
    config = str(CONFIGS / model / "config.json")
    return float(formulas.evaluate(only=[name], model=config, **givens)[name].value)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("counted", COUNTED, ids=lambda each: "-".join(each.values()))
def test_generation_is_its_steps(model, counted, formulas):
    prompt, generated = 2045, 9
    said = {"batch": 3, "prompt": prompt, "generated": generated, **counted}
    evaluator = formulas.evaluator
    givens = evaluator.givens(Question({"model": str(CONFIGS / model / "config.json")}, said)).values
    step = evaluator.program(["flops.decode_step"])
    contexts = range(prompt, prompt + generated - 1)
    steps = [step.evaluate({**givens, "step_context": context})["flops.decode_step"] for context in contexts]
    whole = evaluator.program(["flops.generation"]).evaluate(givens)["flops.generation"]
    assert whole == pytest.approx(sum(steps), rel=1e-12)


@pytest.mark.parametrize("model", [each for each in MODELS if each != "t5-base"])
def test_a_cached_prefix_saves_its_own_prefill(model, formulas):
    whole = _value(formulas, "flops.prefill", model, prompt=3000)
    rest = _value(formulas, "flops.prefill", model, prompt=3000, cached=1000)
    first = _value(formulas, "flops.prefill", model, prompt=1000)
    logits = _value(formulas, "flops.prefill_logits", model) + _value(formulas, "flops.output_projections", model)
    assert rest + first - logits == pytest.approx(whole, rel=1e-12)


@pytest.mark.parametrize("model", MODELS)
def test_training_is_three_prefills(model, formulas):
    givens = {"logits_of": "all", "latent_products": "expanded", "prompt": 512, "encoder_prompt": 512}
    forward = _value(formulas, "flops.first_token", model, **givens)
    step = _value(formulas, "flops.training_step", model, seq=512, latent_products="expanded")
    assert step == pytest.approx(3 * forward, rel=1e-12)


@pytest.mark.parametrize("model", MODELS)
def test_recomputing_never_changes_model_work(model, formulas):
    plain = _value(formulas, "flops.training_step", model)
    for mode in ("core", "attention", "norm_attention_norm", "full", "selected", "elementwise"):
        assert _value(formulas, "flops.training_step", model, recompute=mode) == plain
        assert _value(formulas, "flops.executed_step", model, recompute=mode) >= plain


@pytest.mark.parametrize("model", MODELS)
def test_two_micro_batches_take_twice_the_work(model, formulas):
    one = _value(formulas, "flops.executed_step", model, recompute="full")
    assert _value(formulas, "flops.executed_step", model, recompute="full", micro_batches=2) == pytest.approx(2 * one)


@pytest.mark.parametrize("model", MODELS)
def test_lora_spares_the_gradients_of_weights(model, formulas):
    full = _value(formulas, "flops.training_backward", model)
    lora = _value(formulas, "flops.training_backward", model, tuning="lora", lora_target_widths=4096)
    frozen = _value(formulas, "flops.training_backward", model, tuning="adapter")
    assert frozen == full / 2
    assert frozen < lora < full
