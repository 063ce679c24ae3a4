"""Turns a width such as `4bit` into the number format that it means beside the records that are named."""

from collections.abc import Iterable

from formula_eval.library import Library
from formula_eval.records.checkpoint_name import widths_of
from formula_eval.records.record import RecordFile


def width_of(word: str, library: Library) -> str:
    """The width that a word states, such as `4bit` of `4-bit`; nothing for any other word."""
    width = word.lower().replace("-", "")
    return width if width in widths_of(library) else ""


def format_of_width(width: str, library: Library, records: Iterable[RecordFile]) -> str:
    """The number format that a width means beside these records, or usually."""
    meant = widths_of(library)[width]
    said = {text for record in records for text in (record.id, *map(str, record.data.values()))}
    return next((meant[name] for name in meant if name in said), meant["usual"])
