"""A library's records to pages of its reference: models, accelerators, efficiency families, engines, number formats."""

import re
from collections.abc import Container, Mapping
from typing import Any

from formula_eval.analyse.listing import RECORDS as LISTED, listing
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.escaping import markdown_code, markdown_text
from formula_eval.export.site.entry_text import link
from formula_eval.export.templates import Ready
from formula_eval.records.record import RecordFile
from formula_eval.records.record_files import DESCRIPTION, all_records

RECORDS = {
    "records/models": ("model", "Models", "Every model of the library, with what its values were taken from."),
    "records/hardware": ("hardware", "Accelerators", "Every accelerator of the library, as its data sheet states it."),
    "records/families": ("family", "Efficiency families", "How much of its data sheet an accelerator reaches."),
    "records/engines": ("engine", "Serving engines", "What a serving engine adds to the kernels."),
    "records/formats": ("format", "Number formats", "How many bits weights, activations and the KV cache take."),
}
_TITLES = {supplier: title for title, supplier in LISTED.items()}


def records_data(evaluator: Evaluator, page: str) -> dict[str, Any]:
    """What a page of records prints: a table of all, and each one's values, but for models, which are too many."""
    supplier, title, sentence = RECORDS[page]
    records = {each.id: each for each in all_records(evaluator.library, supplier)}
    columns, rows = _table(evaluator, supplier, records)
    return {
        "title": title,
        "sentence": Ready(sentence),
        "columns": columns,
        "rows": [[Ready(cell) for cell in row] for row in rows],
        "records": [_record(each, evaluator.schema.inputs) for each in records.values()] if supplier != "model" else [],
    }


def _table(evaluator: Evaluator, supplier: str, records: Mapping[str, RecordFile]) -> tuple[list[str], list[list[str]]]:
    found = listing(evaluator, _TITLES[supplier])
    rows = [[markdown_code(str(first)), *map(_value, others)] for first, *others in found.rows]
    if supplier != "model":
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
