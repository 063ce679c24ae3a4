"""The command as a function: arguments to exit code and output."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from formula_eval.cli import main


class Run(NamedTuple):
    code: int
    out: str
    err: str


Command = Callable[..., Run]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    monkeypatch.setenv("COLUMNS", "80")

    def command(*arguments: str) -> Run:
        code = main(arguments)
        return Run(code, *capsys.readouterr())

    return command
