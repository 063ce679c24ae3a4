"""The command that a page shows asks what the page asks, and gives its numbers."""

import csv
import io
import json
import os
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome

from export.pages import find, go
from export.papers import TRAINING_JOB, evaluator
from formula_eval.ask.export_lists import quantities_of
from formula_eval.export.document import document_of
from formula_eval.export.html.page import write_page
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


def test_the_command_gives_the_same_numbers(page: Chrome) -> None:
    go(page, "#model=llama2-70b&gpu=a100-sxm-80gb&tp=4&batch=8&memory_bandwidth=1.5%20TB%2Fs&gated=false&engine=vllm")
    assert "vllm" in find(page, "#command").get_attribute("textContent")
    assert_same(page, answered(page, "--only", "inference.latency"))


def answered(page: Chrome, *more: str) -> dict[str, Any]:
    """What the command that the page shows answers, as JSON."""
    words = shlex.split(find(page, "#command").get_attribute("textContent") or "")
    assert words[0] == "formula-eval"
    asked = [sys.executable, "-m", "formula_eval", *words[1:], *more, "--format", "json"]
    done = subprocess.run(
        asked, capture_output=True, text=True, check=False, env=os.environ | {"PYTHONPATH": str(ROOT / "engine")}
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)["values"]
    return found


def assert_same(page: Chrome, answer: dict[str, Any]) -> None:
    shown = page.execute_script("return formulaEval.values()")
    numbers = {name: each["value"] for name, each in answer.items() if isinstance(each["value"], int | float)}
    assert numbers
    units = page.execute_script("return formulaEval.csv()")
    held = {name: text for name, text, _ in csv.reader(io.StringIO(units))}
    for name, number in numbers.items():
        assert name in shown
        if not isinstance(number, bool):
            assert float(held[name]) == pytest.approx(number, rel=1e-12), name


@pytest.mark.parametrize(
    ("question", "only"),
    [
        (Question({"model": "llama3-8b"}, TRAINING_JOB, purpose="training"), ()),
        (
            Question({"model": "llama-7b", "hardware": "a100-sxm-80gb"}, {"tp": 2}, namespace="published.llm_analysis"),
            (),
        ),
        (Question({"model": "llama3-8b"}, {"batch": 4}), ("params.total", "memory.kv*")),
    ],
    ids=["training", "namespace", "only"],
)
def test_the_command_asks_what_the_page_asks(
    question: Question, only: tuple[str, ...], browser: Chrome, tmp_path: Path
) -> None:
    asked, here = evaluator(), browser.current_url
    givens = asked.givens(question)
    wanted = asked.select(only or quantities_of(asked.library, "html", question, givens), question)
    document = replace(document_of(asked, question, wanted, named=bool(only)), only=only)
    write_page(document, tmp_path / "page.html")
    browser.get((tmp_path / "page.html").as_uri())
    answer = answered(browser)
    assert_same(browser, {name: each for name, each in answer.items() if name in document.wanted})
    assert set(document.wanted) & set(answer)
    if only:
        assert set(answer) == set(document.wanted)
    browser.get(here)
