"""The Python interface: load the formulas once, ask as often as you like."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.cache import Cache
from formula_eval.evaluate.cache import cache_directory
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.givens import RECORDS
from formula_eval.evaluate.givens import Question
from formula_eval.evaluate.result import Result
from formula_eval.evaluate.result import Value
from formula_eval.library import find_library

__all__ = ["FormulaError", "Formulas", "Result", "Value", "load"]


class Formulas:
    """All formulas of a library, ready to answer."""

    def __init__(self, evaluator: Evaluator) -> None:
        """Answer with this evaluator; `load` makes one."""
        self.evaluator = evaluator

    def evaluate(self, *, only: Sequence[str] = ("*",), inputs: str | Path = "", namespace: str = "", **given: Any) -> Result:  # noqa: ANN401 - any input
        """The quantities that `only` names, for a model, hardware and input values.

        Args:
            only: names or globs of quantities, such as `params.total` or `memory.*`.
            inputs: a scenario file.
            namespace: where bare names are looked up and whose presets hold; our own model by default.
            given: `model="llama2-70b"`, `hardware="h100-sxm"` and any input by name; numbers are in base units
                (byte, FLOP, s, USD) or text with a unit (`memory_bandwidth="2.5 TB/s"`).

        Raises:
            FormulaError: for anything unknown, misspelt, out of range or not computable.

        """
        records = {name: str(given.pop(name)) for name in RECORDS if name in given}
        question = Question(records, _texts(given), str(inputs), namespace, origin="argument")
        wanted = self.evaluator.select(only, namespace)
        return self.evaluator.evaluate(self.evaluator.givens(question), wanted, namespace)

    def __repr__(self) -> str:
        """How much is in it."""
        schema = self.evaluator.schema
        return f"<{len(schema.formulas)} quantities of {len(schema.inputs)} inputs>"


def _texts(given: dict[str, Any]) -> dict[str, Any]:
    """Numbers as they are; a bare number for a quantity with a unit is in base units."""
    return given


def load(*library: str | Path, cache: bool = True) -> Formulas:
    """The formulas of the project and of further library folders.

    Raises:
        FormulaError: if a folder is none, or the formulas in it do not hold together.

    """
    return Formulas(Evaluator(find_library(library), Cache(cache_directory() if cache else None)))
