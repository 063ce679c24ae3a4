"""What the page computes in its worker: sweeps, sensitivities, and scenarios that are pinned."""

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from counted import seen
from export.browser import until
from export.pages import expected, find, go, logged, shown_wrongly
from formula_eval.analyse.influences import asked_sensitivity, of_deployment
from formula_eval.core.diagnostic import FormulaError
from formula_eval.export.document import Document
from formula_eval.records.axis import axis_of
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow

HERE = "#model=llama2-70b&hardware=h100-sxm&tp=8"


def waited(browser: Chrome, script: str, holds: Callable[[Any], bool]) -> Any:
    """What the script gives once this holds; it is waited for as long as the script goes on giving something else."""
    while not holds(found := browser.execute_script(f"return {script}")):
        until(browser, lambda shown, before=found: shown.execute_script(f"return {script}") != before)
    return found


def swept(browser: Chrome, *said: str, more: str = "") -> list[dict[str, Any]]:
    """The points of a sweep as a link asks it: a quantity, then each input and its values."""
    go(browser, f"{HERE}{more}&_sweep={','.join(quote(each, safe='') for each in said)}")
    browser.execute_script("document.querySelector('.sweep').scrollIntoView()")
    found = waited(browser, "formulaEval.sweep()", lambda each: each["done"] and each["points"])
    points: list[dict[str, Any]] = found["points"]
    return points


def test_a_sweep_of_one_input_is_the_engines(document: Document, browser: Chrome) -> None:
    found = swept(browser, "inference.tpot", "tp", "1..4", more="&batch=16")
    for tp, point in zip((1, 2, 4), (found[0], found[1], found[3]), strict=True):
        wanted = expected(document, "inference.tpot", {"tp": str(tp), "batch": "16"})
        assert point["value"] == pytest.approx(wanted, rel=1e-12)
    assert [each["holds"] for each in found] == [False, True, True, True]
    assert found[2]["value"] is None
    assert found[2]["reason"].startswith("tp = 3 cannot split 64 attention heads evenly")
    assert "1 of 4 has no value: tp = 3" in find(browser, ".sweep .reasons").text
    assert len(browser.find_elements(By.CSS_SELECTOR, ".sweep .point")) == 3
    assert len(browser.find_elements(By.CSS_SELECTOR, ".sweep path.gap")) == 1
    assert not logged(browser)


def test_a_sweep_of_two_inputs_is_the_engines(document: Document, browser: Chrome) -> None:
    found = swept(browser, "inference.tokens_per_second", "batch", "1,64", "memory_bandwidth", "1 TB/s..4 TB/s*2")
    settings = [(batch, width) for width in ("1 TB/s", "2 TB/s", "4 TB/s") for batch in ("1", "64")]
    wanted = [
        expected(document, "inference.tokens_per_second", {"tp": "8", "batch": batch, "memory_bandwidth": width})
        for batch, width in settings
    ]
    assert [each["value"] for each in found] == pytest.approx(wanted, rel=1e-12)
    assert [each.text for each in browser.find_elements(By.CSS_SELECTOR, ".heat .cell-text")][:2] == [
        browser.execute_script("return formulaEval.show('inference.tokens_per_second', arguments[0])", each).split()[0]
        for each in wanted[:2]
    ]
    assert find(browser, ".sweep .command").text.endswith(
        "--batch 1,64 --memory-bandwidth '1 TB/s..4 TB/s*2' --only inference.tokens_per_second"
    )


def test_a_default_that_is_changed_in_percent_follows_what_is_swept(document: Document, browser: Chrome) -> None:
    found = swept(browser, "memory.total_bytes", "heads", "32,64", more="&kv_heads=%2B100%25")
    wanted = [
        expected(document, "memory.total_bytes", {"tp": "8", "heads": heads, "kv_heads": "+100%"})
        for heads in ("32", "64")
    ]
    assert [each["value"] for each in found] == pytest.approx(wanted, rel=1e-12)


RESPONDS = """
const done = arguments[0], field = document.querySelector("#input-search");
const bar = document.querySelector(".sweep progress"), known = (each) => each.value !== null;
let handled = 0, during = 0;
field.addEventListener("input", () => { handled += 1; });
document.querySelector(".sweep").scrollIntoView();
const values = document.querySelector("#sweep-values-1");
values.value = "1..100";
values.dispatchEvent(new Event("change"));
const step = () => {
  if (bar.max === 10000 && bar.value === 10000) {
    return done([handled, during, formulaEval.sweep().points.filter(known).length]);
  }
  field.dispatchEvent(new Event("input"));
  if (bar.max === 10000 && bar.value > 0) during += 1;
  setTimeout(step);
};
setTimeout(step);
"""


def test_the_page_answers_while_ten_thousand_points_are_computed(browser: Chrome) -> None:
    swept(browser, "memory.total_bytes", "batch", "1..100", "step_context", "1..2")
    browser.set_script_timeout(120)
    handled, during, points = browser.execute_async_script(RESPONDS)
    assert points == 10_000
    assert handled >= during > 0  # typed and answered between the first points that the bar shows and the last


def test_a_long_sweep_is_cancelled_and_the_next_one_computed(browser: Chrome) -> None:
    swept(browser, "inference.serving_tokens_per_second", "concurrency", "1,2", "prompt", "1,2")
    browser.execute_script(
        "const field = document.querySelector('#sweep-values-0'); field.value = '1..10000';"
        "field.dispatchEvent(new Event('change'));"
    )
    waited(browser, "formulaEval.sweep().points.some(Boolean)", bool)
    browser.execute_script("document.querySelector('.running button').click()")
    assert "Cancelled after" in find(browser, ".sweep .reasons").text
    field = find(browser, "#sweep-values-0")
    browser.execute_script("arguments[0].value = '4'; arguments[0].dispatchEvent(new Event('change'))", field)
    found = waited(browser, "formulaEval.sweep()", lambda each: each["done"] and len(each["points"]) == 2)
    assert all(each["value"] > 0 for each in found["points"])


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ("8..1", "runs backwards"),
        ("1..4 s", "must be token"),
        ("1,,2", "lacks a value"),
        ("1..100000", "take larger steps"),
        ("many", "is not a number"),
    ],
)
def test_values_that_are_none_are_told(browser: Chrome, values: str, says: str) -> None:
    go(browser, f"{HERE}&_sweep=inference.tpot,step_context,{quote(values, safe='')}")
    browser.execute_script("document.querySelector('.sweep').scrollIntoView()")
    told = waited(browser, "document.querySelector('.sweep .problem').textContent", bool)
    assert says in told
    assert told.startswith(f"step_context: {values}")


def test_values_are_read_as_the_command_reads_them(document: Document, page: Chrome) -> None:
    schema = document.evaluator.schema
    said = [
        ("batch", "1,2, 4"),
        ("batch", "4,2,4"),
        ("batch", "1..512*2"),
        ("batch", "1..10*1.5"),
        ("prompt", "4k..16k*2"),
        ("prompt", "1024..131072:3"),
        ("batch", "1..4:9"),
        ("memory_bandwidth", "1..3 TB/s:3"),
        ("memory_bandwidth", "1 TB/s..3 TB/s"),
        ("memory_bandwidth", "900 GB/s..3.6 TB/s*2"),
        ("memory_bandwidth", "1..3:3 TB/s"),
        ("decode_memory_efficiency", "10%..30%:3"),
        ("batch", "8..1"),
        ("batch", "1.."),
        ("batch", "1..4*1"),
        ("batch", "1..4:2.5"),
        ("batch", "1..3,32,000"),
        ("memory_bandwidth", "1..4"),
    ]
    for name, text in seen(said):
        try:
            axis = axis_of(text, schema.inputs[name], schema.units, "")
            wanted: list[float] | None = [float(each) for each in axis.part(0, axis.length)]
        except FormulaError:
            wanted = None
        script = "try { return formulaEval.axis(...arguments) } catch { return null }"
        found = page.execute_script(script, name, text)
        assert found == (wanted and pytest.approx(wanted, rel=1e-12)), text


def test_sensitivities_are_the_engines(document: Document, browser: Chrome) -> None:
    go(browser, f"{HERE}&batch=16&_moves=inference.tpot")
    browser.execute_script("document.querySelector('.sensitivity').scrollIntoView()")
    found = waited(browser, "formulaEval.influences()", lambda each: each["done"] and each["found"])["found"]
    question = Question({"model": "llama2-70b", "hardware": "h100-sxm"}, {"tp": "8", "batch": "16"})
    asked = asked_sensitivity(document.evaluator, question, "inference.tpot")
    wanted, turned = asked.influences, of_deployment(asked, document.evaluator).influences
    got = {each["name"]: each for each in found}
    assert set(got) == {each.name for each in wanted}
    for each in wanted:
        assert got[each.name]["elasticity"] == pytest.approx(each.elasticity, rel=1e-5, abs=1e-6), each.name
        assert got[each.name]["smooth"] == each.smooth
        assert got[each.name]["warned"] == each.warned, each.name
        assert got[each.name]["other"] == pytest.approx(float(each.other), rel=1e-12)
    for ranked in (turned, wanted):
        names = [each.text for each in browser.find_elements(By.CSS_SELECTOR, ".sensitivity tbody code")]
        assert names[:6] == [each.name for each in ranked[:6]]
        assert f"{abs(ranked[0].elasticity):.2f}" in find(browser, ".sensitivity tbody tr").text
        find(browser, ".sensitivity button.small").click()


def test_a_pinned_scenario_stands_beside_what_is_changed_and_survives_the_link(page: Chrome) -> None:
    find(page, "#pin").click()
    before = page.execute_script("return formulaEval.texts()['inference.tpot']")
    find(page, "#slide-batch").send_keys("\ue014" * 3)
    after = page.execute_script("return formulaEval.texts()['inference.tpot']")
    rows = {each.text.split("\n")[0]: each.text for each in page.find_elements(By.CSS_SELECTOR, ".scenarios tbody tr")}
    assert any(before in each and after in each for each in rows.values())
    assert any(each.startswith("batch 8 sequences 1 sequence") for each in rows.values())
    assert not any(each.startswith("Done in") for each in rows)  # of a batch job, which is asked in neither
    until(page, lambda shown: "batch=8" in shown.current_url and "_pin=" in shown.current_url)
    go(page, page.execute_script("return location.hash"))
    texts = [each.text for each in page.find_elements(By.CSS_SELECTOR, ".scenarios tbody tr")]
    assert any(before in each and after in each for each in texts)
    find(page, "[aria-label='Show Scenario 1']").click()
    assert page.execute_script("return formulaEval.texts()['inference.tpot']") == before
    find(page, "[aria-label='Unpin Scenario 1']").click()
    assert not find(page, ".scenarios").is_displayed()
    assert not shown_wrongly(page)


def test_a_link_with_a_sweep_of_nothing_shows_the_usual_one(browser: Chrome) -> None:
    go(browser, f"{HERE}&_sweep=%3Cb%3E,batch,1&_moves=nothing.such&_pin=%3Cimg%3E")
    browser.execute_script("document.querySelector('.sweep').scrollIntoView()")
    assert waited(browser, "formulaEval.sweep()", lambda each: each["done"] and each["points"])
    assert "inference.serving_tokens_per_second" in (find(browser, "#sweep-of").get_attribute("value") or "")


def test_what_does_not_count_is_grey_and_says_why(browser: Chrome) -> None:
    go(browser, f"{HERE}&prefix_hits=0.5&step_context=9000")
    found = waited(browser, "formulaEval.idle()", lambda each: each["done"])["names"]
    assert {"prefix_hits", "step_context"} <= set(found)
    assert not {"tp", "batch", "prompt"} & set(found)
    grey = browser.find_element(By.CSS_SELECTOR, ".slider.idle:has([id$='-step_context'])")
    assert grey.find_element(By.CSS_SELECTOR, ".remark").text.startswith("No effect on the headline figures")
    go(browser, f"{HERE}&prefix_hits=0.5&cached=100&concurrency=4")
    assert "prefix_hits" not in waited(browser, "formulaEval.idle()", lambda each: each["done"])["names"]
    assert not logged(browser)
