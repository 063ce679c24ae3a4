"""What several folders of tests share."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from export.office import Office, office_in
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


@pytest.fixture(scope="session")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """LibreOffice, which holds one workbook open at a time."""
    with office_in(tmp_path_factory.mktemp("office")) as started:
        yield started
