"""What the tests of the libraries share: a module names its own in `LIBRARY`."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from formula_eval import Formulas, load
from formula_eval.cli import main
from formula_eval.evaluate.evaluator import Evaluator

ROOT = Path(__file__).resolve().parents[2]
Asked = Callable[[str], tuple[int, str, str]]


@pytest.fixture(scope="module")
def library(request: pytest.FixtureRequest) -> Formulas:
    """The library of the module."""
    return load(request.module.LIBRARY)


@pytest.fixture(scope="module")
def evaluator(library: Formulas) -> Evaluator:
    """What computes it."""
    return library.evaluator


@pytest.fixture
def asked(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Asked:
    """The command in the root of the project, with the library of the module: exit code, output, errors."""
    monkeypatch.chdir(ROOT)
    folder = str(request.module.LIBRARY.relative_to(ROOT))
    return lambda given: (main([*given.split(), "--library", folder]), *capsys.readouterr())


@pytest.fixture
def screen(request: pytest.FixtureRequest, asked: Asked, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int], str]:
    """The answer to one of the module's `QUESTIONS`, as it is kept and no wider than so many columns.

    `UPDATE_GOLDEN=1 pytest tests/examples` writes the files anew; read the difference.
    """

    def answer(name: str, columns: int) -> str:
        monkeypatch.setenv("COLUMNS", str(columns))
        code, out, err = asked(request.module.QUESTIONS[name])
        assert (code, err) == (0, "")
        assert max(len(line) for line in out.splitlines()) <= columns
        path = Path(__file__).parent / request.module.LIBRARY.name / f"{name}.{columns}.txt"
        if os.environ.get("UPDATE_GOLDEN"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(out, encoding="utf-8")
        assert out == path.read_text(encoding="utf-8")
        return out

    return answer


@pytest.fixture
def refused(asked: Asked) -> Callable[[str], str]:
    """Why a question is refused, in one line."""

    def message(given: str) -> str:
        code, out, err = asked(given)
        assert (code, out) == (2, "")
        return " ".join(err.split())

    return message
