"""Time and size of each document of the whole library, and how long LibreOffice and Chromium take with them."""

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 3
FORMATS = {
    "excel": "xlsx",
    "html": "html",
    "latex": "tex",
    "markdown": "md",
    "python": "py",
    "json": "json",
    "graph": "svg",
}


def seconds(command: list[str], folder: Path) -> float:
    """The median time of a few runs."""
    taken = []
    for _ in range(RUNS):
        start = time.perf_counter()
        subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def page_times(page: Path, folder: Path) -> tuple[float, float]:
    """Milliseconds until a page shows its first number, and of one change of it; medians of a few runs."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
    from export.browser import showing  # noqa: PLC0415 - the browser of the tests

    shutil.copy(page, folder / "shown.html")
    first, changes = [], []
    for _ in range(RUNS):
        with showing(folder / "shown.html") as browser:
            script = "return performance.getEntriesByName('first-number')[0].startTime"
            first.append(browser.execute_script(script))
            for _ in range(RUNS):
                browser.execute_script("dispatchEvent(new PopStateEvent('popstate'))")
                changes.append(browser.execute_script("return formulaEval.took().compute"))
    return statistics.median(first), statistics.median(changes)


def main() -> None:
    """Measure and print."""
    asked = ["--model", "llama2-70b", "--tp", "8", "--only", "*", "--force"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for form, ending in FORMATS.items():
            target = folder / f"document.{ending}"
            command = [sys.executable, "-m", "formula_eval", "export", form, *asked, "-o", str(target)]
            print(f"{form:9} {seconds(command, folder):6.2f} s {target.stat().st_size / 1000:7.0f} kB")
        if shutil.which("soffice"):
            profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
            command = ["soffice", "--headless", profile, "--convert-to", "ods", "document.xlsx"]
            print(f"LibreOffice starts, opens the workbook and saves it: {seconds(command, folder):.2f} s")
        if shutil.which("chromium"):
            first, change = page_times(folder / "document.html", folder)
            print(
                f"Chromium shows the page's first number after {first:.0f} ms, and computes a change in {change:.0f} ms"
            )


if __name__ == "__main__":
    main()
