"""Defines `Value`: one computed quantity or input with its number, its unit and its origin."""

import math
import re
from typing import Any, Literal

from formula_eval.core.date import date_text
from formula_eval.core.quantity import Quantified
from formula_eval.core.unit import UnitTable
from formula_eval.evaluate.arithmetic_value import ArithmeticValue
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.display_unit import unit_for

_WIDTH = r"(.?[<>^])?\d*s?"  # what a text can be formatted by, nothing included


class Value(ArithmeticValue):
    """One quantity or input: a number in its base unit, a flag or a word, that knows its unit and where it came from.

    Arithmetic and comparison are in the base unit and give plain numbers: `result["inference.ttft"] * 1000` is in ms.
    `value` is None for what is absent or infinite, as `absence` and `why` tell.
    """

    __slots__ = ("absence", "name", "origin", "quantity", "units", "value", "why")

    def __init__(  # noqa: PLR0913, PLR0917 - what there is to know of a number
        self,
        name: str,
        value: float | bool | str | None,  # noqa: FBT001 - a value may be a flag
        quantity: Quantified,
        units: UnitTable,
        origin: str = "",
        why: str = "",
        absence: Literal["", "absent", "infinite"] = "",
    ) -> None:
        """A value of this quantity, which `units` can show in other units."""
        self.name = name
        self.value = value
        self.quantity = quantity
        self.units = units
        self.origin = origin
        self.why = why
        self.absence = absence

    @property
    def plain(self) -> float | int | bool | str | None:
        """The value, `inf` where it is infinite, None where it is absent."""
        return math.inf if self.absence == "infinite" else self.value

    def to(self, unit: str) -> float:
        """The number in a unit of the reader's: `result["inference.ttft"].to("ms")`.

        Raises:
            FormulaError: for an unknown unit, one of another dimension, or a value that is not a number.

        """
        shown = unit_for(self.quantity, unit, self.units, f"`{self.name}`").quantity(self.quantity.kind)
        return shown.in_unit(self.as_number())

    def with_number(self, number: float) -> "Value":
        """The same quantity with another number, in base units."""
        return Value(self.name, number, self.quantity, self.units, self.origin)

    def __repr__(self) -> str:
        """The name and the text: `inference.ttft = 41.87 ms`."""
        return f"{self.name} = {self}"

    def __str__(self) -> str:
        """For people: `137.95 GB`, `1.85 ms`, `68,976,648,192`."""
        if self.value is None and self.absence == "infinite":
            return "infinite"
        return shown_value(self.value, self.quantity)

    @property
    def unit(self) -> str:
        """The unit that `value` is in: `byte`, `s`, `byte/token`, ...; empty for a plain number."""
        return base_unit(self.quantity)

    @property
    def declared(self) -> tuple[float | int | bool | str | None, str]:
        """The value in the unit that its author declared, and that unit: `0.32`, `USD/kWh`."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float) or not self.quantity.is_multiple:
            return self.value, self.unit
        return typed_value(self.quantity.in_unit(self.value), self.quantity), self.quantity.unit

    def to_data(self) -> dict[str, Any]:
        """`value` and `unit`, both again as the author declared them if that differs, and an input's `origin`."""
        data: dict[str, Any] = {"value": self.value, "unit": self.unit}
        if self.declared[1] != self.unit:
            data["declared"] = dict(zip(("value", "unit"), self.declared, strict=True))
        return {**data, "origin": self.origin} if self.origin else data

    def __format__(self, spec: str) -> str:
        """The number where the specification is one of numbers, as `.3f` is, else the text, as wide as it says."""
        is_number = isinstance(self.plain, int | float) and not re.fullmatch(_WIDTH, spec)
        return format(self.plain, spec) if is_number else format(str(self), spec)

    def _repr_html_(self) -> str:
        from html import escape  # noqa: PLC0415 - for notebooks alone

        return f"<code>{escape(self.name)}</code> = <b>{escape(str(self))}</b>"


def base_unit(quantity: Quantified) -> str:
    """The unit of the stored number: the author's unless that is a multiple (`hour` is shown, `s` is stored)."""
    return quantity.dimension if quantity.is_multiple else quantity.unit


def typed_value(number: float, quantity: Quantified) -> float | int | bool | str:
    """The number converted to its type: a flag, a word, the text of a date, a whole number, or unchanged."""
    if quantity.kind == "flag":
        return bool(number)
    if quantity.kind == "choice":
        return quantity.words[int(number)]
    if quantity.kind == "date":
        return date_text(number)
    if number == math.floor(number) and abs(number) < 2**53:
        return int(number)
    return number
