"""A page to a headless Chromium that shows it: from the system's packages, without network."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    TimeoutException,
)
from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

_Found = TypeVar("_Found")
_PATIENCE = 30  # seconds, for a browser on a busy machine
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-ipc-flooding-protection",
    "--disable-extensions",
    "--disable-dev-shm-usage",
    "--force-prefers-reduced-motion",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)


def programs() -> tuple[str, str]:
    """Where Chromium and its driver are; skips the test without them, and in CI fails."""
    browser, driver = shutil.which("chromium") or shutil.which("chromium-browser"), shutil.which("chromedriver")
    if browser and driver:
        return browser, driver
    reason = "needs the packages chromium and chromium-driver"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def until(browser: Chrome, holds: Callable[[Chrome], _Found]) -> _Found:
    """What this gives once it is true, or an element that it finds."""
    return WebDriverWait(browser, _PATIENCE, poll_frequency=0.02).until(holds)


class PatientElement(WebElement):
    """An element that waits until it can be typed into and clicked: what was unfolded is shown a moment later."""

    def send_keys(self, *keys: Any) -> None:
        """Type, once it is there to be typed into."""
        self._once_ready(lambda: super(PatientElement, self).send_keys(*keys))

    def click(self) -> None:
        """Click, once nothing hides it."""
        self._once_ready(super().click)

    def _once_ready(self, act: Callable[[], None]) -> None:
        late = ElementNotInteractableException, ElementClickInterceptedException
        waiting = WebDriverWait(self.parent, _PATIENCE, poll_frequency=0.02, ignored_exceptions=late)
        waiting.until(lambda _: act() is None)


class PatientBrowser(Chrome):
    """A browser that waits until a page of ours has built itself, which it does once its data are unpacked."""

    _BUILT = """
    const built = window.formulaEval || window.formulaEvalPlan;
    return document.readyState === "complete" && Boolean(built || !document.getElementById("data"));
    """

    def get(self, url: str) -> None:
        """Show what is there."""
        super().get(url)
        self._once_built()

    def refresh(self) -> None:
        """Show it anew."""
        super().refresh()
        self._once_built()

    def _once_built(self) -> None:
        with suppress(TimeoutException):
            WebDriverWait(self, _PATIENCE, poll_frequency=0.02).until(lambda _: self.execute_script(self._BUILT))


@contextmanager
def chromium(profile: Path, width: int = 1280, height: int = 900) -> Iterator[Chrome]:
    """A browser with a new, empty profile in this folder."""
    browser, driver = programs()
    options = Options()
    options.binary_location = browser
    for flag in (*_FLAGS, f"--user-data-dir={profile}", f"--window-size={width},{height}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.add_experimental_option("prefs", {"download.default_directory": str(profile / "downloads")})
    Chrome._web_element_cls = PatientElement  # noqa: SLF001 - Selenium's way to say so
    shown = PatientBrowser(options=options, service=Service(driver, log_output=os.devnull))
    shown.set_script_timeout(300)
    try:
        yield shown
    finally:
        shown.quit()


@contextmanager
def showing(file: Path) -> Iterator[Chrome]:
    """A browser that shows this page."""
    with chromium(file.parent / "profile") as shown:
        shown.get(file.as_uri())
        yield shown
