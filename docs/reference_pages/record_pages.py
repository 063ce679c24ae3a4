"""Builds the reference pages of records: models, accelerators, efficiency families, engines, number formats."""

import re
from collections.abc import Container, Mapping
from typing import Any

from formula_eval.analyse.listing import listing, record_titles
from formula_eval.core.record_kind import RecordKind
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.escaping import markdown_code, markdown_text
from formula_eval.export.templates import Ready
from formula_eval.records.record import RecordFile
from formula_eval.records.record_files import all_records
from formula_eval.records.record_values import DESCRIPTION
from reference_pages.entry_text import link


def record_pages(evaluator: Evaluator) -> dict[str, RecordKind]:
    """The name of the page of each kind of records, such as `records/models`."""
    titles = record_titles(evaluator)
    return {f"records/{titles[name]}": kind for name, kind in evaluator.schema.kinds.items()}


def records_data(evaluator: Evaluator, kind: RecordKind) -> dict[str, Any]:
    """The data of a page of records: a table of all, and the values of each unless each is a file of its own."""
    records = {each.id: each for each in all_records(evaluator.library, kind)}
    columns, rows = _table(evaluator, kind, records)
    return {
        "title": record_titles(evaluator)[kind.name].replace("_", " ").capitalize(),
        "sentence": Ready(f"{markdown_text(kind.sentence)}."),
        "columns": columns,
        "rows": [[Ready(cell) for cell in row] for row in rows],
        "records": [] if kind.is_folder else [_record(each, evaluator.schema.inputs) for each in records.values()],
    }


def _table(
    evaluator: Evaluator, kind: RecordKind, records: Mapping[str, RecordFile]
) -> tuple[list[str], list[list[str]]]:
    found = listing(evaluator, kind.name)
    rows = [[markdown_code(str(first)), *map(_value, others)] for first, *others in found.rows]
    if not kind.is_folder:
        return list(found.columns), rows
    extra = [[_aliases(records[row[0]]), _linked(records[row[0]], "source")] for row in found.rows]
    return [*found.columns, "also", "source"], [row + more for row, more in zip(rows, extra, strict=True)]


def _record(record: RecordFile, inputs: Container[str]) -> dict[str, Any]:
    values = [(key, value) for key, value in record.data.items() if key not in DESCRIPTION]
    facts = {
        "Also": _aliases(record),
        "Source": _linked(record, "source"),
        "Date": _text(record, "date"),
        "Note": _linked(record, "note"),
    }
    return {
        "title": Ready(markdown_text(record.id)),
        "sentence": Ready(_text(record, "name")),
        "values": [(link(key) if key in inputs else markdown_code(key), Ready(_value(value))) for key, value in values],
        "facts": [Ready(f"**{name}** {text}") for name, text in facts.items() if text],
    }


def _value(value: object) -> str:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return f"{value:,}" if whole else markdown_text(str(value))


def _text(record: RecordFile, key: str) -> str:
    return markdown_text(str(record.data.get(key, "")))


def _aliases(record: RecordFile) -> str:
    return ", ".join(markdown_code(str(each)) for each in record.data.get("aliases", ()))


def _linked(record: RecordFile, key: str) -> str:
    """A text of the record, with what is an address as a link."""
    parts = re.split(r"(https://[^\s,;()<>]+)", str(record.data.get(key, "")))
    return "".join(f"<{part}>" if number % 2 else markdown_text(part) for number, part in enumerate(parts))
