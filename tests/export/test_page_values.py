"""Every value that the page computes in the browser is the engine's, and every text that it shows is its text."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from selenium.webdriver import Chrome

from export.page_answers import wrong_in
from export.papers import TRAINING_JOB, evaluator, usual
from formula_eval.export.document import Document, document_of
from formula_eval.export.html.page import write_page
from formula_eval.records.givens import Question
from samples import thorough

pytestmark = pytest.mark.slow

MODELS = (
    "llama2-70b",
    "llama3.1-405b",
    "llama3-8b",
    "mixtral-8x7b",
    "gemma2-9b",
    "gpt2-xl",
    "qwen2.5-7b",
    "phi-2",
    "falcon-40b",
    "bloom-176b",
    "opt-350m",
    "qwen3-30b-a3b",
    "mistral-7b-v0.1",
    "deepseek-v3",
    "mamba-2.8b",
    "t5-base",
)
# What a page of everything is asked: several requests at a time, a pre-training job, one that saves memory.
WHOLE_MODELS = ("llama2-70b", "deepseek-v3", "mamba-2.8b", "t5-base", "gemma3-27b")
WHOLE: tuple[dict[str, str], ...] = (
    {
        "tp": "8",
        "concurrency": "64",
        "request_rate": "2 req/s",
        "prompt": "9000",
        "prefill_tp": "4",
        "drafted_tokens": "3",
    },
    {name: str(value) for name, value in TRAINING_JOB.items()},
    {"tp": "2", "gpus": "64", "zero_stage": "3", "micro_batch": "2", "optimizer": "adafactor", "training_bits": "8"},
)
ACCELERATORS = ("h100-sxm", "a100-sxm-80gb", "v100-sxm-32gb", "xeon-8480")
SCENARIOS: tuple[dict[str, dict[str, str]], ...] = (
    {"records": {}, "values": {}},
    {"records": {"engine": "vllm-1"}, "values": {"tp": "8", "batch": "16", "prompt": "2000", "generated": "500"}},
    {"records": {"format": "fp8-kv8"}, "values": {"pp": "4", "batch": "256", "cached": "100", "price": "3.5 USD/hr"}},
    {"records": {}, "values": {"tp": "3", "weight_bits": "4", "weight_group": "128", "memory_bandwidth": "1.5 TB/s"}},
)


@pytest.fixture(scope="module")
def document() -> Document:
    return written_for(usual(form="html"))


def written_for(only: Sequence[str]) -> Document:
    question = Question({"model": "llama2-70b"}, {"tp": "8", "batch": 16})
    return document_of(evaluator(), question, evaluator().select(only))


def test_every_value_is_the_engines(document: Document, browser: Chrome) -> None:
    asked = [
        {"records": {"model": model, "hardware": gpu, **scenario["records"]}, "values": scenario["values"]}
        for place, model in enumerate(MODELS)
        for turn, scenario in enumerate(SCENARIOS)
        if thorough() or (place + turn) % 2 == 0
        for gpu in (ACCELERATORS[(place + turn) % len(ACCELERATORS)],)
    ]
    assert not wrong_in(document, browser, asked)


def test_every_value_of_every_formula_is_the_engines(browser: Chrome, tmp_path: Path) -> None:
    """Of serving and training, on a page that holds all of them."""
    document, here = written_for(["*"]), browser.current_url
    write_page(document, tmp_path / "page.html")
    browser.get((tmp_path / "page.html").as_uri())
    gpus = ("h100-sxm", "b200-sxm")
    asked = [
        {"records": {"model": model, "hardware": gpu}, "values": values}
        for (place, model), (turn, values) in product(enumerate(WHOLE_MODELS), enumerate(WHOLE))
        for gpu in gpus[place % 2 : place % 2 + 1]
        if thorough() or (place + turn) % len(WHOLE) == 0
    ]
    assert not wrong_in(document, browser, asked)
    browser.get(here)


def test_the_same_document_gives_the_same_small_page(document: Document, browser: Chrome, tmp_path: Path) -> None:
    shown = Path(unquote(urlsplit(browser.current_url).path))
    write_page(document, tmp_path / "again.html")
    assert (tmp_path / "again.html").read_bytes() == shown.read_bytes()
    assert shown.stat().st_size < 5_000_000
