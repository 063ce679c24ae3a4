"""A result to CSV: one row for each value, in base units."""

import csv
import io

from formula_eval.evaluate.result import Result

_RISKY = ("=", "+", "-", "@", "\t", "\r")


def csv_text(result: Result) -> str:
    """`name,value,unit`, with a header; absent values are empty."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(("name", "value", "unit"))
    for name, value in result.values.items():
        rows.writerow((safe(name), safe(value.value), safe(value.unit)))
    return text.getvalue()


def safe(value: float | bool | str | None) -> str:  # noqa: FBT001 - a value may be a flag
    """A cell that no spreadsheet takes for a formula; numbers stay as they are."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    return f"'{value}" if value.startswith(_RISKY) else value
