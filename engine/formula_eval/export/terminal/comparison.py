"""A comparison to text: a table for a terminal or Markdown, or its values as JSON or CSV."""

import csv
import io
from collections.abc import Iterator
from typing import Any

from formula_eval.analyse.comparison import Comparison, Row
from formula_eval.analyse.correspondence import Column
from formula_eval.export.terminal import comparison_words
from formula_eval.export.terminal.comparison_lines import comparison_lines
from formula_eval.export.terminal.csv_rows import safe
from formula_eval.export.terminal.forms import json_text
from formula_eval.export.terminal.markdown_blocks import markdown_table
from formula_eval.export.terminal.screen import Screen


def comparison_text(found: Comparison, form: str, on: Screen) -> str:
    """The comparison as a table, Markdown, JSON or CSV."""
    if form == "json":
        return json_text(_data(found))
    if form == "csv":
        return _csv(found)
    if form == "markdown":
        return "\n".join("".join(part) for part in _markdown(found) if part)
    return comparison_lines(found, on)


def _markdown(found: Comparison) -> Iterator[list[str]]:
    ours, *others = found.columns
    titles = ["", ours.title, *(text for each in others for text in (each.title, "ratio"))]
    rows = []
    for row in found.rows:
        first, *rest = comparison_words.readings_of(row, found.columns)
        rows.append(
            [
                row.title,
                comparison_words.shown(first),
                *(text for each in rest for text in (comparison_words.shown(each), comparison_words.times(each))),
            ]
        )
    yield [markdown_table(titles, rows, frozenset(range(1, len(titles))))]
    yield list(_markdown_why(found))
    own = [(each.title, comparison_words.assumed(found.assumptions.get(each.key, ()), each)) for each in others]
    own = [each for each in own if each[1]]
    yield [f"## {comparison_words.OWN}\n\n", markdown_table(("", "inputs"), own)] if own else []
    told = [(column.title, reason, ", ".join(titles)) for column, reason, titles in found.reasons()]
    yield [f"## {comparison_words.OPEN}\n\n", markdown_table(("", "reason", "of"), told)] if told else []


def _markdown_why(found: Comparison) -> Iterator[str]:
    rows = [row for row in found.rows if row.explanations]
    if rows:
        yield f"## {comparison_words.WHY}\n"
    for row in rows:
        ours = found.columns[0]
        yield f"\n### {row.title}\n\n"
        yield f"- {ours.title}: `{comparison_words.equation(row.readings[ours.key], row.formula, ours)}`\n"
        for column in found.columns:
            why = row.explanations.get(column.key)
            if why is not None:
                reading = row.readings[column.key]
                text = comparison_words.equation(reading, why.formula, column)
                yield f"- {column.title}, {comparison_words.times(reading)}: `{text}`\n"
                yield from (f"  - {note}\n" for note in comparison_words.said(why.notes, column))


def _csv(found: Comparison) -> str:
    """One row for each quantity of each namespace, in base units."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(("quantity", "namespace", "name", "value", "unit", "ratio", "reason"))
    for row in found.rows:
        for column, reading in zip(found.columns, comparison_words.readings_of(row, found.columns), strict=True):
            if reading is not None:
                value = reading.value
                told = (value.value, value.unit) if value is not None else (None, "")
                cells = (row.title, column.title, reading.name, *told, reading.ratio, reading.reason)
                rows.writerow([safe(each) for each in cells])
    return text.getvalue()


def _data(found: Comparison) -> dict[str, Any]:
    """`columns`, and `quantities` with the answer of each: value, unit, ratio, reason, formula and notes."""
    return {
        "columns": [
            {
                "title": each.title,
                "namespace": each.namespace,
                "assumes": {name: value.to_data() for name, value, _ in found.assumptions.get(each.key, ())},
            }
            for each in found.columns
        ],
        "quantities": [
            {
                "title": row.title,
                "formula": row.formula,
                "answers": {
                    column.title: _answer(row, column) for column in found.columns if column.key in row.readings
                },
            }
            for row in found.rows
        ],
    }


def _answer(row: Row, column: Column) -> dict[str, Any]:
    reading, why = row.readings[column.key], row.explanations.get(column.key)
    told = reading.value.to_data() if reading.value is not None else {"value": None, "unit": ""}
    data = {"name": reading.name, **told, "ratio": reading.ratio, "reason": reading.reason}
    if why is not None:
        data |= {"formula": why.formula, "notes": [{"name": name, "text": text} for name, text in why.notes]}
    return data
