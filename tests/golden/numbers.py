"""Scenarios to the value of every formula under them, as text that gives each number back to the last bit."""

import csv
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from formula_eval.core.type import Record
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question

HERE = Path(__file__).parent
NUMBERS = HERE / "numbers.csv"
TOOLS = "published."
NOTHING = {"", "0.0", "-0.0", "inf", "-inf", "false"}

Table = dict[str, dict[str, str]]  # formula to scenario to value


def scenarios() -> dict[str, dict[str, Any]]:
    """The scenarios by name, as they stand in the file."""
    return tomllib.loads((HERE / "scenarios.toml").read_text(encoding="utf-8"))


def formulas_of(evaluator: Evaluator) -> dict[str, str]:
    """Every formula, and every cell that no record fills, with its namespace: a tool's own, or none."""
    graph, found = evaluator.graph, {}
    filled = tuple(f"{table}." for table, shape in graph.tables.items() if shape.supplier)
    for name, node in graph.nodes.items():
        asked = node.kind in ("formula", "cell") and not node.original and not isinstance(node.type, Record)
        if asked and not name.startswith(filled):
            found[name] = ".".join(name.split(".")[:2]) if name.startswith(TOOLS) else ""
    return found


def question(namespace: str, stated: Mapping[str, Any]) -> Question:
    """What a scenario asks."""
    return Question(scenario="scenarios.toml", namespace=namespace, stated=stated)


def values(evaluator: Evaluator, namespace: str, stated: Mapping[str, Any]) -> dict[str, float]:
    """All formulas of a namespace under what a scenario states."""
    names = [name for name, own in formulas_of(evaluator).items() if own == namespace]
    givens = evaluator.givens(question(namespace, stated))
    found = evaluator.program(names).evaluate(givens.values)
    return {name: found[name] for name in names}


def computed(evaluator: Evaluator) -> Table:
    """The whole table."""
    table: Table = {name: {} for name in formulas_of(evaluator)}
    for scenario, stated in scenarios().items():
        rest = dict(stated)
        for name, value in values(evaluator, rest.pop("namespace", ""), rest).items():
            table[name][scenario] = spelled(name, value, evaluator)
    return table


def defaults(evaluator: Evaluator) -> dict[str, str]:
    """What every formula is where no more is said than must be: no model, the accelerator asked about by default."""
    found = {}
    for namespace in dict.fromkeys(formulas_of(evaluator).values()):
        for name, value in values(evaluator, namespace, {"phase": "decode"}).items():
            found[name] = spelled(name, value, evaluator)
    return found


def spelled(name: str, value: float, evaluator: Evaluator) -> str:
    """A number so that it can be read back exactly, a word, `true` or `false`; nothing for an absent value."""
    if value != value:  # noqa: PLR0124 - nan alone differs from itself
        return ""
    quantity = evaluator.schema.quantity(name)
    if quantity.words:
        return quantity.words[int(value)]
    return str(bool(value)).lower() if quantity.kind == "flag" else repr(float(value))


def is_telling(value: str, default: str) -> bool:
    """Whether a value could show a mistake: it is not the default, and not one of both is a number and no nothing."""
    return value != default and not {value, default} <= NOTHING


def read(path: Path = NUMBERS) -> Table:
    """The table as it was written last."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        _, *columns = next(rows)
        return {name: dict(zip(columns, cells, strict=True)) for name, *cells in rows}


def write(table: Table, path: Path = NUMBERS) -> None:
    """Keep a table: a row for each formula, a column for each scenario, empty where the formula is not asked."""
    columns = list(dict.fromkeys(scenario for cells in table.values() for scenario in cells))
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(("formula", *columns))
        rows.writerows((name, *(cells.get(column, "") for column in columns)) for name, cells in sorted(table.items()))


def moved(before: Table, after: Table) -> Iterator[str]:
    """What differs, one line for each number: `formula, scenario: before -> after`."""
    for name in sorted({*before, *after}):
        old, new = before.get(name), after.get(name)
        if old is None or new is None:
            yield f"{name}: {'new' if old is None else 'gone'}"
            continue
        for scenario in dict.fromkeys((*old, *new)):
            was, now = old.get(scenario, ""), new.get(scenario, "")
            if was != now:
                yield f"{name}, {scenario}: {was or 'absent'} -> {now or 'absent'}"
