"""The command as a function: arguments to exit code and output."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from formula_eval.cli import main


class Run(NamedTuple):
    code: int
    out: str
    err: str


Command = Callable[..., Run]


@pytest.fixture(scope="session")
def cache(kept: Path) -> str:
    return str(kept)


@pytest.fixture
def run(cache: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    monkeypatch.setenv("FORMULA_EVAL_CACHE", cache)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("FORMULA_EVAL_LIBRARY", raising=False)

    def command(*arguments: str) -> Run:
        code = main(arguments)
        return Run(code, *capsys.readouterr())

    return command
