"""Scenarios to start from, and what heads the page by what is asked: every preset computes what the engine does."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By

from export.pages import expected, find, go, shown_wrongly, value
from formula_eval.export.document import Document

pytestmark = pytest.mark.slow

ALL = tomllib.loads((Path(__file__).parents[2] / "reports/page.toml").read_text())["preset"]
TRAINING = [each for each in ALL if "micro_batch" in each.get("inputs", {})]
PRESETS = [each for each in ALL if each not in TRAINING]


def headings(page: Chrome) -> list[str]:
    return [each.text for each in page.find_elements(By.CSS_SELECTOR, ".cards h2") if each.is_displayed()]


@pytest.mark.parametrize("preset", PRESETS, ids=[each["title"] for each in PRESETS])
def test_a_preset_computes_what_the_engine_does(preset: dict[str, Any], document: Document, page: Chrome) -> None:
    buttons = page.find_elements(By.CSS_SELECTOR, "#presets button")
    next(each for each in buttons if each.text == preset["title"]).click()
    inputs = {name: str(each) for name, each in preset.get("inputs", {}).items() if each != ""}
    values = inputs if preset.get("anew") else {"tp": "8", **inputs}
    told = (
        ("concurrency", "inference.serving_ttft", "Under load: continuous batching"),
        ("job_requests", "inference.job_finish_time", "Batch job: "),
        ("", "inference.ttft", "At a glance: one batch, started together"),
    )
    head, heading = next((head, heading) for name, head, heading in told if not name or name in values)
    assert value(page, head) == pytest.approx(expected(document, head, values, **preset["records"]), rel=1e-12)
    assert headings(page)[0].startswith(heading)
    if preset.get("anew"):
        assert "Fits:" in find(page, "#verdict").text
    assert not shown_wrongly(page)


def test_memory_and_verdict_are_those_of_the_load(document: Document, page: Chrome) -> None:
    field = find(page, "#type-concurrency")
    field.send_keys(Keys.CONTROL, "a", Keys.NULL, "64", Keys.ENTER)
    used = expected(document, "inference.serving_bytes", {"tp": "8", "concurrency": "64"})
    shown = page.execute_script("return formulaEval.show('inference.serving_bytes', arguments[0])", used)
    assert f"Fits: {shown} of the" in find(page, "#verdict").text
    assert "KV cache of running requests" in find(page, ".panel.stack:not([hidden])").text
    assert headings(page) == ["Under load: continuous batching", "Alone: one batch, started together"]


def test_each_accelerator_is_drawn_as_full_as_it_is(document: Document, browser: Chrome) -> None:
    go(browser, "#tp=8&pp=2")
    panel = find(browser, ".panel.stack:not([hidden])")
    groups = [
        len(each.find_elements(By.CSS_SELECTOR, ".copy")) for each in panel.find_elements(By.CSS_SELECTOR, ".group")
    ]
    assert groups == [8, 8]
    assert "16 GPUs that share the model, 8 on each node" in panel.text
    first = panel.find_element(By.CSS_SELECTOR, ".copy span")
    share = browser.execute_script("return arguments[0].style.getPropertyValue('--share')", first)
    weights = expected(document, "memory.resident_weights_bytes", {"tp": "8", "pp": "2"})
    assert float(share.rstrip("%")) == pytest.approx(100 * weights / value(browser, "memory_capacity"))
    go(browser, "#model=gpt2&tp=1")
    assert not find(browser, ".panel.stack:not([hidden])").find_elements(By.CSS_SELECTOR, ".copy")
