"""No page is wider than its window, as it opens and after the window shrank."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from export.pages import logged
from export.papers import TRAINING_JOB, evaluator, usual
from formula_eval.export.document import document_of
from formula_eval.export.html.page import write_page
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow


def resized(page: Chrome, width: int) -> int:
    """How wide the document is in a window so wide, before anything is drawn anew."""
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)  # type: ignore[no-untyped-call]
    return int(page.execute_script("return document.documentElement.scrollWidth"))


@pytest.fixture
def window(page: Chrome) -> Iterator[Chrome]:
    """The page, whose window is as it was afterwards, and whose drawings stay as they are drawn first."""
    still = {"source": "window.ResizeObserver = class { observe() {} };"}
    script = page.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", still)  # type: ignore[no-untyped-call]
    here = page.current_url
    yield page
    page.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)  # type: ignore[no-untyped-call]
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})  # type: ignore[no-untyped-call]
    page.get(here)


@pytest.fixture(scope="module")
def training_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    job = Question({"model": "llama3.1-405b"}, TRAINING_JOB, purpose="training")
    file = tmp_path_factory.mktemp("training") / "page.html"
    write_page(document_of(evaluator(), job, evaluator().select(usual(training=True, form="html"))), file)
    return file


@pytest.mark.parametrize("width", [320, 390, 820, 1280])
def test_nothing_is_wider_than_the_window(window: Chrome, training_page: Path, width: int) -> None:
    address = window.current_url.partition("#")[0]
    for page in f"{address}#model=llama3.1-405b&hardware=h100-sxm&batch=100000&prompt=9999", training_page.as_uri():
        resized(window, width)
        window.get("about:blank")
        window.get(page)
        assert resized(window, width) <= width
        assert not logged(window)


@pytest.mark.parametrize("width", [320, 390, 820])
def test_nothing_is_wider_than_a_window_that_shrank(window: Chrome, training_page: Path, width: int) -> None:
    for page in window.current_url, training_page.as_uri():
        resized(window, 1200)
        window.get("about:blank")
        window.get(page)
        assert resized(window, width) <= width
