"""A page to a headless Chromium that shows it: from the system's packages, without network."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
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
    shown = Chrome(options=options, service=Service(driver, log_output=os.devnull))
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
