"""Advice does what it says: each option is run as a question of its own."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from formula_eval import FormulaError, Formulas
from formula_eval.analyse.recommendations import NextStep, next_step
from formula_eval.ask.answer_layout import AnswerLayout, read_answer_layout
from formula_eval.evaluate.result import Result
from formula_eval.records.givens import Question
from formula_eval.records.record_files import all_records
from samples import thorough

GPUS = ("h100-sxm", "h200-sxm", "a100-sxm-80gb", "b200-sxm", "rtx-4090", "mi300x", "l40s", "v100-sxm-32gb")
GIVENS: tuple[Mapping[str, Any], ...] = (
    {},
    {"tp": 8},
    {"tp": 2, "batch": 64},
    {"tp": 4, "batch": 3000, "prompt": 4000},
    {"tp": 8, "ttft_target": "1 s", "tpot_target": "30 ms"},
    {"tp": 8, "engine": "vllm-1", "batch": 4},
    {"tp": 8, "number_format": "bf16"},
    {"weight_bits": 16},
)
TRAINING: tuple[Mapping[str, Any], ...] = (
    {},
    {"gpus": 64, "tp": 8, "global_batch": 256},
    {"gpus": 1024, "tp": 8, "pp": 8, "global_batch": 512},
    {"dp": 8, "recompute": "full", "zero_stage": 3},
    {"dp": 16, "micro_batch": 8, "seq": 8192},
    {"gpus": 512, "tp": 4, "pp": 4, "global_batch": 1024, "recompute": "full"},
)


def asked(formulas: Formulas, said: Mapping[str, Any], layout: AnswerLayout, *, training: bool) -> Result:
    evaluator = formulas.evaluator
    question = Question(values={key: str(value) for key, value in said.items()}, purpose="training" if training else "")
    return evaluator.evaluate(evaluator.givens(question), layout.quantities(evaluator.schema))


def advised(
    formulas: Formulas, said: Mapping[str, Any], *, training: bool
) -> tuple[Mapping[str, Any], AnswerLayout, Result, NextStep | None] | None:
    """The section, the result and what is advised; None where the question itself is refused."""
    layout = read_answer_layout(formulas.evaluator.library, "training" if training else "serving")
    section = next(each for each in layout.sections if each["kind"] == "next")
    try:
        result = asked(formulas, said, layout, training=training)
    except FormulaError:
        return None
    return section, layout, result, next_step(section, result, formulas.evaluator)


def with_options(said: Mapping[str, Any], options: str) -> dict[str, Any]:
    """The question with options added as they were printed, or left out."""
    words = options.split()
    if words[0] == "without":
        left_out = {word.removeprefix("--").replace("-", "_") for word in words[1:]}
        return {key: value for key, value in said.items() if key not in left_out}
    pairs = zip(words[::2], words[1::2], strict=True)
    return {**said, **{name.removeprefix("--").replace("-", "_"): value for name, value in pairs}}


def warnings(result: Result) -> set[str]:
    return {each.name for each in result.checks if not each.ok and each.level != "note"}


def hold(formulas: Formulas, said: Mapping[str, Any], *, training: bool = False) -> Iterator[str]:
    """Run each piece of advice for a question; what was found of it."""
    found = advised(formulas, said, training=training)
    if found is None:
        yield "refused"
        return
    section, layout, result, step = found
    fits = bool(result.numbers[section["holds"]])
    assert fits or step is not None, said
    for each in step.advice if step else ():
        after = asked(formulas, with_options(said, each.options), layout, training=training)
        for entry in section["entries"]:
            assert after[entry["name"]].value == each.numbers[entry["name"]], (said, each.options)
        assert after.numbers[section["holds"]], (said, each.options)
        assert warnings(after) <= warnings(result), (said, each.options)
        assert all(after.numbers[name] <= after.numbers[most] for name, most in section.get("at_most", ()))
        if "--gpus" not in each.options:  # more of them do more in a step
            assert all(after.numbers[name] == result.numbers[name] for name in section.get("same", ()))
        if fits:
            assert all(
                after.numbers[name] <= max(after.numbers[most], result.numbers[name])
                for name, most in section.get("accepted", ())
            )
            assert after.numbers[section["gain"]] >= section["at_least"] * result.numbers[section["gain"]]
        yield "faster" if fits else "fits"


def models(formulas: Formulas) -> list[str]:
    evaluator = formulas.evaluator
    return [each.id for each in all_records(evaluator.library, evaluator.schema.kinds["model"])]


def serving_questions(formulas: Formulas) -> list[dict[str, Any]]:
    draw = random.Random(0)
    return [{"model": model, "gpu": draw.choice(GPUS), **draw.choice(GIVENS)} for model in models(formulas)]


def training_questions(formulas: Formulas) -> list[dict[str, Any]]:
    draw = random.Random(1)
    return [{"model": model, "gpu": draw.choice(GPUS[:4]), **draw.choice(TRAINING)} for model in models(formulas)]


@pytest.mark.slow
def test_advice_for_models_does_what_it_says(formulas: Formulas) -> None:
    every = 1 if thorough() else 5
    found = [kind for said in serving_questions(formulas)[::every] for kind in hold(formulas, said)]
    assert found.count("faster") > 10
    assert found.count("fits") > 6


@pytest.mark.slow
def test_advice_for_training_every_model_does_what_it_says(formulas: Formulas) -> None:
    every = 1 if thorough() else 2
    found = [kind for said in training_questions(formulas)[::every] for kind in hold(formulas, said, training=True)]
    assert found.count("faster") > 5
    assert found.count("fits") > 5


@pytest.mark.parametrize(
    ("said", "options"),
    [
        ({"model": "deepseek-v3", "gpu": "h200-sxm", "tp": 8, "number_format": "bf16"}, "without --number-format"),
        ({"model": "llama2-70b"}, "--number-format fp8"),
        ({"model": "llama2-70b", "gpu": "a100-sxm-80gb"}, "--number-format w8a16"),
        ({"model": "llama3.1-405b"}, "--number-format fp8 --tp 8"),
        ({"model": "llama3-8b", "batch": 5000}, "--batch 695"),
        ({"model": "gpt-oss-20b", "gpu": "rtx-4060-ti"}, "--engine llama.cpp"),
        ({"model": "llama3.1-8b", "gpu": "rtx-3060"}, "--number-format q4_k_m"),
    ],
)
def test_the_first_of_what_makes_it_fit(said: Mapping[str, Any], options: str, formulas: Formulas) -> None:
    found = advised(formulas, said, training=False)
    assert found is not None
    assert found[3] is not None
    assert found[3].advice[0].options == options


@pytest.mark.slow
def test_a_larger_batch_stays_within_targets_that_somebody_set(formulas: Formulas) -> None:
    said = {"model": "llama2-70b", "tp": 8}
    tokens = []
    for targets in ({}, {"ttft_target": "2 s"}, {"ttft_target": "200 ms"}, {"ttft_target": "1 ms"}):
        found = advised(formulas, {**said, **targets}, training=False)
        assert found is not None
        step = found[3]
        if targets.get("ttft_target") == "1 ms":
            assert step is None
            continue
        assert step is not None
        numbers = step.advice[0].numbers
        tokens.append(numbers["inference.tokens_per_second"])
        assert not targets or numbers["inference.ttft"] <= numbers["ttft_target"]
    assert tokens == sorted(tokens, reverse=True)
    assert tokens[0] > tokens[-1]


def test_training_is_told_of_interleaving(formulas: Formulas) -> None:
    said = {"model": "llama3.1-405b", "gpus": 16384, "tp": 8, "pp": 16, "global_batch": 2048, "recompute": "full"}
    found = advised(formulas, said, training=True)
    assert found is not None
    assert found[3] is not None
    assert found[3].advice[0].options.startswith("--schedule interleaved --virtual-stages")
