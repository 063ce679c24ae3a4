"""Reads an edited workbook as a scenario: the records chosen in it and the values typed."""

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from formula_eval.ask.workbook import naming
from formula_eval.ask.workbook.workbook_layout import read_sheet_looks, read_workbook_layout
from formula_eval.core.closure import closure
from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.core.record_kind import subjects
from formula_eval.library import Library
from formula_eval.records.example_value import takes_plain
from formula_eval.records.record import RecordFile
from formula_eval.records.record_files import all_records, find_record
from formula_eval.records.record_links import record_places
from formula_eval.records.record_values import read_record
from formula_eval.records.schema import Schema

if TYPE_CHECKING:
    from formula_eval.ask.workbook.safe_reader import Cells, OpenedWorkbook

_NUMBER = re.compile(r"\s*[-+]?[0-9][0-9_,.]*(?:[eE][-+]?[0-9]+)?\s*")
_REFERENCE = re.compile(r"(?<![\w.])(?:\$?([A-Z]{1,3})\$?([0-9]+)(?!\w)|[A-Za-z_]\w*(?![\w.]*[(]))|!")
_LONGEST_SHOWN = 60


def default_id(library: Library, schema: Schema, kind: str) -> str:
    """The id, as a cell holds it, of the record of a kind that holds by default; nothing where there is none."""
    wanted = schema.kinds[kind].default
    return naming.cell_id(find_record(library, schema, kind, wanted).id) if wanted else ""


def read_inputs(path: str | Path, schema: Schema, library: Library) -> dict[str, Any]:
    """The workbook as a scenario states it: ids or whole records, and input values with their units.

    Raises:
        FormulaError: if the file is not a workbook of ours, or a cell holds what no input can be.

    """
    from formula_eval.ask.workbook.safe_reader import OpenedWorkbook  # noqa: PLC0415 - loads openpyxl

    opened = OpenedWorkbook(path)
    try:
        return _Reader(opened, schema, library).scenario()
    finally:
        opened.close()


class _Reader:
    """Reads one workbook."""

    def __init__(self, opened: "OpenedWorkbook", schema: Schema, library: Library) -> None:
        self._opened = opened
        self._schema = schema
        self._library = library
        self._layout = read_workbook_layout(library, schema)
        self._looks = read_sheet_looks(library)
        self._places = {name: (kind, naming) for name, kind, naming in record_places(schema)}
        self._inputs = opened.sheet(naming.INPUTS, "what was typed")

    def scenario(self) -> dict[str, Any]:
        """Everything typed, and the records that hold."""
        first, _, *needed = self._looks["inputs"].heads[:4]
        head, columns = self._head(self._inputs, first, needed)
        yours, unit = (columns[each] for each in needed)
        _refuse_circles(self._inputs, yours, self._opened.shown)
        records: dict[str, str] = {}
        values: dict[str, Any] = {}
        for row in range(head + 1, len(self._inputs.shown)):
            name, held = self._inputs.at(row, 0), self._held(self._inputs, row, yours)
            if not isinstance(name, str) or (held is None and name not in self._places):
                continue
            if name in self._places:
                records[name] = "" if held is None else str(held)
            else:
                values[name] = self._value(name, held, self._inputs.at(row, unit))
        return {**self._records(records), **values}

    def _head(self, sheet: "Cells", first: str, needed: Sequence[str]) -> tuple[int, dict[str, int]]:
        """The header row, and the column of each title in it."""
        for number, row in enumerate(sheet.shown):
            if row and row[0] == first:
                columns = {str(title): column for column, title in enumerate(row) if title is not None}
                missing = [title for title in needed if title not in columns]
                if missing:
                    raise self._unlike(f"its sheet `{sheet.title}` lacks the column `{missing[0]}`")
                return number, columns
        raise self._unlike(f"its sheet `{sheet.title}` has no row of headings")

    def _unlike(self, why: str) -> FormulaError:
        help_ = "Export the workbook again and edit only its yellow cells."
        return refuse(
            "bad-workbook", f"`{self._opened.shown}` is not a workbook of ours, or was changed: {why}", help=help_
        )

    def _held(self, sheet: "Cells", row: int, column: int) -> Any:  # noqa: ANN401 - whatever a cell holds
        """The value of a cell; raises FormulaError for an error, or a formula that was never computed."""
        held = sheet.at(row, column)
        where = f"`{self._opened.shown}`: {sheet.title}, row {row + 1}, `{_shown(sheet.at(row, 0))}`"
        if isinstance(held, str) and held.startswith("#"):
            raise refuse(
                "bad-value", f"{where} holds the error {_shown(held)}", help="Type a value, or clear the cell."
            )
        if held is None and sheet.formula(row, column):
            help_ = "Open the file in a spreadsheet program and save it, or type the value itself."
            raise refuse("bad-value", f"{where} holds a formula that was never computed", help=help_)
        return None if isinstance(held, str) and not held.strip() else held

    def _value(self, name: str, held: Any, unit: object) -> Any:  # noqa: ANN401 - whatever a cell holds
        """A cell as a scenario states it: a number of a dimension with the unit it was typed in."""
        schema = self._schema.inputs.get(name)
        if schema is not None and schema.quantity.kind == "date" and not isinstance(held, bool):
            return naming.written_day(held) if isinstance(held, int | float) else str(held)
        if isinstance(held, bool) or schema is None or takes_plain(schema.quantity) or not unit:
            return held if isinstance(held, bool | int | float) else str(held)
        if isinstance(held, int | float) or (isinstance(held, str) and _NUMBER.fullmatch(held)):
            return f"{held!r} {unit}" if not isinstance(held, str) else f"{held.strip()} {unit}"
        return str(held)

    def _records(self, typed: Mapping[str, str]) -> dict[str, Any]:
        """Each record in use: its id if it is unchanged from the library, else all that its row states."""
        found: dict[str, Any] = {}
        rows: dict[str, dict[str, Any]] = {}
        for key, (supplier, naming_records) in self._places.items():
            if key not in typed:
                continue
            linked = next(
                (row for row in (rows.get(naming_record, {}).get(supplier) for naming_record in naming_records) if row),
                None,
            )
            wanted = typed[key] or str(linked or self._unchosen(key))
            if not wanted:
                continue
            rows[key] = self._row(supplier, wanted)
            stated = self._stated(supplier, wanted, rows[key])
            # An empty row of one's own says nothing where nobody needs it, nor does what a record brings along.
            if (stated or (not naming_records and self._is_needed(supplier))) and not (
                stated == wanted and not typed[key]
            ):
                found[key] = stated if isinstance(stated, str) else {"name": wanted, **stated}
        return found

    def _is_needed(self, supplier: str) -> bool:
        """Whether records of a kind supply a required input."""
        return any(input_schema.is_required for input_schema in self._schema.inputs_of(supplier).values())

    def _unchosen(self, key: str) -> str:
        """The record that holds where the cell is empty: the default of its kind, or the row of one's own."""
        if key not in self._schema.kinds:
            return ""
        own = naming.CUSTOM if key in subjects(self._schema.kinds) else ""
        return default_id(self._library, self._schema, key) or own

    def _row(self, supplier: str, wanted: str) -> dict[str, Any]:
        """The values in the row of a record, by input, with units."""
        title = self._layout.record_title(self._schema.kinds[supplier])
        sheet = self._opened.sheet(title, f"the {supplier} `{wanted}`")
        head, columns = self._head(sheet, self._looks["records"].heads[0], ())
        rows = (row for row in range(head + 1, len(sheet.shown)) if str(sheet.at(row, 0)).lower() == wanted.lower())
        number = next(rows, None)
        if number is None:
            help_ = f"Choose a row of the sheet `{title}`."
            raise refuse(
                "unknown-record", f"`{self._opened.shown}`: no {supplier} `{_shown(wanted)}` in it", help=help_
            )
        found = {}
        links = {kind.name for kind in self._schema.kinds.values() if supplier in kind.suppliers}
        for name, column in columns.items():
            known = name in links or (name in self._schema.inputs and self._schema.inputs[name].supplier == supplier)
            held = self._held(sheet, number, column) if known else None
            if held is not None:
                found[name] = str(held) if name in links else self._value(name, held, sheet.at(head - 1, column))
        return found

    def _stated(self, supplier: str, wanted: str, row: Mapping[str, Any]) -> str | dict[str, Any]:
        """The id of the library's record if the row says the same, else the row."""
        for record in all_records(self._library, self._schema.kinds[supplier]):
            if naming.cell_id(record.id).lower() == wanted.lower():
                ours = read_record(record, self._schema, whole=False)
                edited = RecordFile(supplier, record.id, self._opened.shown, row)
                theirs = read_record(edited, self._schema, whole=False)
                same = ours.values.keys() == theirs.values.keys() and all(
                    math.isclose(ours.values[key], theirs.values[key], rel_tol=1e-12) for key in ours.values
                )
                links = {
                    key: naming.cell_id(value)
                    for key, value in ours.links.items()
                    if key in self._shown_links(supplier)
                }
                return record.id if same and links == dict(theirs.links) else dict(row)
        return dict(row)

    def _shown_links(self, supplier: str) -> set[str]:
        title = self._layout.record_title(self._schema.kinds[supplier])
        sheet = self._opened.sheet(title, f"records of a {supplier}")
        return set(self._head(sheet, self._looks["records"].heads[0], ())[1])


def _shown(text: object) -> str:
    return str(text) if len(str(text)) <= _LONGEST_SHOWN else f"{str(text)[:_LONGEST_SHOWN]}..."


def _refuse_circles(sheet: "Cells", column: int, shown: str) -> None:
    """Refuse typed formulas that read what the workbook computes: the origin of such a value is unknown."""
    reads: dict[int, set[int]] = {}
    letters = chr(ord("A") + column)
    for row in range(len(sheet.shown)):
        formula = sheet.formula(row, column)
        for match in _REFERENCE.finditer(formula):
            if match[1] != letters:
                place = f"`{shown}`: {sheet.title}, row {row + 1}, `{_shown(sheet.at(row, 0))}`"
                message = f"{place} reads other cells: {_shown(formula)}"
                help_ = "A cell of yours may compute with numbers and its own column only; type the value itself."
                raise refuse("bad-value", message, help=help_)
            reads.setdefault(row, set()).add(int(match[2]) - 1)
    for row, read in reads.items():
        if row in closure(read, lambda number: reads.get(number, ())):
            message = f"`{shown}`: {sheet.title}, row {row + 1}, `{_shown(sheet.at(row, 0))}` reads itself in a circle"
            raise refuse("bad-value", message, help="Type a value, or clear the cell.")
