"""Renders a comparison as text: a table for a terminal or in Markdown, or its values as JSON or CSV."""

from collections.abc import Iterator
from typing import Any

from formula_eval.analyse.compare.comparison import ComparedColumn, ComparedQuantity, Comparison
from formula_eval.export.terminal import comparison_texts as texts
from formula_eval.export.terminal.comparison_lines import screen_lines
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
    return screen_lines(found, on, why=why)


def _markdown(found: Comparison) -> Iterator[list[str]]:
    ours, *others = found.columns
    titles = ["", ours.title, *(text for column in others for text in (column.title, "ratio"))]
    rows = []
    for row in found.rows:
        first, *rest = texts.answers_of(row, found.columns)
        cells = (
            text
            for compared_value in rest
            for text in (texts.value_text(compared_value), texts.ratio_text(compared_value))
        )
        rows.append([row.title, texts.value_text(first), *cells])
    yield [markdown_table(titles, rows, frozenset(range(1, len(titles))))]
    yield list(_markdown_differences(found))
    own = [(column.title, texts.assumptions_text(found.assumptions.get(column.key, ()), column)) for column in others]
    own = [pair for pair in own if pair[1]]
    yield [f"## {texts.ASSUMPTIONS}\n\n", markdown_table(("", "inputs"), own)] if own else []
    warned = [(column.title, message) for column in found.columns for message in found.warnings.get(column.key, ())]
    yield [f"## {texts.WARNINGS}\n\n", markdown_table(("", "warning"), warned)] if warned else []
    reasons = [(column.title, reason, ", ".join(titles)) for column, reason, titles in found.reasons()]
    yield [f"## {texts.UNANSWERED}\n\n", markdown_table(("", "reason", "of"), reasons)] if reasons else []


def _markdown_differences(found: Comparison) -> Iterator[str]:
    rows = [row for row in found.rows if row.differences]
    if rows:
        yield f"## {texts.DIFFERENCES}\n"
    for row in rows:
        ours = found.columns[0]
        yield f"\n### {row.title}\n\n"
        head = "formula" if found.is_of_configurations else ours.title
        yield f"- {head}: `{texts.equation_text(row.answers[ours.key], row.formula, ours)}`\n"
        for column in found.columns:
            why = row.differences.get(column.key)
            if why is not None:
                answer = row.answers[column.key]
                text = f": `{texts.equation_text(answer, why.formula, column)}`" if why.formula else ""
                yield f"- {column.title}, {texts.ratio_text(answer)}{text}\n"
                yield from (f"  - {texts.cause_text(cause)}\n" for cause in why.causes)
                yield from (f"  - {note}\n" for note in texts.notes_text(why.notes, column))


def _csv(found: Comparison) -> str:
    """One row for each quantity of each column, in base units."""
    rows = []
    for row in found.rows:
        for column, answer in zip(found.columns, texts.answers_of(row, found.columns), strict=True):
            if answer is not None:
                held = (answer.value.value, answer.value.unit) if answer.value is not None else (None, "")
                rows.append((row.title, column.title, answer.name, *held, answer.ratio, answer.reason))
    who = "configuration" if found.is_of_configurations else "namespace"
    return csv_text(("quantity", who, "name", "value", "unit", "ratio", "reason"), rows)


def _data(found: Comparison) -> dict[str, Any]:
    """`columns`, and `quantities` with the answer of each: value, unit, ratio, reason, formula and notes."""
    return {
        "columns": [
            {"title": column.title, "namespace": column.namespace, **_particulars(column, found)}
            for column in found.columns
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


def _particulars(column: ComparedColumn, found: Comparison) -> dict[str, Any]:
    """What a namespace assumes by itself; for a configuration, in what it differs, and the warnings of its checks."""
    if found.is_of_configurations:
        return {"varies": dict(column.varies), "warnings": [*found.warnings.get(column.key, ())]}
    return {"assumes": {name: value.to_data() for name, value, _ in found.assumptions.get(column.key, ())}}


def _answer(row: ComparedQuantity, column: ComparedColumn) -> dict[str, Any]:
    answer, why = row.answers[column.key], row.differences.get(column.key)
    value = answer.value.to_data() if answer.value is not None else {"value": None, "unit": ""}
    data = {"name": answer.name, **value, "ratio": answer.ratio, "reason": answer.reason}
    if why is not None and why.causes:
        causes = [
            {
                "input": cause.name,
                "first": cause.here.to_data(),
                "here": cause.there.to_data(),
                "by_itself": cause.alone,
            }
            for cause in why.causes
        ]
        data |= {"causes": causes, "way": [name for name, _, _ in why.way]}
    elif why is not None:
        data |= {"formula": why.formula, "notes": [{"name": name, "text": text} for name, text in why.notes]}
    return data
