"""What is typed into the page's field is read as the command line reads it."""

from collections.abc import Mapping
from typing import Any

import pytest
from selenium.webdriver import Chrome, Keys

from export.pages import expected, find, shown_wrongly, value
from formula_eval.cli.words import options_said
from formula_eval.export.document import Document, document_of
from formula_eval.export.html.page import question_data
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow

SENTENCES = (
    "llama3.1-70b 8xH100",
    "deepseek-v3 on 16 H200 fp8",
    "Llama-3.1-8B-Instruct A100 80GB",
    "meta-llama/Llama-2-7b-hf l40s",
    "mixtral-8x7b h100x4",
    "qwen3-32b with 2 gpus of MI300X w4a16-g128",
    "llama3.1-8b h100 64 concurrent requests, 8k context",
    "llama3.1-8b h200 1M context",
    "how fast is llama3.1-70b on 4xH100 at 5 requests per second?",
)


def asked(page: Chrome, text: str) -> Mapping[str, Any]:
    """What the page holds once a text was asked."""
    field = find(page, "#question")
    field.clear()
    field.send_keys(text, Keys.ENTER)
    state: Mapping[str, Any] = page.execute_script("return formulaEval.state()")
    return state


@pytest.mark.parametrize("sentence", SENTENCES)
def test_words_mean_what_they_mean_on_the_command_line(sentence: str, document: Document, page: Chrome) -> None:
    schema, library = document.evaluator.schema, document.evaluator.library
    said = options_said(sentence.split(), library, schema, (), job=False)
    options = dict(zip(said[::2], said[1::2], strict=True))
    kinds = {kind.option: kind.name for kind in schema.kinds.values()}
    records = {kinds[name]: text for name, text in options.items() if name in kinds}
    values = {name.removeprefix("--").replace("-", "_"): text for name, text in options.items() if name not in kinds}
    assert asked(page, sentence)["values"] == values
    head = "inference.latency"
    assert value(page, head) == pytest.approx(expected(document, head, values, **records), rel=1e-12)
    assert not shown_wrongly(page)


@pytest.mark.parametrize(
    ("command", "records", "values"),
    [
        (
            "formula-eval --model llama3-8b --gpu l40s --batch=4 --prompt 2k",
            {"model": "llama3-8b", "hardware": "l40s"},
            {"batch": "4", "prompt": "2k"},
        ),
        (
            "vllm serve Qwen/Qwen3-32B --tensor-parallel-size 2 \\\n --max-num-seqs=64 --gpu h200",
            {"model": "qwen3-32b", "hardware": "h200-sxm", "engine": "vllm-1"},
            {"tp": "2", "max_sequences": "64"},
        ),
        (
            "formula-eval --model 'llama2-70b' --set memory_fraction=0.8 --request-rate '2 request/s'",
            {"model": "llama2-70b"},
            {"memory_fraction": "0.8", "request_rate": "2 request/s"},
        ),
    ],
)
def test_a_command_begins_anew(
    command: str, records: Mapping[str, str], values: Mapping[str, str], page: Chrome
) -> None:
    state = asked(page, command.replace("\n", " "))
    assert state["values"] == values
    assert records.items() <= state["records"].items()
    assert not find(page, "#notices").text


def test_one_word_changes_what_it_says_alone(page: Chrome) -> None:
    before = page.execute_script("return formulaEval.state()")
    after = asked(page, "h200")
    assert after["records"] == {**before["records"], "hardware": "h200-sxm"}
    assert after["values"] == before["values"] == {"tp": "8"}


def test_accelerators_of_a_job_are_counted_as_a_whole(document: Document) -> None:
    training = Question({"model": "llama2-70b"}, {}, purpose="training")
    of_job = document_of(document.evaluator, training, ["training.step_time"])
    assert question_data(of_job)["job"] == "gpus"
    assert question_data(document)["job"] == ""


def test_what_means_nothing_is_told(page: Chrome) -> None:
    before = page.execute_script("return formulaEval.state()")
    assert asked(page, "frobnicate <b>70B</b>") == before
    assert "takes nothing from \u201cfrobnicate\u201d" in find(page, "#notices").text
    assert not page.find_elements("css selector", "#notices b")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("llama3-8b p4d.24xlarge", {"tp": "8"}),
        ("llama3.1-70b 2 p5.48xlarge", {"tp": "8", "pp": "2"}),
    ],
)
def test_a_machine_brings_its_own_accelerators(
    text: str, values: dict[str, str], document: Document, page: Chrome
) -> None:
    model, instance = text.split(maxsplit=1)[0], text.rsplit(maxsplit=1)[-1]
    assert asked(page, text)["values"] == values
    said = expected(document, "memory.fits", values, model=model, instance=instance)
    assert value(page, "memory.fits") == said
    capacity = expected(document, "memory.usable_bytes", values, model=model, instance=instance)
    assert value(page, "memory.usable_bytes") == pytest.approx(capacity, rel=1e-12)


def test_a_count_takes_back_the_one_before(page: Chrome) -> None:
    assert asked(page, "llama3.1-70b 16 h100")["values"] == {"tp": "8", "pp": "2"}
    assert asked(page, "4 gpus")["values"] == {"tp": "4"}


def test_the_command_of_the_page_asks_the_same_again(page: Chrome) -> None:
    state = asked(page, "--model llama3-8b --instance p5.48xlarge --tp 4 --concurrency 32")
    assert asked(page, page.execute_script("return formulaEval.command()")) == state
