"""A static site as a visitor sees it: files without a network, linked pages, a scenario in their address."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from export.browser import chromium, until
from export.pages import find, logged, value
from export.test_page_presets import TRAINING
from formula_eval.cli import main

pytestmark = pytest.mark.slow

MOST = 5_000_000  # bytes of the page that a visitor sees first, and all that it loads
MOST_OF_ANY = 8_000_000
OTHERS = {  # pages of other libraries, by a title that only each of them has
    "vision.html": "Image tokens",
    "speech.html": "Time to transcribe",
    "diffusion.html": "Time of an image or video",
    "embedding.html": "Time of the corpus",
    "reinforcement.html": "",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("static") / "site"
    assert main(["export", "site", "-o", str(made)]) == 0
    return made


@pytest.fixture(scope="module")
def visitor(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Chrome, str]]:
    with chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser, folder.as_uri()


def test_each_page_is_small_enough_and_holds_every_model(folder: Path) -> None:
    assert {each.name for each in folder.iterdir()} == {"index.html", "training.html", *OTHERS}
    assert (folder / "index.html").stat().st_size < MOST
    assert all(each.stat().st_size < MOST_OF_ANY for each in folder.iterdir())


@pytest.mark.parametrize("file", OTHERS)
def test_other_libraries_are_one_link_away_and_keep_the_accelerator_alone(
    file: str, visitor: tuple[Chrome, str]
) -> None:
    browser, address = visitor
    browser.get(f"{address}/index.html#model=qwen3-8b&hardware=a100-sxm-80gb")
    browser.find_element(By.CSS_SELECTOR, f'#pages a[href^="{file}"]').click()
    until(browser, lambda shown: file in shown.current_url)
    assert "NVIDIA A100" in find(browser, "#verdict").text
    assert "Qwen3" not in find(browser, "#verdict").text
    assert not find(browser, "#notices").text
    titles = [each.text for each in browser.find_elements(By.CSS_SELECTOR, ".card .title")]
    assert not OTHERS[file] or OTHERS[file] in titles
    assert not logged(browser)


def test_on_a_phone_the_answer_stands_before_the_inputs(visitor: tuple[Chrome, str]) -> None:
    browser, address = visitor
    size = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        for file in ("index.html", *OTHERS):
            browser.get(f"{address}/{file}")
            cards = [each for each in browser.find_elements(By.CSS_SELECTOR, ".card") if each.is_displayed()]
            tops = [each.rect["y"] for each in (find(browser, "#verdict"), cards[0], find(browser, "form.controls"))]
            assert tops == sorted(tops), file
            assert browser.execute_script("return document.documentElement.scrollWidth") <= 390, file
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_visitor_goes_from_one_page_to_the_other_with_model_and_accelerator(visitor: tuple[Chrome, str]) -> None:
    browser, address = visitor
    browser.get(f"{address}/index.html#model=qwen3-8b&hardware=a100-sxm-80gb&concurrency=16")
    assert value(browser, "inference.running") == 16
    browser.find_element(By.CSS_SELECTOR, '#pages a[href^="training"]').click()
    until(browser, lambda shown: "training.html" in shown.current_url)
    assert "Qwen3 8B on NVIDIA A100" in find(browser, "#verdict").text
    assert value(browser, "training.job_gpus") == 64
    browser.find_element(By.CSS_SELECTOR, '#pages a[href^="index"]').click()
    until(browser, lambda shown: "index.html" in shown.current_url)
    assert "Qwen3 8B on NVIDIA A100" in find(browser, "#verdict").text
    assert not logged(browser)


@pytest.mark.parametrize("file", ["index.html", "training.html", "vision.html"])
def test_a_sweep_begins_along_what_moves_it(file: str, visitor: tuple[Chrome, str]) -> None:
    browser, address = visitor
    browser.get(f"{address}/{file}")
    until(
        browser,
        lambda shown: shown.execute_script(
            "const { done, points } = formulaEval.sweep(); return done && points.length"
        ),
    )
    assert browser.execute_script("return new Set(formulaEval.sweep().points.map((point) => point.value)).size") > 1


def test_the_first_numbers_are_there_before_the_charts(visitor: tuple[Chrome, str]) -> None:
    browser, address = visitor
    watched = """
    addEventListener("DOMContentLoaded", () => {
      const many = (part) => document.querySelectorAll(part).length;
      window.atFirst = { cards: many(".card .big"), panels: many(".panel") };
    });
    """
    added = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": watched})
    try:
        browser.get(f"{address}/index.html")
        first = browser.execute_script("return atFirst")
        assert first["cards"]
        assert not first["panels"]
        assert browser.find_elements(By.CSS_SELECTOR, ".panel")
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def test_each_page_begins_with_what_fits(visitor: tuple[Chrome, str]) -> None:
    browser, address = visitor
    for file in ("index.html", "training.html", "training.html#model=llama3.1-70b&gpus=64&zero_stage=3&recompute=full"):
        browser.get("about:blank")
        browser.get(f"{address}/{file}")
        assert "Fits:" in find(browser, "#verdict").text, file
    assert not logged(browser)


def test_a_model_that_only_reads_has_no_output_token(visitor: tuple[Chrome, str]) -> None:
    browser, address = visitor
    browser.get(f"{address}/index.html#model=bge-m3&hardware=l4")
    titles = [each.text for each in browser.find_elements(By.CSS_SELECTOR, ".card .title") if each.is_displayed()]
    assert {"Time to read an input", "Inputs", "Tokens read"} <= set(titles)
    assert not {"Time to first token", "Time per output token", "Throughput", "1M output tokens"} & set(titles)


def test_a_batch_job_is_counted_as_the_command_counts_it(
    visitor: tuple[Chrome, str], capsys: pytest.CaptureFixture[str]
) -> None:
    browser, address = visitor
    browser.get(f"{address}/index.html#model=llama3.1-8b&hardware=h100-sxm&job_requests=1e6&deadline=12 hour")
    names = ["inference.job_gpus", "inference.job_finish_time", "inference.job_cost"]
    asked = ["--model", "llama3.1-8b", "--gpu", "h100-sxm", "--job-requests", "1e6", "--deadline", "12 hour"]
    assert main([*asked, "--only", ",".join(names), "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)["values"]
    assert [value(browser, each) for each in names] == [pytest.approx(told[each]["value"]) for each in names]


def test_a_value_of_a_link_that_cannot_be_read_is_told_at_the_top(visitor: tuple[Chrome, str]) -> None:
    browser, address = visitor
    browser.get(f"{address}/index.html#model=llama3.1-8b&hardware=h100-sxm&request_rate=5")
    assert "request_rate = 5 lacks its unit" in find(browser, "#notices").text


@pytest.mark.parametrize("preset", TRAINING, ids=[each["title"] for each in TRAINING])
def test_a_run_to_start_from_fits(preset: dict[str, str], visitor: tuple[Chrome, str]) -> None:
    browser, address = visitor
    browser.get(f"{address}/training.html")
    buttons = browser.find_elements(By.CSS_SELECTOR, "#presets button")
    assert [each.text for each in buttons] == [each["title"] for each in TRAINING]
    next(each for each in buttons if each.text == preset["title"]).click()
    assert "Fits:" in find(browser, "#verdict").text


def test_a_question_begins_the_site(tmp_path: Path) -> None:
    """A site of one page, as a library of the user's own lays it out."""
    (tmp_path / "own" / "reports").mkdir(parents=True)
    layout = (
        '[[page]]\nfile = "index.html"\ntitle = "Ours"\npurpose = "serving"\nrecords = { model = "llama3.1-70b" }\n'
    )
    (tmp_path / "own" / "reports" / "site.toml").write_text(layout)
    asked = ["--model", "gpt2", "--gpu", "l4", "--only", "params.total", "--library", str(tmp_path / "own")]
    assert main(["export", "site", *asked, "-o", str(tmp_path / "site")]) == 0
    assert [each.name for each in (tmp_path / "site").iterdir()] == ["index.html"]
    assert '"start":{"records":{"model":"gpt2","hardware":"l4"}' in (tmp_path / "site/index.html").read_text()


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    assert main(["export", "site", "--only", "params.total", "-o", str(tmp_path)]) == 2
    assert "holds other files, such as `notes.txt`" in capsys.readouterr().err
    assert [each.name for each in tmp_path.iterdir()] == ["notes.txt"]


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "site").write_text("mine")
    assert main(["export", "site", "--only", "params.total", "-o", str(tmp_path / "site"), "--force"]) == 2
    assert (tmp_path / "site").read_text() == "mine"
