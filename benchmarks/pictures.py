"""The pictures of page and workbook that the README shows, in docs/pictures.

make pictures    # with Chromium, LibreOffice and pdftoppm
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
QUESTION = ("--model=llama3.1-70b", "--tp=8", "--number-format=fp8", "--batch=32", "--prompt=2000", "--generated=500")
CHROMIUM = ("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars")
# The printed page of the workbook that shows its results.
RESULTS = {"PageRange": {"type": "string", "value": "2"}}


def main() -> None:
    """Export both documents, and take a picture of each."""
    missing = [each for each in ("chromium", "soffice", "pdftoppm") if shutil.which(each) is None]
    if missing:
        sys.exit(f"Not installed: {', '.join(missing)}")
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        page, workbook = folder / "page.html", folder / "workbook.xlsx"
        _export("html", page)
        target = ("--window-size=1280,960", f"--screenshot={PICTURES / 'page.png'}", f"file://{page}")
        _run(*CHROMIUM, "--virtual-time-budget=8000", *target)
        _export("excel", workbook)
        profile = f"-env:UserInstallation=file://{folder / 'profile'}"
        printed = ("--convert-to", f"pdf:calc_pdf_Export:{json.dumps(RESULTS)}", "--outdir", folder)
        _run("soffice", profile, "--headless", *printed, workbook)
        _run("pdftoppm", "-r", "80", "-png", "-singlefile", folder / "workbook.pdf", PICTURES / "workbook")


def _export(form: str, path: Path) -> None:
    _run(sys.executable, "-m", "formula_eval", "export", form, *QUESTION, "-o", path)


def _run(*command: str | Path) -> None:
    done = subprocess.run([str(each) for each in command], check=False, timeout=300, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)


if __name__ == "__main__":
    main()
