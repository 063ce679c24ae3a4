"""The page of records, files and templates that strangers wrote."""

import math
import shlex
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from export.pages import choose, find, logged, made, value
from export.papers import evaluator, usual
from formula_eval.core.diagnostic import FormulaError
from formula_eval.export.document import Document, document_of
from formula_eval.export.html.page import write_page
from formula_eval.export.html.page_layout import page_layout
from formula_eval.records.givens import Question
from formula_eval.text_files import read_toml

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
FILES = {
    "models/evil '\"<img src=x onerror=window.hacked=1>.toml": """
name = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked=1'>"
source = "\\u202Egnp.exe \\u0007 \\"quoted\\" 'single' <svg onload=window.hacked=1>"
note = "NOTE"
layers = 2
hidden = 64
heads = 4
vocab = 100
""",
    "formulas/mine/strange.formula": '''"""</script><script>window.hacked = 1</script>"""

thing: byte = 2 byte * layers
    "</script><img src=x onerror=window.hacked=1> and <b>bold</b> `<i>`"
    symbol "</math><img src=x onerror=window.hacked=1>"
    source evil "<script>window.hacked=1</script>"
    note "<img src=x onerror=window.hacked=1>"
    example layers = 2 -> 4 byte
''',
    "formulas/sources.toml": """
[evil]
title = "<img src=x onerror=window.hacked=1>"
authors = "</script>"
year = 2024
url = "javascript:window.hacked=1"
""",
}


def test_texts_of_strangers_are_shown_and_never_run(browser: Chrome, tmp_path: Path) -> None:
    for name, text in FILES.items():
        path = tmp_path / name.replace("NOTE", "")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("NOTE", "long " * 2000), encoding="utf-8")
    write_page(made(tmp_path, ("params.*", "memory.*", "mine.*")), tmp_path / "page.html")
    here = browser.current_url
    browser.get((tmp_path / "page.html").as_uri())
    evil = "evil '\"<img src=x onerror=window.hacked=1>"
    choose(browser, "model", evil)
    assert value(browser, "layers") == 2
    find(browser, "#everything summary").click()
    find(browser, "#search").send_keys("mine.thing")
    find(browser, ".listing button.number").click()
    told = find(browser, "#told-of")
    assert "<b>bold</b>" in told.text
    assert not told.find_elements(By.CSS_SELECTOR, "img, script, b, a[href^=javascript]")
    assert browser.execute_script("return window.hacked") is None
    assert len(browser.find_elements(By.TAG_NAME, "img")) == 0
    assert not [each for each in logged(browser) if "hacked" in each]
    command = find(browser, "#command").get_attribute("textContent") or ""
    assert shlex.split(command)[shlex.split(command).index("--model") + 1] == evil
    browser.get(here)


def test_a_page_of_few_quantities_shows_what_it_can(browser: Chrome, tmp_path: Path) -> None:
    write_page(made(only=("params.total",)), tmp_path / "page.html")
    here = browser.current_url
    browser.get((tmp_path / "page.html").as_uri())
    cards = browser.find_elements(By.CSS_SELECTOR, ".cards:not([hidden]) .card")
    assert [each.text.split("\n")[0] for each in cards] == ["Parameters"]
    assert not browser.find_elements(By.CSS_SELECTOR, ".times, .roofline, .operators")
    assert not logged(browser)
    browser.get(here)


def test_a_model_file_of_the_users_own_and_a_scenario_are_taken_along(browser: Chrome, tmp_path: Path) -> None:
    (tmp_path / "llama2-70b.toml").write_text("name = 'Mine'\nlayers = 3\nhidden = 64\nheads = 4\nvocab = 100\n")
    (tmp_path / "scenario.toml").write_text("batch = 4\nengine = 'vllm'\nprice = '3 USD/hour'\nprompt = 700\n")
    said = {"model": str(tmp_path / "llama2-70b.toml")}
    question = Question(said, {"prompt": 300}, scenario=str(tmp_path / "scenario.toml"))
    document = document_of(evaluator(), question, evaluator().select(usual(form="html")))
    write_page(document, tmp_path / "page.html")
    here = browser.current_url
    browser.get((tmp_path / "page.html").as_uri())
    for name, number in document.numbers.items():
        if math.isfinite(number):
            assert value(browser, name) == pytest.approx(number, rel=1e-12), name
        if name.startswith("inference."):
            break
    words = shlex.split(find(browser, "#command").get_attribute("textContent") or "")
    assert words[words.index("--model") + 1] == said["model"]
    assert "3 USD/hour" in browser.execute_script("return formulaEval.texts()")["price"].replace(".00", "")
    assert browser.execute_script("return formulaEval.state()")["records"]["engine"] == "vllm-1"
    browser.get(here)


def names_in(part: object) -> list[str]:
    keys = ("name", "whole", "within", "used", "holds", "bandwidth", "total", "input", "vary", "fits")
    if isinstance(part, dict):
        return [str(part[key]) for key in keys if key in part] + names_in(list(part.values()))
    return [name for each in part for name in names_in(each)] if isinstance(part, list) else []


def test_the_layout_names_what_there_is(document: Document) -> None:
    layout = read_toml(ROOT / "reports" / "page.toml", "reports/page.toml")
    job = document_of(evaluator(), document.question, evaluator().select(usual(training=True, form="html")))
    apart = ["inference.disaggregated*", "inference.decode_worker_step_time", "inference.workers_fit"]
    workers = document_of(evaluator(), document.question, evaluator().select(apart))
    held = {*document.names, *job.names, *workers.names}
    assert [name for name in names_in(layout) if name not in held] == []
    shown = [each for one in (document, job, workers) for each in page_layout(one)["section"]]
    assert {each["title"] for each in shown} == {each["title"] for each in layout["section"]}
    scripts = read_toml(ROOT / "reports" / "page" / "scripts.toml", "reports/page/scripts.toml")
    named = {name for names in scripts.values() for name in names}
    assert {path.name for path in (ROOT / "reports" / "page").glob("*.js")} == named


@pytest.mark.parametrize(
    ("only", "first"),
    [(("params.qkv_projection", "params.key_value_projection"), "Qkv projection"), (("published.genz.*",), None)],
)
def test_a_page_without_cards_is_headed_by_what_was_asked(only: tuple[str, ...], first: str | None) -> None:
    document = document_of(evaluator(), Question({"model": "llama2-70b"}, {"tp": "4"}), evaluator().select(only))
    layout = page_layout(document)
    cards = layout["section"][0]
    assert cards["kind"] == "cards"
    assert {each["name"] for each in cards["entries"]} <= set(document.wanted)
    assert "serve" not in layout["title"]
    if first is not None:
        assert [each["title"] for each in cards["entries"]] == [first, "Key value projection"]
    else:
        assert "published.genz.request_time" in {each["name"] for each in cards["entries"]}
        assert len(cards["entries"]) < 24 < len(document.wanted)


@pytest.mark.parametrize(
    ("file", "text", "says"),
    [
        ("page/page.html.j2", "{{ nothing.such }}", "is undefined"),
        ("page/style.css", "</style><script>", "would end its own element"),
        ("page.toml", "[[section]]\nkind = 'pie'\n", "is not a kind of section"),
        ("page.toml", "[[section]]\nkind = 'cards'\n", "lacks `entries`"),
    ],
)
def test_a_broken_template_is_told_and_writes_nothing(tmp_path: Path, file: str, text: str, says: str) -> None:
    path = tmp_path / "reports" / file
    path.parent.mkdir(parents=True)
    path.write_text(text)
    with pytest.raises(FormulaError, match=says):
        write_page(made(tmp_path, ("params.total",)), tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


def test_a_search_among_inputs_hides_no_field_of_records(browser: Chrome, tmp_path: Path) -> None:
    write_page(made(only=("params.total", "inference.tpot")), tmp_path / "page.html")
    here = browser.current_url
    browser.get((tmp_path / "page.html").as_uri())
    find(browser, "#all-inputs summary").click()
    count = "return [...document.querySelectorAll('#input-list {}')].filter((each) => each.offsetParent).length"
    shown, opened = count.format("li"), count.format("[role=combobox]")
    rows, fields = browser.execute_script(shown), browser.execute_script(opened)
    assert rows > 50
    assert fields > 0
    find(browser, "#input-list [role=combobox]").click()
    search = find(browser, "#input-search")
    search.send_keys("batch")
    assert 0 < browser.execute_script(shown) < rows
    search.clear()
    search.send_keys(" ")
    assert browser.execute_script(opened) == fields
    assert browser.execute_script(shown) == rows
    assert not logged(browser)
    assert (
        browser.execute_script("return document.querySelector('#input-list input[type=text]:not([role])').maxLength")
        == 1000
    )
    browser.get(here)
