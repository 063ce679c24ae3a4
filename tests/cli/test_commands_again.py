"""The command that a verb prints, run again, gives the same head."""

import re
import shlex
import tomllib
from pathlib import Path

import pytest

QUESTIONS = tomllib.loads(Path(__file__).with_name("commands_again.toml").read_text(encoding="utf-8"))["question"]


def value(text: str, title: str) -> str:
    """What stands beside a title: the first number with its unit."""
    found = re.search(rf"(?:^|  ){re.escape(title)} {{2,}}([\d.,]+(?:%| [A-Za-z]\S*))", text, re.MULTILINE)
    assert found, f"no {title} in {text}"
    return found[1]


def command(text: str) -> list[str]:
    """The command at the end, whose further lines are indented, without the program's name."""
    *_, last = re.findall(r"^Command  (.*(?:\n {9}.*)*)", text, re.MULTILINE)
    program, *words = shlex.split(" ".join(last.split()))
    assert program == "formula-eval"
    return words


@pytest.mark.slow
@pytest.mark.parametrize("row", QUESTIONS, ids=lambda row: row["line"])
def test_the_command_gives_the_same_head(row, run):
    code, text, _ = run(*row["line"].split())
    assert code == 0
    again = run(*command(text))
    assert again.code == 0, again.err
    for title in row["head"]:
        assert value(again.out, row.get("also", {}).get(title, title)) == value(text, title)
