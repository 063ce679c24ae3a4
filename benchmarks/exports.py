"""Time and size of each document of the whole library, and how long LibreOffice takes with the workbook."""

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


if __name__ == "__main__":
    main()
