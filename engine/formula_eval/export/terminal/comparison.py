"""A comparison to text: a table for a terminal or Markdown, or its values as JSON or CSV."""

from collections.abc import Iterator
from typing import Any

from formula_eval.analyse.compare import ComparedQuantity, Comparison
from formula_eval.analyse.correspondence import Column
from formula_eval.export.terminal import comparison_lines as lines
from formula_eval.export.terminal.json_csv import csv_text, json_text
from formula_eval.export.terminal.markdown_blocks import markdown_table
from formula_eval.export.terminal.screen import Screen


def comparison_text(found: Comparison, form: str, on: Screen, *, why: bool) -> str:
    """The comparison as a table, Markdown, JSON or CSV; a terminal shows all reasons only where `why` is asked."""
    if form == "json":
        return json_text(_data(found))
    if form == "csv":
        return _csv(found)
    if form == "markdown":
        return "\n".join("".join(part) for part in _markdown(found) if part)
    return lines.screen_lines(found, on, why=why)


def _markdown(found: Comparison) -> Iterator[list[str]]:
    ours, *others = found.columns
    titles = ["", ours.title, *(text for each in others for text in (each.title, "ratio"))]
    rows = []
    for row in found.rows:
        first, *rest = lines.answers_of(row, found.columns)
        texts = (text for each in rest for text in (lines.value_text(each), lines.ratio_text(each)))
        rows.append([row.title, lines.value_text(first), *texts])
    yield [markdown_table(titles, rows, frozenset(range(1, len(titles))))]
    yield list(_markdown_differences(found))
    own = [(each.title, lines.assumptions_text(found.assumptions.get(each.key, ()), each)) for each in others]
    own = [each for each in own if each[1]]
    yield [f"## {lines.ASSUMPTIONS}\n\n", markdown_table(("", "inputs"), own)] if own else []
    reasons = [(column.title, reason, ", ".join(titles)) for column, reason, titles in found.reasons()]
    yield [f"## {lines.UNANSWERED}\n\n", markdown_table(("", "reason", "of"), reasons)] if reasons else []


def _markdown_differences(found: Comparison) -> Iterator[str]:
    rows = [row for row in found.rows if row.differences]
    if rows:
        yield f"## {lines.DIFFERENCES}\n"
    for row in rows:
        ours = found.columns[0]
        yield f"\n### {row.title}\n\n"
        yield f"- {ours.title}: `{lines.equation_text(row.answers[ours.key], row.formula, ours)}`\n"
        for column in found.columns:
            why = row.differences.get(column.key)
            if why is not None:
                answer = row.answers[column.key]
                text = lines.equation_text(answer, why.formula, column)
                yield f"- {column.title}, {lines.ratio_text(answer)}: `{text}`\n"
                yield from (f"  - {note}\n" for note in lines.notes_text(why.notes, column))


def _csv(found: Comparison) -> str:
    """One row for each quantity of each namespace, in base units."""
    rows = []
    for row in found.rows:
        for column, answer in zip(found.columns, lines.answers_of(row, found.columns), strict=True):
            if answer is not None:
                held = (answer.value.value, answer.value.unit) if answer.value is not None else (None, "")
                rows.append((row.title, column.title, answer.name, *held, answer.ratio, answer.reason))
    return csv_text(("quantity", "namespace", "name", "value", "unit", "ratio", "reason"), rows)


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
                    column.title: _answer(row, column) for column in found.columns if column.key in row.answers
                },
            }
            for row in found.rows
        ],
    }


def _answer(row: ComparedQuantity, column: Column) -> dict[str, Any]:
    answer, why = row.answers[column.key], row.differences.get(column.key)
    value = answer.value.to_data() if answer.value is not None else {"value": None, "unit": ""}
    data = {"name": answer.name, **value, "ratio": answer.ratio, "reason": answer.reason}
    if why is not None:
        data |= {"formula": why.formula, "notes": [{"name": name, "text": text} for name, text in why.notes]}
    return data
