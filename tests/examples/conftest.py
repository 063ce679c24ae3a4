"""What the tests of the libraries share: a module names its own in `LIBRARY`."""

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
