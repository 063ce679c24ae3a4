"""Builds a data table: figures of an answer at several values of one of its inputs."""

import math
from collections.abc import Iterator, Mapping

from formula_eval.analyse.alternatives import Neighbours
from formula_eval.ask.layout import Section
from formula_eval.evaluate.display import plain_number, shown_value
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result
from formula_eval.export.terminal import blocks

_WELL_BELOW = 0.75


def data_table(section: Section, result: Result, evaluator: Evaluator) -> blocks.TextTable | None:
    """A row for each value at which the flag `holds` does, without columns that have no value; None without rows."""
    found = dict(_rows(section, result, evaluator))
    columns = [
        each for each in section["columns"] if any(not math.isnan(numbers[each["name"]]) for numbers in found.values())
    ]
    rows = [
        (
            f"{plain_number(value)} {section['unit']}",
            *(shown_value(numbers[each["name"]], result[each["name"]].quantity) for each in columns),
        )
        for value, numbers in found.items()
    ]
    return blocks.TextTable(section["title"], tuple(each["title"] for each in columns), tuple(rows)) if rows else None


def _rows(section: Section, result: Result, evaluator: Evaluator) -> Iterator[tuple[float, Mapping[str, float]]]:
    """Values and all numbers there: those of the section well below the most that there may be, and that itself."""
    near = Neighbours.around(result, evaluator)
    most = min(result.numbers[name] for name in section["up_to"])
    for value in (*(each for each in section["at"] if each < _WELL_BELOW * most), most):
        numbers = near.at(section["vary"], value)
        if numbers is not None and numbers[section["holds"]]:
            yield value, numbers
