"""What the tests of the libraries share: a module names its own in `LIBRARY`."""

from collections.abc import Callable
from pathlib import Path

import pytest

from formula_eval import Formulas, load
from formula_eval.cache import Cache
from formula_eval.cli import main
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.library import find_library

ROOT = Path(__file__).resolve().parents[2]
Asked = Callable[[str], tuple[int, str, str]]


@pytest.fixture(scope="module")
def library(request: pytest.FixtureRequest, kept: Path) -> Formulas:
    """The library of the module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FORMULA_EVAL_CACHE", str(kept))
        return load(request.module.LIBRARY)


@pytest.fixture(scope="module")
def evaluator(request: pytest.FixtureRequest) -> Evaluator:
    """What computes it."""
    return Evaluator(find_library([request.module.LIBRARY]), Cache(None))


@pytest.fixture
def asked(
    request: pytest.FixtureRequest, kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Asked:
    """The command in the root of the project, with the library of the module: exit code, output, errors."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("FORMULA_EVAL_CACHE", str(kept))
    monkeypatch.delenv("FORMULA_EVAL_LIBRARY", raising=False)
    folder = str(request.module.LIBRARY.relative_to(ROOT))
    return lambda given: (main([*given.split(), "--library", folder]), *capsys.readouterr())
