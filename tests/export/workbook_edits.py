"""A workbook with other values typed or another part of its file, without writing the whole of it anew."""

import io
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from openpyxl.utils import get_column_letter

from formula_eval.export.workbook.inputs_sheet import YOURS
from formula_eval.export.workbook.workbook_context import Book


def with_typed(asked: tuple[Book, bytes], records: Mapping[str, str], path: Path, edits: Mapping[str, Any]) -> Path:
    """The workbook with other things typed: `tp`, `model` (the chosen one) or `hardware: peak_16` (in its row).

    `records` are those that were chosen.
    """
    book, contents = asked
    cells: dict[str, dict[str, Any]] = {}
    for name, value in edits.items():
        row = 0
        if ": " in name:
            supplier = name.partition(":")[0]
            place = book.naming.places[name]
            row = book.tables[supplier].number_of(edits.get(supplier, records.get(supplier, ""))) - 1
        else:
            chosen = f"{name} chosen"
            place = book.naming.places[chosen if chosen in book.naming.places else name]
        column = place.column if ": " in name else YOURS
        cells.setdefault(place.sheet, {})[f"{get_column_letter(column + 1)}{place.row + row + 1}"] = value
    with zipfile.ZipFile(io.BytesIO(contents)) as old, zipfile.ZipFile(path, "w") as new:
        titles = re.findall(rb'<sheet name="([^"]+)"', old.read("xl/workbook.xml"))
        parts = {f"xl/worksheets/sheet{number}.xml": title.decode() for number, title in enumerate(titles, 1)}
        for part in old.namelist():
            text = old.read(part)
            for cell, value in cells.get(parts.get(part, ""), {}).items():
                text = typed(text, cell, value)
            new.writestr(part, text)
    return path


def typed(sheet: bytes, cell: str, value: Any) -> bytes:
    """The XML of a sheet with a value typed into a cell that it has; a whole workbook takes seconds to write."""
    text = "" if value is None else escape(str(value))
    kind, inside = ' t="n"', f"<v>{text}</v>"
    if value is None:
        kind, inside = "", ""
    elif isinstance(value, bool):
        kind, inside = ' t="b"', f"<v>{int(value)}</v>"
    elif text.startswith("="):
        kind, inside = "", f"<f>{text[1:]}</f>"
    elif text.startswith("#"):
        kind, inside = ' t="e"', f"<v>{text}</v>"
    elif isinstance(value, str):
        kind, inside = ' t="inlineStr"', f"<is><t>{text}</t></is>"
    found, number = re.subn(
        rf'<c r="{cell}"( s="\d+")?[^>]*?(/>|>.*?</c>)'.encode(),
        lambda held: f'<c r="{cell}"{(held[1] or b"").decode()}{kind}>{inside}</c>'.encode(),
        sheet,
    )
    assert number == 1, cell
    return found


def replaced(contents: bytes, path: Path, name: str, change: Any) -> None:
    """The workbook with one of its parts changed."""
    with zipfile.ZipFile(io.BytesIO(contents)) as old, zipfile.ZipFile(path, "w") as new:
        for part in old.namelist():
            text = old.read(part)
            new.writestr(part, change(text) if part == name else text)
