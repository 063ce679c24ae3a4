"""What several folders of tests share."""

import os
from pathlib import Path

import pytest

from formula_eval import Formulas, load


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of this run's own, which all its processes share: the graph is built once."""
    base = tmp_path_factory.getbasetemp()
    place = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "formulas"
    place.mkdir(mode=0o700, exist_ok=True)
    return place


@pytest.fixture(scope="session")
def formulas(kept: Path) -> Formulas:
    """Our own library."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FORMULA_EVAL_CACHE", str(kept))
        patch.delenv("FORMULA_EVAL_LIBRARY", raising=False)
        return load()
