"""Says what a workbook calls a quantity, and which names mean something else in Excel."""

import re

_LAST_COLUMN = "xfd"
_LAST_ROW = 1_048_576
_CELL = re.compile(r"([a-z]{1,3})([0-9]+)", re.IGNORECASE)
_ROW_COLUMN = re.compile(r"[rc]$|r\d*c\d*$|[rc]\d", re.IGNORECASE)
# Those that a workbook of ours calls; Excel would take the others as names without confusion.
_FUNCTIONS = frozenset(
    [
        "abs",
        "and",
        "ceiling",
        "edate",
        "exp",
        "false",
        "floor",
        "if",
        "iferror",
        "index",
        "int",
        "ln",
        "log",
        "match",
        "max",
        "min",
        "mod",
        "not",
        "or",
        "round",
        "rounddown",
        "roundup",
        "sqrt",
        "sum",
        "sumifs",
        "sumproduct",
        "text",
        "true",
    ]
)


def excel_name(name: str) -> str:
    """`params.total` as a workbook calls it: `params_total`."""
    return name.replace(".", "_")


def excel_meaning(name: str) -> str:
    """What Excel takes a name for, nothing if it is free."""
    if cell := excel_cell(name):
        return cell
    if _ROW_COLUMN.match(name):
        return "a cell, written as row and column,"
    return "a function or word" if name.lower() in _FUNCTIONS else ""


def excel_cell(name: str) -> str:
    """`a cell` for a name such as `tp1`, which means one in any spreadsheet; nothing if it is free."""
    cell = _CELL.fullmatch(name)
    is_column = cell is not None and (len(cell[1]) < len(_LAST_COLUMN) or cell[1].lower() <= _LAST_COLUMN)
    return "a cell" if cell and is_column and 1 <= int(cell[2]) <= _LAST_ROW else ""
