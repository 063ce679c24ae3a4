"""Answers to tables in Markdown, put where a page asks for them."""

import math
import re
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any

from answers import Answers
from answers import Row

from formula_eval import FormulaError

PLACE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def filled(page: str, study: Mapping[str, Any], answers: Answers) -> str:
    """The page with the table that each `<!-- table: name -->` asks for, up to its `<!-- end -->`."""

    def table(place: re.Match[str]) -> str:
        return f"{place[1]}\n{markdown(study['tables'][place[2]], study['models'], answers)}\n{place[3]}"

    return PLACE.sub(table, page)


def markdown(columns: Sequence[Mapping[str, Any]], rows: Sequence[Row], answers: Answers) -> str:
    """One table, with what was refused beneath it."""
    refusals: dict[str, None] = {}
    lines = [["model", *(column["title"] for column in columns)], ["---", *("---:" for _ in columns)]]
    for row in rows:
        lines.append([row["name"], *(_cell(column, row, answers, refusals) for column in columns)])
    text = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    return text + "".join(f"\nRefused: {each}\n" for each in refusals)


def _cell(column: Mapping[str, Any], row: Row, answers: Answers, refusals: dict[str, None]) -> str:
    if "figure" in column:
        return _text(row[column["figure"]], column)
    try:
        value = answers.value(column["answer"], row, column["quantity"])
    except FormulaError as error:
        refusals[f"{row['name']}, {column['title']}: {error}"] = None
        return "refused"
    if not isinstance(value.value, int | float):
        return str(value)
    if value.unit and "per" not in column:
        return str(value)
    return _text(value.value, column) + _difference(value.value, column, row)


def _text(value: float, column: Mapping[str, Any]) -> str:
    value /= column.get("per", 1)
    return f"{math.floor(value) if column.get('down') else value:,.{column.get('digits', 0)}f}"


def _difference(value: float, column: Mapping[str, Any], row: Row) -> str:
    if "against" not in column:
        return ""
    value = math.floor(value) if column.get("down") else value
    return f" ({100 * (value / row[column['against']] - 1):+.{column.get('percent', 1)}f} %)"
