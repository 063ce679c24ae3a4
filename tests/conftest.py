"""What several folders of tests share."""

import pytest

from formula_eval import Formulas
from formula_eval import load


@pytest.fixture(scope="session")
def formulas(tmp_path_factory: pytest.TempPathFactory) -> Formulas:
    """Our own library, with a cache of the session's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FORMULA_EVAL_CACHE", str(tmp_path_factory.mktemp("formulas")))
        patch.delenv("FORMULA_EVAL_LIBRARY", raising=False)
        return load()
