"""The page as a reader uses it: sliders, choices, links, derivations, tables."""

import csv
import io
from html import unescape
from pathlib import Path

import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from export.browser import until
from export.pages import choose, expected, find, go, logged, shown_wrongly, value
from formula_eval.export.document import Document
from formula_eval.export.html.page import page_text
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


def test_it_opens_without_complaint(page: Chrome) -> None:
    assert "Fits:" in find(page, "#verdict").text
    assert len([each for each in page.find_elements(By.CSS_SELECTOR, ".card") if each.is_displayed()]) == 7
    assert not logged(page)
    assert not shown_wrongly(page)


def test_it_asks_the_network_for_nothing(document: Document, page: Chrome) -> None:
    assert page.execute_script("return performance.getEntriesByType('resource').length") == 0
    text = unescape(page_text(document))
    assert "default-src 'none'" in text
    assert "unsafe" not in text.partition("<style>")[0]


def test_what_is_hidden_for_a_moment_is_typed_into_and_clicked_once_it_is_shown(page: Chrome) -> None:
    late = "const each = arguments[0]; each.style.display = 'none'; setTimeout(() => { each.style.display = ''; }, 300)"
    field, button = find(page, "#type-prompt"), find(page, "#theme")
    page.execute_script(late, field)
    field.send_keys(Keys.CONTROL, "a", Keys.NULL, "3,000", Keys.ENTER)
    assert value(page, "prompt") == 3000
    for _ in range(2):
        page.execute_script(late, button)
        button.click()


def test_a_slider_recalculates(document: Document, page: Chrome) -> None:
    find(page, "#slide-batch").send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert find(page, "#type-batch").get_attribute("value") == "8"
    assert value(page, "inference.tpot") == pytest.approx(
        expected(document, "inference.tpot", {"tp": "8", "batch": "8"}), rel=1e-12
    )
    assert not shown_wrongly(page)


def test_a_typed_value_recalculates_and_a_wrong_one_says_why(document: Document, page: Chrome) -> None:
    field = find(page, "#type-prompt")
    field.send_keys(Keys.CONTROL, "a", Keys.NULL, "3,000", Keys.ENTER)
    assert value(page, "inference.ttft") == pytest.approx(
        expected(document, "inference.ttft", {"tp": "8", "prompt": "3000"}), rel=1e-12
    )
    field.send_keys(Keys.CONTROL, "a", Keys.NULL, "lots", Keys.ENTER)
    assert "is not a number" in find(page, "#problem-prompt").text
    assert field.get_attribute("aria-invalid") == "true"


def test_another_model_and_accelerator_recalculate(document: Document, page: Chrome) -> None:
    choose(page, "model", "mixtral-8x7b")
    choose(page, "hardware", "a100-sxm-80gb")
    wanted = expected(document, "inference.latency", {"tp": "8"}, model="mixtral-8x7b", hardware="a100-sxm-80gb")
    assert value(page, "inference.latency") == pytest.approx(wanted, rel=1e-12)
    assert "experts in" in find(page, ".operators").text
    assert not shown_wrongly(page)


def test_every_input_can_be_set_in_the_list(document: Document, page: Chrome) -> None:
    find(page, "#all-inputs summary").click()
    field = find(page, "[id='input-memory_bandwidth']")
    field.send_keys(Keys.CONTROL, "a", Keys.NULL, "1.5 TB/s", Keys.ENTER)
    wanted = expected(document, "inference.tpot", {"tp": "8", "memory_bandwidth": "1.5 TB/s"})
    assert value(page, "inference.tpot") == pytest.approx(wanted, rel=1e-12)
    choose(page, "format", "fp8-kv8")
    wanted = expected(document, "inference.tpot", {"tp": "8", "memory_bandwidth": "1.5 TB/s"}, format="fp8-kv8")
    assert value(page, "inference.tpot") == pytest.approx(wanted, rel=1e-12)
    find(page, "[aria-label='Reset memory bandwidth']").click()
    wanted = expected(document, "inference.tpot", {"tp": "8"}, format="fp8-kv8")
    assert value(page, "inference.tpot") == pytest.approx(wanted, rel=1e-12)


def test_what_is_refused_says_why_and_shows_no_number_as_good(browser: Chrome) -> None:
    go(browser, "#model=llama2-70b&hardware=h100-sxm&tp=3")
    assert "tp = 3 cannot split 64 attention heads" in find(browser, "#verdict").text
    assert "without" in (find(browser, "body").get_attribute("class") or "")


def test_a_link_restores_everything(document: Document, page: Chrome) -> None:
    find(page, "#slide-batch").send_keys(Keys.ARROW_RIGHT)
    find(page, ".cards:not([hidden]) .card[title*='per output token']").click()
    until(page, lambda shown: "batch=2" in shown.current_url)
    before, link = page.execute_script("return formulaEval.values()"), page.current_url
    assert "batch=2" in link
    assert "_show=inference.tpot" in link
    go(page, "#" + link.partition("#")[2])
    assert page.execute_script("return formulaEval.values()") == before
    assert find(page, "#told-of .of").text == "inference.tpot"
    del document


def test_a_link_with_unknown_parts_says_so(browser: Chrome) -> None:
    go(browser, "#model=llama2-70b&hardware=nothing-such&tp=%ZZ&colour=<b>red</b>&batch=4")
    assert "nothing-such" in find(browser, "#notices").text
    assert "colour" in find(browser, "#notices").text
    assert value(browser, "batch") == 4
    assert value(browser, "tp") == 1


def test_a_derivation_is_followed_down_and_back(page: Chrome) -> None:
    find(page, ".cards:not([hidden]) .card").send_keys(Keys.ENTER)
    drawer = find(page, "#derivation")
    assert drawer.is_displayed()
    assert find(page, "#told-of .of").text == "inference.ttft"
    assert page.execute_script("return document.querySelector('.equation math msub') !== null")
    assert "ttft = prefill_time + host_request_time" in drawer.text
    assert "the first token comes from the prefill, once the host has taken the request" in drawer.text
    assert "formulas/inference/prefill.formula:" in drawer.text
    find(page, "#told-of .inline").click()
    assert find(page, "#told-of .of").text == "inference.prefill_time"
    assert [each.text for each in page.find_elements(By.CSS_SELECTOR, "#steps li")] == ["ttft", "prefill_time"]
    assert not shown_wrongly(page)
    page.back()
    until(page, lambda shown: find(shown, "#told-of .of").text == "inference.ttft")
    find(page, "#told-of .reads button").click()
    find(page, "#back").click()
    assert find(page, "#told-of .of").text == "inference.ttft"
    find(page, "body").send_keys(Keys.ESCAPE)
    assert not drawer.is_displayed()


def test_every_derivation_ends_at_inputs_and_shows_its_values(page: Chrome) -> None:
    wrong = page.execute_script(ALL_DERIVATIONS)
    assert wrong == []


ALL_DERIVATIONS = """
const texts = formulaEval.texts(), names = Object.keys(texts), wrong = [];
const told = document.getElementById("told-of");
for (let place = 0; place < names.length; place += 101) {
  const probe = document.createElement("button");
  probe.setAttribute("data-open", place);
  document.body.append(probe);
  probe.click();
  probe.remove();
  const leaf = told.querySelector(".equation") === null && told.querySelector(".written") === null;
  if (told.querySelector(".result .big").textContent !== texts[names[place]]) wrong.push(names[place]);
  for (const each of told.querySelectorAll(".inline, .reads button")) {
    const shown = (each.querySelector(".number") ?? each).textContent;
    if (shown !== texts[names[each.dataset.open]]) wrong.push(`${names[place]} reads ${names[each.dataset.open]}`);
  }
  if (leaf && told.querySelector(".reads")) wrong.push(`${names[place]} has no formula`);
}
return wrong;
"""


def test_marks_of_the_charts_tell_and_open(page: Chrome) -> None:
    for chart in (".times", ".roofline"):
        page.execute_script("document.querySelector(arguments[0] + ' .mark[tabindex=\"0\"]').focus()", chart)
        assert find(page, "#tip").is_displayed()
        first = find(page, "#tip").text
        page.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
        assert find(page, "#tip").text != first
        page.switch_to.active_element.send_keys(Keys.ENTER)
        assert find(page, "#derivation").is_displayed()
        find(page, "#close").click()


def test_the_operators_of_each_phase_are_a_tab(page: Chrome) -> None:
    prefill, decode = page.find_elements(By.CSS_SELECTOR, ".operators [role=tab]")
    prefill.send_keys(Keys.ARROW_RIGHT)
    assert decode.get_attribute("aria-selected") == "true"
    assert "ffn in" in find(page, "#operators-1").text
    assert not find(page, "#operators-0").is_displayed()


def test_everything_can_be_searched(page: Chrome) -> None:
    find(page, "#everything summary").click()
    find(page, "#search").send_keys("kv_cache_bytes")
    assert [each.text for each in page.find_elements(By.CSS_SELECTOR, ".listing tbody code")][:1] == [
        "memory.kv_cache_bytes"
    ]


def test_the_table_of_values_is_the_engines(document: Document, page: Chrome) -> None:
    rows = list(csv.reader(io.StringIO(page.execute_script("return formulaEval.csv()"))))
    assert rows[0] == ["name", "value", "unit"]
    held = {name: (text, unit) for name, text, unit in rows[1:]}
    givens = document.evaluator.givens(Question({"model": "llama2-70b"}, {"tp": "8"}))
    result = document.evaluator.evaluate(givens, document.wanted)
    for name, each in result.values.items():
        text, unit = held[name]
        value, declared = each.declared
        assert unit == declared, name
        if isinstance(value, bool | str) or value is None:
            assert text == ("" if value is None else str(value).lower() if isinstance(value, bool) else value)
        else:
            assert float(text) == pytest.approx(value, rel=1e-12)


def test_the_table_is_saved(page: Chrome, browser: Chrome) -> None:
    del page
    folder = Path(browser.capabilities["chrome"]["userDataDir"]) / "downloads"
    find(browser, "#download").click()
    saved = folder / "formula-eval.csv"
    until(browser, lambda _: saved.exists())
    assert saved.read_text(encoding="utf-8").startswith("name,value,unit")


def test_a_link_takes_the_names_that_the_command_line_takes(document: Document, browser: Chrome) -> None:
    go(browser, "#model=meta-llama/Llama-2-70b-hf&gpu=H100&number-format=FP8&engine=vllm&tp=8")
    assert find(browser, "#notices").text == ""
    wanted = document.evaluator.givens(
        Question({"model": "meta-llama/Llama-2-70b-hf", "hardware": "h100", "format": "fp8", "engine": "vllm"})
    )
    held = browser.execute_script("return formulaEval.state().records")
    assert held == {name: wanted.records[name] for name in held}
    assert len(held) == 4


def test_a_model_is_found_by_some_letters_and_taken_by_the_keyboard(page: Chrome) -> None:
    field = find(page, "#choose-model")
    field.click()
    everything = len(page.find_elements(By.CSS_SELECTOR, "#list-of-model [role=option]"))
    field.send_keys("405 llama")
    few = [
        each.get_attribute("data-id") for each in page.find_elements(By.CSS_SELECTOR, "#list-of-model [role=option]")
    ]
    assert 0 < len(few) < everything / 10
    assert "llama3.1-405b" in few
    field.send_keys(Keys.ENTER)
    assert page.execute_script("return formulaEval.state().records.model") == few[0]
    field.send_keys(Keys.ARROW_DOWN, Keys.ESCAPE)
    assert not find(page, "#list-of-model").is_displayed()
    assert page.execute_script("return formulaEval.state().records.model") == few[0]
    field.click()
    field.send_keys("qwen3 8")
    assert find(page, "#list-of-model [role=option]").get_attribute("data-id") == "qwen3-8b"
    field.send_keys(Keys.ESCAPE)
    field.click()
    field.send_keys("no such model")
    assert find(page, "#list-of-model").text == "Nothing has such a name."
    field.send_keys(Keys.ESCAPE)


@pytest.mark.parametrize("tab", [0, 1, 2])
def test_each_point_of_a_curve_is_what_the_page_says_for_its_value(page: Chrome, tab: int) -> None:
    def points() -> list[WebElement]:
        return page.find_elements(By.CSS_SELECTOR, f"#curves-1-{tab} .mark")

    page.find_elements(By.CSS_SELECTOR, ".curves [role=tab]")[tab].click()
    count = len(points())
    assert count > 20
    for place in (3, count // 2, count - 2):
        mark = points()[place]
        said, varied = (mark.get_attribute("aria-label") or "").split(", ")[:2]
        page.execute_script("arguments[0].dispatchEvent(new MouseEvent('click', { bubbles: true }))", mark)
        find(page, f"#curves-1-{tab} .mark[aria-label*='{varied}, as set']")
        legend = page.find_elements(By.CSS_SELECTOR, f"#curves-1-{tab} .legend li")
        assert said in [" ".join(each.text.split()) for each in legend]
    assert not logged(page)


def test_controls_have_names_and_light_and_dark_differ(page: Chrome) -> None:
    nameless = """
    return [...document.querySelectorAll("button, input, select, [role=button], [role=tab]")]
      .filter((each) => !each.labels?.length && !each.getAttribute("aria-label") && !each.textContent.trim())
      .map((each) => each.outerHTML);
    """
    find(page, "#all-inputs summary").click()
    assert page.execute_script(nameless) == []
    colour = "return getComputedStyle(document.body).backgroundColor"
    before = page.execute_script(colour)
    find(page, "#theme").click()
    assert page.execute_script(colour) != before
    find(page, "#theme").click()
