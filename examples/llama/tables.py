"""Answers to tables in Markdown, put where a page asks for them."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from answers import Answers, Row

from formula_eval import FormulaError, Value

PLACE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def filled(page: str, study: Mapping[str, Any], answers: Answers) -> str:
    """The page with the table that each `<!-- table: name -->` asks for, up to its `<!-- end -->`."""

    def table(place: re.Match[str]) -> str:
        return f"{place[1]}\n{markdown(study['tables'][place[2]], study['models'], answers)}\n{place[3]}"

    return PLACE.sub(table, page)


def markdown(columns: Sequence[Mapping[str, Any]], rows: Sequence[Row], answers: Answers) -> str:
    """One table; beneath it, what was refused and why."""
    refusals: dict[str, None] = {}
    lines = [
        ["model", *(column["title"] for column in columns)],
        ["---", *("---:" for _ in columns)],
        *([row["name"], *(cell(column, row, answers, refusals) for column in columns)] for row in rows),
    ]
    text = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    return text + "".join(f"\nRefused: {reason}\n" for reason in refusals)


def cell(column: Mapping[str, Any], row: Row, answers: Answers, refusals: dict[str, None]) -> str:
    """What the answers of a column say about a model; the reason of a refusal is added to the others."""
    said = []
    for answer in column["answers"]:
        try:
            said.append(shown(answers.value(answer, row, column["quantity"]), column, row))
        except FormulaError as error:
            refusals[f"{row['name']} ({column['title']}): {error}"] = None
            said.append("refused")
    return " / ".join(said)


def shown(value: Value, column: Mapping[str, Any], row: Row) -> str:
    """A plain number or one in the unit of its column, with how far it is from the paper; all else as it is spoken."""
    number = value.value
    if not isinstance(number, int | float) or (value.unit and "per" not in column):
        return str(value)
    number = math.floor(number) if column.get("down") else number / column.get("per", 1)
    text = f"{number:,.{column.get('digits', 0)}f}"
    return f"{text} ({100 * (number / hours(row) - 1):+.{column['percent']}f} %)" if "percent" in column else text


def hours(row: Row) -> float:
    """The hours of the paper."""
    return float(row["paper"]["llama.reported_gpu_hours"])
