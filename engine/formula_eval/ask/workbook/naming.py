"""Names what stands in a workbook: sheets, columns, and the names or addresses that formulas use."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from formula_eval.core.date import date_text
from formula_eval.printing.excel_names import excel_meaning

Refs = Literal["names", "cells"]
INPUTS, CALC, CHECKS, NAMES = "Inputs", "Calc", "Checks", "Names"
CUSTOM, NONE = "Custom", "none"
DAY_OF_1970, DAY = 25569, 86400  # the number of the first day of 1970 in a spreadsheet, and the seconds of a day
_LONGEST = 240


@dataclass(frozen=True, slots=True)
class CellRange:
    """One cell, or a column of cells down to `last`; rows and columns count from 0."""

    sheet: str
    row: int
    column: int
    last: int | None = None

    def address(self, here: str = "") -> str:
        """As a formula on the sheet `here` writes it: `Calc!$C$5`."""
        from xlsxwriter.utility import xl_col_to_name  # noqa: PLC0415 - reading a workbook needs no writer

        column = xl_col_to_name(self.column, col_abs=True)
        cells = f"{column}${self.row + 1}" + ("" if self.last is None else f":{column}${self.last + 1}")
        return cells if self.sheet == here else f"{quoted_sheet(self.sheet)}!{cells}"


@dataclass(slots=True)
class Naming:
    """Every place that formulas read, by a key of ours, with its name in the workbook."""

    refs: Refs
    places: dict[str, CellRange] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def put(self, key: str, wanted: str, place: CellRange) -> None:
        """Register a place under the wanted name, or the nearest that Excel takes and nothing else has."""
        name = self._free(_legal(wanted))
        self.taken.add(name.lower())
        self.places[key] = place
        self.names[key] = name

    def reference(self, key: str, here: str) -> str:
        """How a formula on the sheet `here` reads it."""
        return self.names[key] if self.refs == "names" and key in self.names else self.places[key].address(here)

    def defined(self) -> Mapping[str, str]:
        """Each name and the address it stands for."""
        return {name: self.places[key].address() for key, name in self.names.items()}

    def _free(self, name: str) -> str:
        number, free = 1, name
        while free.lower() in self.taken:
            number += 1
            free = f"{name}_{number}"
        return free


def _legal(wanted: str) -> str:
    name = re.sub(r"_{2,}", "_", re.sub(r"[^A-Za-z0-9_]+", "_", wanted)).strip("_")[:_LONGEST] or "cell_"
    name = name if name[0].isalpha() else f"_{name}"
    return f"{name}_" if excel_meaning(name) else name


def quoted_sheet(title: str) -> str:
    """The name of a sheet as formulas write it."""
    return title if re.fullmatch(r"[A-Za-z_]+", title) else "'" + title.replace("'", "''") + "'"


def cell_id(text: str) -> str:
    """An id as a lookup can find it: Excel takes `*`, `?` and `~` for patterns."""
    return re.sub(r"[*?~\s]+", "_", text)[:200]


def written_day(day: float) -> str:
    """The day of a spreadsheet as a scenario writes it."""
    return date_text((day - DAY_OF_1970) * DAY)
