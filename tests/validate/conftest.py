"""A toy library whose predictions can be computed in the head, and points for it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from formula_eval.cache import Cache
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.library import Library

TOY = Path(__file__).parent / "toy"
UNITS = Path(__file__).parents[2] / "formulas" / "units.formula"


@pytest.fixture(scope="session")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Evaluator:
    folder = tmp_path_factory.mktemp("toy") / "library"
    shutil.copytree(TOY, folder)
    shutil.copy(UNITS, folder / "formulas")
    return Evaluator(Library((folder,)), Cache(None))


@pytest.fixture
def point() -> Callable[..., dict[str, Any]]:
    """A point as JSON holds it: two layers on one accelerator of kind one, 0.5 s each step."""

    def make(source: str = "Nobody", measured: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        inputs = {"model": {"depth": 2}, "gpu": "One 80GB", "micro_batch": 1, "tp": 1, **more}
        data = {"id": f"{source}-{len(more)}", "source": source, "kind": "training", "inputs": inputs}
        return {**data, "measured": measured or {"iteration_time_s": 8.0}, "core": source == "Nobody"}

    return make


@pytest.fixture
def written(tmp_path: Path) -> Callable[[Any], Path]:
    def write(data: Any) -> Path:
        (tmp_path / "measured.json").write_text(json.dumps(data), encoding="utf-8")
        return tmp_path

    return write
