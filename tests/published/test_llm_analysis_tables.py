"""The tables that llm-analysis prints about LLaMA: every cell to its last digit, or why today's tool gives another."""

import math
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question
from published.comparison import OURS

TABLES = sorted((OURS / "llm_analysis_llama").glob("*.toml"))


class Cell(NamedTuple):
    """One printed number: where it stands, its column, and all that is given."""

    place: str
    column: Mapping[str, Any]
    namespace: str
    givens: Mapping[str, Any]
    said: Mapping[str, Any]
    row: Mapping[str, Any]

    def value(self, evaluator: Evaluator, more: Mapping[str, Any]) -> float:
        """The number as our formulas give it, in the unit of the column."""
        given = {**self.givens, **more}
        records = {"hardware": given.pop("hardware")}
        question = Question(records, given, namespace=self.namespace)
        name = f"{self.namespace}.{self.column['quantity']}"
        found = evaluator.evaluate(evaluator.givens(question), [name], self.namespace).numbers[name]
        found /= self.column.get("unit", 1)
        if self.column.get("rounding") == "down":
            found = math.floor(found)
        return 100 * (found / self.row[self.column["against"]] - 1) if "against" in self.column else found


def cells(path: Path) -> Iterator[Cell]:
    """Every cell of a table."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    for row in table["rows"]:
        for name, column in table["columns"].items():
            said = row[name] if isinstance(row[name], Mapping) else {"printed": row[name]}
            parts = (table["givens"], row["givens"], column.get("givens", {}), said.get("givens", {}))
            givens = {key: value for part in parts for key, value in part.items()}
            yield Cell(f"{path.stem}: {row['name']}, {name}", column, table["namespace"], givens, said, row)


CELLS = [cell for path in TABLES for cell in cells(path)]


@pytest.mark.parametrize("cell", CELLS, ids=[cell.place for cell in CELLS])
def test_cell(cell: Cell, evaluator: Evaluator) -> None:
    printed = cell.said["printed"]
    today = cell.said.get("now", printed)
    assert is_printed(today, cell.value(evaluator, {}))
    if "now" in cell.said:
        assert cell.said["why"]
        assert not is_printed(printed, cell.value(evaluator, {}))
    if "printed_with" in cell.said:
        assert is_printed(printed, cell.value(evaluator, cell.said["printed_with"]))


def is_printed(text: str, value: float) -> bool:
    """Whether a number rounds to what is printed."""
    places = len(text.partition(".")[2])
    return abs(value - float(text.replace(",", ""))) <= 0.5 * 10**-places * (1 + 1e-9)
