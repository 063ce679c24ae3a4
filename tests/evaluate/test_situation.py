"""What heads an answer follows from what the question states, and short names mean what heads it."""

import pytest

from formula_eval import FormulaError, Formulas
from formula_eval.evaluate.situation import situation_of, titles
from formula_eval.library import Library
from formula_eval.records.givens import Question

MODEL = {"model": "llama3.1-8b"}
QUESTIONS = {
    "one batch": Question(MODEL, {"batch": 4}),
    "under load": Question(MODEL, {"concurrency": 64}),
    "a model that only reads": Question({"model": "bert-base"}),
    "a model that only reads, under load": Question({"model": "bert-base"}, {"request_rate": "100/s"}),
    "workers apart": Question(MODEL, {"prefill_tp": 1, "decode_tp": 2, "request_rate": "10/s"}),
    "a batch job": Question(MODEL, {"job_requests": 1000, "deadline": "1 hour"}),
    "training": Question(MODEL, {"gpus": 64}, purpose="training"),
}
MEANT = {
    ("tpot", "one batch"): "inference.tpot",
    ("tpot", "under load"): "inference.running_tpot",
    ("time-per-output-token", "under load"): "inference.running_tpot",
    ("ttft", "under load"): "inference.serving_ttft",
    ("throughput", "under load"): "inference.serving_tokens_per_second",
    ("throughput", "training"): "training.tokens_per_second",
    ("tokens_per_second", "training"): "training.tokens_per_second",
    ("fits", "training"): "training.fits",
    ("fits", "one batch"): "memory.fits",
    ("ttft", "workers apart"): "inference.disaggregated_ttft",
    ("throughput", "a model that only reads"): "inference.inputs_per_second",
    ("cost", "a batch job"): "inference.job_cost",
    ("gpu_hours", "a batch job"): "inference.job_gpu_hours",
    ("kv_cache", "one batch"): "memory.kv_cache_bytes",
    ("kv_cache", "under load"): "inference.serving_cache_bytes",
    ("max-concurrency", "under load"): "memory.running_capacity",
    ("co2", "one batch"): "inference.carbon_per_request",
    ("co2", "training"): "training.run_carbon",
    ("gpu_hours", "training"): "training.run_gpu_hours",
    ("cost", "training"): "training.run_cost",
    ("checkpoint", "training"): "training.checkpoint_bytes",
}


@pytest.mark.parametrize("title", QUESTIONS)
def test_what_is_stated_decides(title: str, formulas: Formulas) -> None:
    evaluator, question = formulas.evaluator, QUESTIONS[title]
    situation = evaluator.situation(question, evaluator.givens(question).values)
    assert situation is not None
    assert situation.title == title
    result = evaluator.evaluate(evaluator.givens(question), situation.names)
    known = {each.title: result.numbers[each.name] for each in situation.heads}
    assert all(number == number for number in known.values()), known  # noqa: PLR0124 - nan alone differs


@pytest.mark.parametrize(("name", "title"), MEANT)
def test_a_short_name_means_what_the_situation_says(name: str, title: str, formulas: Formulas) -> None:
    assert formulas.evaluator.select([name], QUESTIONS[title]) == [MEANT[name, title]]


def test_what_a_record_states_counts_for_short_names_and_heads(formulas: Formulas) -> None:
    evaluator, question = formulas.evaluator, Question({**MODEL, "instance": "p5.48xlarge"})
    heads = evaluator.situation(question, evaluator.givens(question).values)
    assert evaluator.select(["throughput"], question) == ["inference.fleet_batch_tokens_per_second"]
    assert heads is not None
    assert "inference.fleet_batch_tokens_per_second" in heads.names


def test_a_bare_name_is_none_of_a_published_tool(formulas: Formulas) -> None:
    with pytest.raises(FormulaError, match=r"published\.llm_analysis\.training\.gpu_hours_from_flops"):
        formulas.evaluator.select(["gpu_hours_from_flops"], QUESTIONS["training"])


def test_a_full_name_means_itself(formulas: Formulas) -> None:
    assert formulas.evaluator.select(["inference.tpot"], QUESTIONS["under load"]) == ["inference.tpot"]


def test_a_scenario_states_as_an_option_does(formulas: Formulas) -> None:
    question = Question(MODEL, stated={"concurrency": 8})
    situation = formulas.evaluator.situation(question)
    assert situation is not None
    assert situation.title == "under load"


@pytest.mark.slow
def test_conditions_use_the_same_names(formulas: Formulas) -> None:
    found = formulas.solve("concurrency", where="tpot <= 20 ms", model="llama3.1-8b", gpu="h100-sxm")
    (largest,) = [each.high for each in found.spans]
    asked = {"model": "llama3.1-8b", "gpu": "h100-sxm"}
    at = [formulas.evaluate(only="tpot", **asked, concurrency=int(largest) + more).values for more in (0, 1)]
    assert [each["inference.running_tpot"] <= 0.020 for each in at] == [True, False]


@pytest.mark.slow
def test_a_sweep_has_the_heads_as_columns(formulas: Formulas) -> None:
    rows = formulas.sweep(model="llama3.1-8b", concurrency=[1, 64])
    assert rows["inference.running_tpot"][0] < rows["inference.running_tpot"][1]


def test_titles_are_those_of_the_plainest_situation(formulas: Formulas) -> None:
    assert titles(formulas.evaluator.library)["inference.serving_ttft"] == "time to first token"


def test_what_a_library_gets_wrong_is_told(tmp_path, formulas: Formulas) -> None:
    own = formulas.evaluator.library
    for text, told in {
        '[[situation]]\ntitle = "x"\npurpose = "serving"\nhead = [{title = "y", name = "params.ttl"}]': "params.total",
        '[[situation]]\ntitle = "x"\npurpose = "serving"': "lacks `head`",
        '[[situation]]\ntitle = "x"\npurpose = "serving"\nheads = []': "no key `heads`",
    }.items():
        (tmp_path / "reports").mkdir(exist_ok=True)
        (tmp_path / "reports" / "situations.toml").write_text(text)
        library = Library((*own.folders, tmp_path))
        with pytest.raises(FormulaError) as refused:
            situation_of(library, formulas.evaluator.schema, QUESTIONS["one batch"])
        assert told in str(refused.value)
