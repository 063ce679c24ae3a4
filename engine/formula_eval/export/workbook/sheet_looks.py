"""reports/workbook/sheets.toml to the sentences, headings and widths of each sheet."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import refuse
from formula_eval.export.layout import check_keys
from formula_eval.library import Library

_FILE = "reports/workbook/sheets.toml"
# How many columns a sheet has, and which words it needs.
_SHEETS: Mapping[str, tuple[int, tuple[str, ...]]] = {
    "inputs": (13, ("says", "about", "asked", "stated", "rest", "constant")),
    "outputs": (0, ("says", "without_model", "checks", "charts", "without_charts")),
    "scenarios": (3, ("about", "results", "formulas")),
    "sweep": (0, ("says",)),
    "data_table": (1, ("chosen", "written", "leave", "inputs", "quantities")),
    "tables": (0, ("says", "of_kernels", "without")),
    "structure": (0, ("says", "idle", "without")),
    "calc": (9, ("says",)),
    "checks": (6, ("refuse", "warn", "note", "compared", "compared_columns")),
    "records": (5, ("says",)),
    "names": (7, ("says", "of_cells")),
    "sources": (6, ("says",)),
}


class SheetLook(NamedTuple):
    """What stands on a sheet besides its numbers: all that its table says, and its columns."""

    words: Mapping[str, Any]
    heads: list[str]
    widths: list[float]


def read_sheet_looks(library: Library) -> dict[str, SheetLook]:
    """The looks of the last folder that has them, else ours; raises FormulaError for what is missing."""
    shown, data = library.last_or_ours(_FILE)
    check_keys(data, _SHEETS, shown)
    return {name: _look(data[name], many, keys, f"{shown}: [{name}]") for name, (many, keys) in _SHEETS.items()}


def _look(table: Mapping[str, Any], many: int, keys: tuple[str, ...], named: str) -> SheetLook:
    check_keys(table, keys, named)
    columns = table.get("columns", [])
    if len(columns) != many or not all(_is_column(each) for each in columns):
        help_ = f"It has {many} columns, each as [title, width], in the order of ours."
        raise refuse("bad-report", f"{named}: `columns` does not fit the sheet", help=help_)
    return SheetLook(table, [title for title, _ in columns], [float(width) for _, width in columns])


def _is_column(column: Any) -> bool:  # noqa: ANN401 - whatever TOML holds
    return isinstance(column, list) and list(map(type, column)) in ([str, int], [str, float])
