"""The graph of operators within the page: its texts are the engine's for each model and phase, and change live."""

import json
from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By

from export.browser import showing
from export.pages import choose, find, go, logged, shown_wrongly
from formula_eval.export.diagram.structure import structure_of
from formula_eval.export.document import Document, document_of
from formula_eval.export.formats import write_document
from formula_eval.export.html.page_layout import page_layout
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow

SHOWN = """
return JSON.stringify([...document.querySelectorAll(".structure .phase")].map((phase) => [
  phase.querySelector(".bar-head button").textContent,
  Object.fromEntries([...phase.querySelectorAll(".node:not(.idle)")].map((node) => [
    node.querySelector(".node-title").textContent,
    ["runs", "time", "bound", "amounts"].map((part) => node.querySelector(`.node-${part}`).textContent),
  ])),
]));
"""
DENSE, PARALLEL = {"model": "llama2-70b", "hardware": "h100-sxm"}, {"model": "falcon-40b", "hardware": "h100-sxm"}


@pytest.fixture(scope="module")
def browser(document: Document, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    folder = tmp_path_factory.mktemp("structure")
    (folder / "own" / "page").mkdir(parents=True)
    ours = document.evaluator.library.folders[0] / "reports" / "page" / "style.css"
    (folder / "own" / "page" / "style.css").write_text(f"{ours.read_text()}\n.brand {{ opacity: .5 }}\n")
    write_document(document, "html", folder / "page.html", templates=str(folder / "own"))
    with showing(folder / "page.html") as shown:
        yield shown


def engines(document: Document, records: dict[str, str], **values: object) -> list[list[object]]:
    """What the engine has to say of the same graph, in the words of the page."""
    asked = document_of(document.evaluator, Question(records, values), ["params.total"])
    structure = structure_of(asked)
    section = next(each for each in page_layout(document)["section"] if each["kind"] == "structure")
    words = {structure.layout.table["fixed_bound"]: section["fixed_word"]}
    words |= {node["bound"]: section["rest_word"] for node in structure.layout.nodes if "time" not in node}
    found: list[list[object]] = []
    for phase in structure.phases:
        nodes = {}
        for each in phase.operators.values():
            texts = [amount.text for amount in (each.flops, each.bytes) if amount.value > 0]
            runs = f"\N{MULTIPLICATION SIGN} {each.count:,.0f}" if each.count != 1 else ""
            amounts = " \N{MIDDLE DOT} ".join(texts) or each.sentence
            nodes[each.title] = [runs, each.time.text, words.get(each.bound, each.bound), amounts]
        found.append([phase.total.text, nodes])
    return found


def test_its_texts_are_the_engines_and_change_with_the_model(document: Document, page: Chrome) -> None:
    assert find(page, ".structure h2").text == "Structure"
    assert not logged(page)
    assert json.loads(page.execute_script(SHOWN)) == engines(document, DENSE, tp=8)
    choose(page, "model", "falcon-40b")
    assert json.loads(page.execute_script(SHOWN)) == engines(document, PARALLEL, tp=8)
    assert not shown_wrongly(page)


def test_it_follows_the_inputs(document: Document, browser: Chrome) -> None:
    go(browser, "#model=llama2-70b&hardware=h100-sxm&tp=8&batch=64")
    assert json.loads(browser.execute_script(SHOWN)) == engines(document, DENSE, tp=8, batch=64)
    find(browser, "#slide-tp").send_keys(Keys.HOME)
    shown = json.loads(browser.execute_script(SHOWN))
    assert shown == engines(document, DENSE, tp=1, batch=64)
    assert "communication" not in shown[0][1]


def test_what_no_record_leads_to_is_drawn_with_faint_nodes(document: Document, page: Chrome) -> None:
    mixed = {"experts": "8", "experts_per_token": "2", "parallel_block": "true"}
    go(page, "#model=llama2-70b&hardware=h100-sxm&tp=8&" + "&".join(f"{name}={each}" for name, each in mixed.items()))
    assert json.loads(page.execute_script(SHOWN)) == engines(document, DENSE, tp=8, **mixed)
    assert "does not run" in find(page, ".structure .node.idle").text
    go(page, "#model=llama2-70b&hardware=h100-sxm&tp=8")
    assert not page.find_elements(By.CSS_SELECTOR, ".structure .node.idle")


def test_a_node_tells_and_opens_the_derivation_of_its_time(page: Chrome) -> None:
    page.execute_script("document.querySelector('.structure .node[tabindex=\"0\"]').focus()")
    page.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
    node = page.switch_to.active_element
    label = node.get_attribute("aria-label") or ""
    assert label.startswith("qkv projection, ")
    assert "80 runs, waits for: compute" in label
    assert "One run: " in find(page, "#tip").text
    node.send_keys(Keys.ENTER)
    assert find(page, "#told-of .of").text == "operators.pass_operators.qkv_projection.time"
    assert find(page, "#told-of .chip").text == "with prefill"
    find(page, "#close").click()
    find(page, "#slide-batch").send_keys(Keys.ARROW_RIGHT)
    assert node.get_attribute("aria-label") != label


def test_it_scrolls_within_its_own_box_on_a_phone(page: Chrome) -> None:
    metrics = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)  # type: ignore[no-untyped-call]
    go(page, "#model=falcon-40b&hardware=h100-sxm&tp=8&batch=100000")
    assert page.execute_script("return document.documentElement.scrollWidth") == 390
    box = "const box = document.querySelector('.structure .scrolled'); return [box.scrollWidth, box.clientWidth]"
    inner, outer = page.execute_script(box)
    assert inner > outer
    prefill, decode = page.find_elements(By.CSS_SELECTOR, ".structure [role=tab]")
    prefill.send_keys(Keys.ARROW_RIGHT)
    assert decode.get_attribute("aria-selected") == "true"
    assert not find(page, "#structure-0").is_displayed()
    assert find(page, "#structure-1 .node").is_displayed()
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})  # type: ignore[no-untyped-call]
    go(page, "#model=llama2-70b&hardware=h100-sxm&tp=8")
    assert find(page, "#structure-0 .node").is_displayed()
    assert find(page, "#structure-1 .node").is_displayed()


def test_its_colours_are_the_pages_and_a_folder_of_templates_is_heeded(page: Chrome) -> None:
    of = "return getComputedStyle(document.querySelector(arguments[0])).getPropertyValue(arguments[1])"
    assert page.execute_script(of, ".brand", "opacity") == "0.5"
    before = page.execute_script(of, ".structure .node", "background-color")
    find(page, "#theme").click()
    assert page.execute_script(of, ".structure .node", "background-color") != before
    find(page, "#theme").click()
    waits, bar = (page.execute_script(of, f"{each} .is-2f7fc1", "--c") for each in (".structure", ".times"))
    assert waits == bar
