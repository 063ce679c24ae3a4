"""A resolved library to the names that mean something else in Excel, or that become the same name there."""

import re
from collections.abc import Iterator

from formula_eval.core import declaration as d
from formula_eval.core.diagnostic import Diagnostic, Label
from formula_eval.resolve.passes import Resolved
from formula_eval.resolve.scope import Scope
from formula_eval.resolve.tables import row_names

_LAST_COLUMN = 16_384
_LAST_ROW = 1_048_576
_CELL = re.compile(r"([a-z]{1,3})([0-9]+)", re.IGNORECASE)
_ROW_COLUMN = re.compile(r"[rc]$|r\d*c\d*$|[rc]\d", re.IGNORECASE)
# Those that a workbook of ours calls; Excel would take the others as names without confusion.
_FUNCTIONS = frozenset(
    [
        "abs",
        "and",
        "ceiling",
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


def excel_collisions(resolved: Resolved) -> Iterator[Diagnostic]:
    """Find names that are a cell, a word or a function there, and pairs that become one."""
    seen: dict[str, tuple[str, d.Declaration]] = {}
    for name, declared in _exported(resolved.scope):
        there = excel_name(name)
        meaning = excel_meaning(there)
        if meaning:
            message = f"`{name}` is {meaning} in Excel"
            help_ = f"Give it another name, for example `{there}_value`."
            yield Diagnostic("excel-name", message, (Label(declared.span),), help_)
        elif there in seen:
            other, first = seen[there]
            message = f"`{name}` and `{other}` are both `{there}` in Excel"
            labels = Label(declared.span), Label(first.span, "the other one")
            yield Diagnostic("excel-name", message, labels, "Rename one of them.")
        seen.setdefault(there, (name, declared))


def _exported(scope: Scope) -> Iterator[tuple[str, d.Declaration]]:
    for name, symbol in scope.symbols.items():
        declared = symbol.declaration
        if isinstance(declared, d.TableDeclaration):
            for row in declared.rows:
                yield from ((f"{name}.{row.name}.{column.name}", row) for column in declared.columns)
            if not declared.rows:
                rows = row_names(declared)
                yield from ((f"{name}.{row}.{column.name}", column) for row in rows for column in declared.columns)
        elif not isinstance(declared, d.FunctionDeclaration):
            yield name, declared


def excel_meaning(name: str) -> str:
    """What Excel takes a name for, nothing if it is free."""
    cell = _CELL.fullmatch(name)
    if cell and _column(cell[1]) <= _LAST_COLUMN and 1 <= int(cell[2]) <= _LAST_ROW:
        return "a cell"
    if _ROW_COLUMN.match(name):
        return "a cell, written as row and column,"
    return "a function or word" if name.lower() in _FUNCTIONS else ""


def _column(letters: str) -> int:
    number = 0
    for letter in letters.lower():
        number = number * 26 + ord(letter) - ord("a") + 1
    return number
