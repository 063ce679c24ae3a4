"""Resolves what a template of a workbook may name to live formulas: values, inputs, rows of tables, checks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from formula_eval.ask.workbook.naming import CHECKS, CellRange
from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.core.graph import Check, Node
from formula_eval.core.namespace import COPY_MARK
from formula_eval.core.table import FILLED, TableShape
from formula_eval.core.type import Choice, Flag
from formula_eval.evaluate.display_unit import unit_for
from formula_eval.export.workbook import units
from formula_eval.export.workbook.checks_sheet import HOLDS, MESSAGE
from formula_eval.export.workbook.workbook_context import Book
from formula_eval.printing.excel import excel_number

_ANYWHERE = ""
_Operator = Callable[["LiveValue", object], "LiveValue"]


def _arithmetic(sign: str) -> tuple[_Operator, _Operator]:
    """The formulas of a value with another one behind the sign, and before it."""

    def made(left: "LiveValue", right: "LiveValue") -> "LiveValue":
        return LiveValue(f"({left.formula}){sign}({right.formula})", left.number_format)

    return lambda own, other: made(own, _live(other)), lambda own, other: made(_live(other), own)


@dataclass(frozen=True, slots=True)
class LiveValue:
    """A formula and the format of its number; arithmetic with it makes a longer formula."""

    formula: str
    number_format: str = ""
    is_text: bool = False

    def text(self) -> str:
        """The formula of its text within a sentence."""
        if self.is_text:
            return self.formula
        return (
            f'TEXT({self.formula},"#,##0")' if self.number_format == units.WHOLE_FORMAT else f"ROUND({self.formula},4)"
        )

    def __str__(self) -> str:
        """The text of its cell."""
        return f"={self.formula}"

    def __neg__(self) -> "LiveValue":
        """The formula of its negative."""
        return LiveValue(f"-({self.formula})", self.number_format)

    __add__, __radd__ = _arithmetic("+")
    __sub__, __rsub__ = _arithmetic("-")
    __mul__, __rmul__ = _arithmetic("*")
    __truediv__, __rtruediv__ = _arithmetic("/")


def _live(value: object) -> LiveValue:
    if isinstance(value, LiveValue) and not value.is_text:
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return LiveValue(excel_number(Fraction(value)))
    raise TypeError(f"`{value}` is not a number")


def live_values(book: Book) -> dict[str, Any]:
    """The names that cells may use."""
    schema = book.document.evaluator.schema

    def value(name: str, unit: str = "") -> LiveValue:
        if name not in book.naming.places or name not in book.document.graph.nodes:
            known = [place for place in book.naming.places if place in book.document.graph.nodes]
            raise refuse(
                "unknown-quantity", f"no quantity of this workbook is named `{name}`", help=nearest(name, known)
            )
        return live_value(book, book.document.graph.nodes[name], unit)

    def given(name: str, unit: str = "") -> LiveValue:
        if name not in schema.inputs:
            raise refuse("unknown-input", f"no input is named `{name}`", help=nearest(name, schema.inputs))
        return value(name, unit)

    return {
        "value": value,
        "input": given,
        "operators": lambda table: _rows(book, table),
        "checks": [_check(book, place) for place in book.document.checks],
        "title": book.document.evaluator.library.title,
        "command": book.document.command,
    }


def live_value(book: Book, node: Node, unit: str = "") -> LiveValue:
    """The formula of a node's value in a unit, by default the one in which it is typed or declared."""
    cell = book.naming.reference(node.name, _ANYWHERE)
    if isinstance(node.type, Flag):
        return LiveValue(f'IF({cell},"yes","no")', is_text=True)
    if isinstance(node.type, Choice):
        return LiveValue(cell, is_text=True)
    if unit:
        wanted = unit_for(node.quantity, unit, book.units.table, f"`{node.name}`")
        return LiveValue(units.UnitScale(unit, wanted.scale).from_base(cell), _format(node))
    scale = book.units.typed(node) if node.kind == "input" else book.units.declared(node)
    return LiveValue(scale.from_base(cell), units.number_format(node, _format(node)))


def _format(node: Node) -> str:
    return units.WHOLE_FORMAT if getattr(node.type, "whole", False) else ""


def _rows(book: Book, named: str) -> list[Mapping[str, Any]]:
    """The rows of a table that the workbook holds: their names, and the cells of their columns."""
    name, _, binding = named.partition(COPY_MARK)
    table = book.document.graph.tables.get(name)
    if table is None:
        help_ = nearest(name, book.document.graph.tables)
        raise refuse("unknown-table", f"no table is named `{name}`", help=help_)
    rows = {row: _row(book, table, row, f"{COPY_MARK}{binding}" if binding else "") for row in table.rows}
    if not any(rows.values()):
        raise refuse("unknown-table", f"this workbook holds no row of `{named}`", help="`--only` may name its cells.")
    return [{"name": row.replace("_", " "), **cells} for row, cells in rows.items() if cells]


def _row(book: Book, table: TableShape, row: str, suffix: str) -> dict[str, LiveValue]:
    """The cells of a row that the workbook holds, by column; a cell itself where no input of the copy changes it."""
    found = {}
    for column in table.columns:
        copies = (f"{table.cell(row, column)}{suffix}", table.cell(row, column))
        cell = next((copy for copy in copies if copy in book.naming.places), "")
        if cell and column != FILLED:
            found[column] = live_value(book, book.document.graph.nodes[cell])
    return found


def _check(book: Book, check: Check) -> Mapping[str, Any]:
    """A check: its name, its level, and live whether it holds and what it says."""
    row = book.naming.places[f"check {check.node}"].row
    holds, message = (CellRange(CHECKS, row, column).address(_ANYWHERE) for column in (HOLDS, MESSAGE))
    return {
        "name": check.node,
        "level": check.level,
        "holds": LiveValue(f'IF({holds}=1,"yes","no")', is_text=True),
        "message": LiveValue(message, is_text=True),
    }
