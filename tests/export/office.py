"""A LibreOffice that recalculates workbooks for the tests: one process for all of them."""

import json
import os
import shutil
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
SYSTEM_PYTHON = "/usr/bin/python3"
# Without it LibreOffice believes the numbers that a file brings along; with it, it computes them all.
ALWAYS = """\
<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop>
</item>
</oor:items>
"""


class Office:
    """Opens one workbook at a time; rows and columns count from 0."""

    def __init__(self, bridge: "subprocess.Popen[str]") -> None:
        self._bridge = bridge

    def ask(self, *question: Any) -> Any:
        assert self._bridge.stdin is not None
        assert self._bridge.stdout is not None
        self._bridge.stdin.write(json.dumps(question) + "\n")
        self._bridge.stdin.flush()
        answer = self._bridge.stdout.readline()
        assert answer, "LibreOffice went away"
        return json.loads(answer)

    def open(self, path: Path) -> None:
        assert self.ask("open", str(path)), f"{path} could not be opened"

    def read(self, sheet: str) -> list[list[Any]]:
        rows: list[list[Any]] = self.ask("read", sheet)
        return rows


@contextmanager
def office_in(folder: Path) -> Iterator[Office]:
    """Start LibreOffice with a profile of its own in this folder, and the bridge to it."""
    soffice = shutil.which("soffice") or shutil.which("libreoffice")
    bridged = (
        Path(SYSTEM_PYTHON).exists()
        and subprocess.run([SYSTEM_PYTHON, "-c", "import uno"], check=False, capture_output=True).returncode == 0
    )
    if soffice is None or not bridged:
        missing = "LibreOffice with its Python bridge: apt-get install libreoffice-calc-nogui python3-uno"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    user = folder / "profile" / "user"
    user.mkdir(parents=True)
    (user / "registrymodifications.xcu").write_text(ALWAYS, encoding="utf-8")
    pipe = f"formula_eval_{uuid.uuid4().hex}"
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    accept = f"--accept=pipe,name={pipe};urp;"
    quiet = ["--headless", "--invisible", "--norestore", "--nologo", "--nodefault"]
    program = subprocess.Popen([soffice, profile, accept, *quiet], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    bridge = subprocess.Popen(
        [SYSTEM_PYTHON, str(HERE / "calculator.py"), pipe],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    try:
        yield Office(bridge)
    finally:
        bridge.communicate('["quit"]\n', timeout=60)
        try:
            program.wait(timeout=30)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()
