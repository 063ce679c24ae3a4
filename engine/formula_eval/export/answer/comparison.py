"""A comparison to text: a table of values and ratios, then why they differ and what was not answered."""

import csv
import io
from collections.abc import Iterator
from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from formula_eval.analyse.compare import SAME_WITHIN
from formula_eval.analyse.compare import Comparison
from formula_eval.analyse.compare import Reading
from formula_eval.analyse.compare import Row
from formula_eval.analyse.correspondence import Column
from formula_eval.evaluate.display import digits
from formula_eval.evaluate.display import plain_number
from formula_eval.export.answer.delimited import safe
from formula_eval.export.answer.markdown import markdown_table
from formula_eval.export.answer.report import json_text
from formula_eval.export.answer.terminal import Screen

_NARROWEST = 30
_LARGE = ((1e12, "T"), (1e9, "G"), (1e6, "M"))
_WHY = f"Where they differ by more than {SAME_WITHIN:.0%}"
_OPEN = "Not answered"


def comparison_text(found: Comparison, form: str, on: Screen) -> str:
    """The comparison as a table, Markdown, JSON or CSV."""
    if form == "json":
        return json_text(_data(found))
    if form == "csv":
        return _csv(found)
    if form == "markdown":
        return "\n".join("".join(part) for part in _markdown(found) if part)
    parts = [list(_table(found, on)), list(_why(found, on)), list(_open(found, on))]
    return "\n".join("".join(f"{line}\n" for line in part) for part in parts if part)


def _shown(reading: Reading | None) -> str:
    """A value for people, without the unit of what is counted; `-` where the namespace lacks it."""
    if reading is None:
        return "-"
    if reading.value is None:
        return "refused"
    number, quantity = reading.value.value, reading.value.quantity
    if quantity.dimension or not isinstance(number, int | float) or isinstance(number, bool):
        return str(reading.value)
    scale, prefix = next((each for each in _LARGE if abs(number) >= each[0]), (1.0, ""))
    return f"{digits(number / scale)} {prefix}" if prefix else plain_number(number)


def _times(reading: Reading | None) -> str:
    return "" if reading is None or reading.ratio is None else f"x{reading.ratio:.3g}"


def _table(found: Comparison, on: Screen) -> Iterator[str]:
    """Ratios stand behind their values, or beneath where the line has no room for both."""
    names = max(2 + len(row.title) for row in found.rows)
    cells = [[(_shown(each), _times(each)) for each in _readings(row, found.columns)] for row in found.rows]
    values = [max(len(text) for text, _ in column) for column in zip(*cells, strict=True)]
    ratios = [max(len(text) for _, text in column) for column in zip(*cells, strict=True)]
    titles = [each.title for each in found.columns]
    wide = [
        max(len(title), value + (1 + ratio if ratio else 0))
        for title, value, ratio in zip(titles, values, ratios, strict=True)
    ]
    beside = names + sum(2 + each for each in wide) <= on.width
    widths = wide if beside else [max(each) for each in zip(map(len, titles), values, ratios, strict=True)]
    yield on.paint(f"{'':{names}}" + _cells(titles, widths), "title")
    for row, texts in zip(found.rows, cells, strict=True):
        if beside:
            line = [
                f"{value}{f' {times:>{ratio}}' if ratio else ''}"
                for (value, times), ratio in zip(texts, ratios, strict=True)
            ]
            yield f"{'  ' + row.title:{names}}{_cells(line, widths)}".rstrip()
            continue
        yield f"{'  ' + row.title:{names}}{_cells([value for value, _ in texts], widths)}".rstrip()
        below = _cells([times for _, times in texts], widths)
        if below.strip():
            yield on.paint(f"{'':{names}}{below}".rstrip(), "dim")


def _readings(row: Row, columns: Sequence[Column]) -> list[Reading | None]:
    return [row.readings.get(each.key) for each in columns]


def _cells(texts: Sequence[str], widths: Sequence[int]) -> str:
    return "".join(f"  {text:>{width}}" for text, width in zip(texts, widths, strict=True))


def _why(found: Comparison, on: Screen) -> Iterator[str]:
    rows = [row for row in found.rows if row.explanations]
    if not rows:
        return
    ours, *others = found.columns
    wide = 4 + max(len(each.title) for each in found.columns) + 2
    yield on.paint(_WHY, "title")
    for row in rows:
        yield f"  {on.paint(row.title, 'strong')}"
        yield from _entry(ours.title, _equation(row.readings[ours.key].name, row.formula), wide, on)
        for column in others:
            why = row.explanations.get(column.key)
            if why is not None:
                reading = row.readings[column.key]
                name = _short(reading.name, column)
                yield from _entry(column.title, f"{_times(reading)}  {_equation(name, why.formula)}", wide, on)
                for text in _said(why.notes, column):
                    yield from _entry("", text, wide, on, "dim")


def _equation(name: str, formula: str) -> str:
    return f"{name} = {formula}" if formula else name


def _said(notes: Sequence[tuple[str, str]], column: Column) -> Iterator[str]:
    """Notes, those of one formula together behind its name."""
    for name in dict.fromkeys(name for name, _ in notes):
        yield f"{_short(name, column)}: {' '.join(text for each, text in notes if each == name)}"


def _short(name: str, column: Column) -> str:
    return name.removeprefix(f"{column.namespace}.") if column.namespace else name


def _entry(title: str, text: str, wide: int, on: Screen, style: str = "") -> Iterator[str]:
    lines = wrap(text, max(on.width - wide, _NARROWEST), break_on_hyphens=False, break_long_words=False)
    for number, line in enumerate(lines):
        head = f"    {title}" if number == 0 else ""
        yield f"{head:{wide}}{on.paint(line, style) if style else line}"


def _open(found: Comparison, on: Screen) -> Iterator[str]:
    said = list(found.reasons())
    if not said:
        return
    wide = 4 + max(len(column.title) for column, _, _ in said)
    yield on.paint(_OPEN, "title")
    for column, reason, titles in said:
        lines = wrap(f"{reason} ({', '.join(titles)})", max(on.width - wide, _NARROWEST))
        for number, line in enumerate(lines):
            yield f"{f'  {column.title}' if number == 0 else '':{wide}}{line}"


def _markdown(found: Comparison) -> Iterator[list[str]]:
    ours, *others = found.columns
    titles = ["", ours.title, *(text for each in others for text in (each.title, "ratio"))]
    rows = []
    for row in found.rows:
        first, *rest = _readings(row, found.columns)
        rows.append([row.title, _shown(first), *(text for each in rest for text in (_shown(each), _times(each)))])
    yield [markdown_table(titles, rows, frozenset(range(1, len(titles))))]
    yield list(_markdown_why(found))
    said = [(column.title, reason, ", ".join(titles)) for column, reason, titles in found.reasons()]
    yield [f"## {_OPEN}\n\n", markdown_table(("", "reason", "of"), said)] if said else []


def _markdown_why(found: Comparison) -> Iterator[str]:
    rows = [row for row in found.rows if row.explanations]
    if rows:
        yield f"## {_WHY}\n"
    for row in rows:
        ours = found.columns[0]
        yield f"\n### {row.title}\n\n"
        yield f"- {ours.title}: `{_equation(row.readings[ours.key].name, row.formula)}`\n"
        for column in found.columns:
            why = row.explanations.get(column.key)
            if why is not None:
                reading = row.readings[column.key]
                equation = _equation(_short(reading.name, column), why.formula)
                yield f"- {column.title}, {_times(reading)}: `{equation}`\n"
                yield from (f"  - {text}\n" for text in _said(why.notes, column))


def _csv(found: Comparison) -> str:
    """One row for each quantity of each namespace, in base units."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(("quantity", "namespace", "name", "value", "unit", "ratio", "reason"))
    for row in found.rows:
        for column, reading in zip(found.columns, _readings(row, found.columns), strict=True):
            if reading is not None:
                value = reading.value
                told = (value.value, value.unit) if value is not None else (None, "")
                cells = (row.title, column.title, reading.name, *told, reading.ratio, reading.reason)
                rows.writerow([safe(each) for each in cells])
    return text.getvalue()


def _data(found: Comparison) -> dict[str, Any]:
    """`columns`, and `quantities` with the answer of each: value, unit, ratio, reason, formula and notes."""
    return {
        "columns": [{"title": each.title, "namespace": each.namespace} for each in found.columns],
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
