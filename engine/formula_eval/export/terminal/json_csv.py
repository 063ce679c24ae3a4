"""Serialises plain data as JSON and rows as CSV, for other programs to read."""

import csv
import io
import json
import math
from collections.abc import Iterable
from typing import Any

from formula_eval.evaluate.result import Result
from formula_eval.records.origin import Origin

_Cell = float | bool | str | None
_RISKY = ("=", "+", "-", "@", "\t", "\r")


def json_text(data: object) -> str:
    """Readable JSON; raises ValueError for NaN and infinity, which JSON does not have."""
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def finite(value: Any) -> Any:  # noqa: ANN401 - whatever is serialised
    """A value, or None for a number that JSON does not have."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def csv_text(columns: Iterable[str], rows: Iterable[Iterable[_Cell]]) -> str:
    """A header and rows of cells that are safe in a spreadsheet."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([safe(cell) for cell in row] for row in rows)
    return text.getvalue()


def csv_of_values(result: Result) -> str:
    """`name,value,unit,kind` in the declared units, a row for each value; absent values are empty.

    The kind is `input` for what somebody set, `default` for another input, else `result`.
    """
    kinds = {"": "result", Origin.DEFAULT: "default"}
    rows = ((name, *value.declared, kinds.get(value.origin, "input")) for name, value in result.values.items())
    return csv_text(("name", "value", "unit", "kind"), rows)


def safe(value: _Cell) -> str:
    """A cell that no spreadsheet takes for a formula; numbers stay as they are, and so does a dash for no value."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    return f"'{value}" if value[1:] and value.startswith(_RISKY) else value
