"""What each shipped library on top of ours adds, under scenarios of its own: names to values that give each back."""

import tomllib
from pathlib import Path
from typing import Any

from formula_eval import load
from formula_eval.evaluate.evaluator import Evaluator
from golden import numbers

FOLDER = numbers.HERE / "libraries"


def scenarios(library: str) -> dict[str, dict[str, Any]]:
    """The scenarios of a library by name, as they stand in its file."""
    return tomllib.loads((FOLDER / f"{library}.toml").read_text(encoding="utf-8"))


def own_formulas(evaluator: Evaluator) -> list[str]:
    """Every formula and cell that is none of ours."""
    ours = load().evaluator.graph.nodes
    return [name for name in numbers.formulas_of(evaluator) if name not in ours]


def computed(library: str) -> numbers.Table:
    """The table of a library: all that it adds to ours, what it adds to a formula of ours among it."""
    evaluator = load(library).evaluator
    names = own_formulas(evaluator)
    table: numbers.Table = {name: {} for name in names}
    for scenario, stated in scenarios(library).items():
        found = evaluator.program(names).evaluate(evaluator.givens(numbers.question("", stated)).values)
        for name in names:
            table[name][scenario] = numbers.spelled(name, found[name], evaluator)
    return table


def file_of(library: str) -> Path:
    """Where the table of a library is kept."""
    return FOLDER / f"{library}.csv"
