"""Adds Excel's validation to the cells of inputs: whole numbers, bounds, words of a list."""

from typing import Any

from formula_eval.ask.workbook.naming import CUSTOM
from formula_eval.core.graph import Node
from formula_eval.core.type import Choice, Date, Flag
from formula_eval.export.workbook.record_tables import Selector
from formula_eval.export.workbook.sheet import Sheet, fit_text
from formula_eval.export.workbook.workbook_context import Book
from formula_eval.records.example_value import date_range

_MOST_LIST, _MOST_TITLE, _MOST_MESSAGE = 255, 32, 255


def validate(book: Book, sheet: Sheet, node: Node, at: tuple[int, int], last: int | None = None) -> None:
    """Let a cell, or a column of cells down to `last`, take only what the input may be."""
    rule = {**_rule(book, node), "ignore_blank": True, "error_title": fit_text(node.name)[:_MOST_TITLE]}
    allowed = allowed_text(book, node)
    rule["error_message"] = f"{node.name} takes {allowed}."[:_MOST_MESSAGE] if allowed else "This is not such a value."
    if last is None:
        sentence = fit_text(node.sentence)
        rule["input_title"] = fit_text(node.name)[:_MOST_TITLE]
        rule["input_message"] = f"{sentence}. {allowed}".strip()[: _MOST_MESSAGE - 1] or " "
    row, column = at
    sheet.raw.data_validation(row, column, row if last is None else last, column, rule)


def validate_record(book: Book, sheet: Sheet, selector: Selector, at: tuple[int, int]) -> None:
    """Let a cell take only the ids of records."""
    ids = book.naming.places[f"{selector.supplier} ids"]
    message = f"Choose a row of the sheet {ids.sheet}; {CUSTOM} is the one that you fill in."
    rule = {"validate": "list", "source": f"={ids.address()}", "input_title": selector.key[:_MOST_TITLE]}
    sheet.raw.data_validation(*at, *at, {**rule, "input_message": message, "error_message": message})


def _rule(book: Book, node: Node) -> dict[str, Any]:
    if isinstance(node.type, Flag):
        return {"validate": "list", "source": ["yes", "no"]}
    if isinstance(node.type, Choice) and len(",".join(node.type.values)) <= _MOST_LIST:
        return {"validate": "list", "source": list(node.type.values)}
    if isinstance(node.type, Choice) or (isinstance(node.type, Date) and node.low is None):
        return {"validate": "any"}
    if node.allowed:
        return {"validate": "list", "source": [f"{number:g}" for number in node.allowed]}
    scale = book.units.typed(node)
    low = scale.number(node.low or 0.0)
    kind = "integer" if getattr(node.type, "whole", False) and scale.factor == 1 else "decimal"
    if node.high is None:
        return {"validate": kind, "criteria": ">=", "value": low}
    return {"validate": kind, "criteria": "between", "minimum": low, "maximum": scale.number(node.high)}


def allowed_text(book: Book, node: Node) -> str:
    """The values that an input may have, in words."""
    if isinstance(node.type, Flag):
        return "yes or no"
    if isinstance(node.type, Choice):
        return ", ".join(node.type.values)
    if node.allowed:
        return ", ".join(f"{number:g}" for number in node.allowed)
    scale = book.units.typed(node)
    if isinstance(node.type, Date):
        return date_range(node.low, node.high) or "any day"
    low, high = scale.number(node.low or 0.0), node.high
    if high is None:
        return f"{low:,g} or more"
    return f"{_bound(low)} to {_bound(scale.number(high))}"


def _bound(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:g}"
