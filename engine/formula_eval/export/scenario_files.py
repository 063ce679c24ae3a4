"""A scenario file to what it states, where it is no TOML; TOML is read with the givens."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator

_WORKBOOKS = frozenset({".xlsx", ".xlsm"})


def stated_in(scenario: str, evaluator: Evaluator) -> Mapping[str, Any] | None:
    """What an edited workbook states, nothing for any other file; raises FormulaError."""
    if Path(scenario).suffix.lower() not in _WORKBOOKS:
        return None
    try:
        from formula_eval.export.workbook.read_back import read_inputs  # noqa: PLC0415 - an optional extra
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("formula_eval"):
            raise
        help_ = f"`pip install {error.name}` brings it; a .toml file needs nothing."
        message = f"To read `{scenario}` the Python package `{error.name}` is needed, which is not installed"
        raise refuse("missing-package", message, help=help_) from error
    return read_inputs(scenario, evaluator.schema, evaluator.library)
