"""The command that a verb prints, run again, gives the same head."""

import re
import shlex
import tomllib
import zipfile
from html import unescape
from pathlib import Path

import pytest

DATA = tomllib.loads(Path(__file__).with_name("commands_again.toml").read_text(encoding="utf-8"))


def value(text: str, title: str) -> str:
    """What stands beside a title: the first number with its unit."""
    found = re.search(rf"(?:^|  ){re.escape(title)} {{2,}}([\d.,]+(?:%| [A-Za-z]\S*))", text, re.MULTILINE)
    assert found, f"no {title} in {text}"
    return found[1]


def command(text: str) -> list[str]:
    """The command at the end, whose further lines are indented, without the program's name."""
    *_, last = re.findall(r"^Command  (.*(?:\n {9}.*)*)", text, re.MULTILINE)
    program, *words = shlex.split(" ".join(last.replace("\\\n", " ").split()))
    assert program == "formula-eval"
    return words


@pytest.mark.slow
@pytest.mark.parametrize("row", DATA["question"], ids=lambda row: row["line"])
def test_the_command_gives_the_same_head(row, run):
    code, text, _ = run(*shlex.split(row["line"]))
    assert code == 0
    again = run(*command(text))
    assert again.code == 0, again.err
    for title in row["head"]:
        assert value(again.out, row.get("also", {}).get(title, title)) == value(text, title)


def texts(file: Path) -> list[str]:
    """The text of a document: its lines, or all texts within the parts of a workbook."""
    if file.suffix != ".xlsx":
        return file.read_text(encoding="utf-8").replace(r"\allowbreak{}", "").splitlines()
    with zipfile.ZipFile(file) as packed:
        parts = [packed.read(name).decode() for name in packed.namelist() if name.endswith(".xml")]
    return [unescape(text) for part in parts for text in re.split("<[^>]*>", part) if text]


@pytest.mark.slow
@pytest.mark.parametrize("row", DATA["document"], ids=lambda row: row["line"])
def test_the_command_writes_the_same_document(row, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = shlex.split(row["line"])
    assert run(*words).code == 0
    file = Path(words[-1])
    first = texts(file)
    found = next(
        re.search(r"formula-eval export .*" + re.escape(file.name), each)
        for each in first
        if "formula-eval export" in each
    )
    file.unlink()
    assert run(*shlex.split(found[0])[1:]).code == 0
    assert texts(file) == first
