"""A value as a user or a record writes it to a number in base units."""

import math
import re
from fractions import Fraction
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import FormulaError, nearest, refuse
from formula_eval.core.unit import UnitTable, UnknownUnitError
from formula_eval.records.schema import InputSchema

Number = float | bool | int


class InBaseUnits(NamedTuple):
    """A number that is known to be in base units, as Python gives it; text and files name their unit."""

    number: float

    def __str__(self) -> str:
        """The number."""
        return f"{self.number:g}"


_QUANTITY = re.compile(r"\s*([-+]?[0-9][0-9_,]*(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)\s*(.*?)\s*")
_FLAGS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
_LONGEST = 60
_EXACT = 1e15
_EXAMPLES = {
    "byte": "80 GB",
    "byte/s": "2.5 TB/s",
    "FLOP/s": "989 TFLOP/s",
    "s": "5 us",
    "J/s": "700 W",
    "USD/s": "2 USD/hour",
    "1/s": "2/s",
}


def read_value(value: Any, schema: InputSchema, units: UnitTable, origin: str) -> Number:  # noqa: ANN401 - whatever TOML or JSON holds
    """The number that an input's value means; a choice is the index of its word. Raises FormulaError."""
    reading = _Reading(value, schema, units, origin)
    match schema.quantity.kind:
        case "flag":
            return reading.flag()
        case "choice":
            return reading.word()
        case "record":
            raise reading.refused(f"names a {schema.quantity.unit}, which is said as an option of its own")
    return reading.number()


class _Reading(NamedTuple):
    """One value, what it should be, and who said it."""

    value: Any
    schema: InputSchema
    units: UnitTable
    origin: str

    def refused(self, why: str, help_: str = "") -> FormulaError:
        """The error that says why, and what to do or what the input is."""
        message = f"{self.origin}: `{self.schema.name} = {_literal(self.value)}` {why}"
        return refuse("bad-value", message, help=help_ or f"{self.schema.sentence}.")

    def flag(self) -> bool:
        """`true`, `no`, `1`: also as text."""
        found = self.value if isinstance(self.value, bool) else _FLAGS.get(str(self.value).lower())
        if found is None or isinstance(self.value, float):
            raise self.refused("is no flag", "Write true or false.")
        return found

    def word(self) -> int:
        """The index of a choice's word."""
        words = self.schema.quantity.words
        if self.value not in words:
            raise self.refused(f"is none of {', '.join(words)}", nearest(str(self.value), words))
        return words.index(str(self.value))

    def number(self) -> float:
        """A number in base units, within its range."""
        number = self.value.number if isinstance(self.value, InBaseUnits) else self._written()
        if not math.isfinite(number):
            raise self.refused("is out of range")
        self._check_domain(number)
        return number

    def _written(self) -> float:
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise self.refused("is no number")
        if isinstance(value, str):
            match = _QUANTITY.fullmatch(value)
            if match is None:
                raise self.refused("is no number", self._example())
            return self._scaled(match[1].replace("_", "").replace(",", ""), match[2])
        try:
            number = float(value)
        except OverflowError:
            return math.inf
        if self.schema.quantity.dimension and number != 0:
            raise self._without_unit()
        return number

    def _without_unit(self) -> FormulaError:
        return self.refused(f"lacks its unit, {self.schema.quantity.dimension.removeprefix('1')}", self._example())

    def _scaled(self, text: str, unit: str) -> float:
        number, wanted = float(text), self.schema.quantity.dimension
        if not unit and wanted and number != 0:
            raise self._without_unit()
        if not unit or not math.isfinite(number):
            return number
        try:
            known = self.units.parse(f"1{unit}" if unit.startswith("/") else unit)
        except UnknownUnitError as unknown:
            help_ = nearest(str(unknown), self.units.units) or self._example()
            raise self.refused(f"has an unknown unit, `{unknown}`", help_) from unknown
        found = str(known.dimension) if known.dimension.exponents else ""
        if found != wanted:
            has, needs = found or "a plain number", wanted or "a plain number"
            raise self.refused(f"is {has}, but {needs} is needed", self._example())
        return _product(text, known.scale) if number else 0.0

    def _example(self) -> str:
        name, wanted = self.schema.name, self.schema.quantity.dimension
        example = _EXAMPLES.get(wanted, f"1 {wanted}" if wanted else "8")
        if self.origin.startswith("--"):
            option = f"--{name.replace('_', '-')}"
            return f'For example `{option} "{example}"`.' if wanted else f"For example `{option} {example}`."
        return f'For example `{name} = "{example}"`.' if wanted else f"For example `{name} = {example}`."

    def _check_domain(self, number: float) -> None:
        schema = self.schema
        if schema.quantity.kind == "whole" and number != math.floor(number):
            raise self.refused("is no whole number")
        if schema.allowed:
            if number not in schema.allowed:
                raise self.refused(f"is none of {', '.join(f'{each:g}' for each in schema.allowed)}")
            return
        low, high = (schema.low if schema.low is not None else 0.0), schema.high
        if number < low or (high is not None and number > high):
            bounds = f"{_bound(low)} to {_bound(high)}" if high is not None else f"at least {_bound(low)}"
            unit = f" {schema.quantity.dimension}" if schema.quantity.dimension else ""
            raise self.refused(f"is outside {bounds}{unit}")


def _product(text: str, scale: Fraction) -> float:
    """Exact, so that 0.85 us is the float nearest to it; the text is a finite float other than 0."""
    try:
        return float(Fraction(text) * scale)
    except OverflowError:
        return math.inf


def _literal(value: object) -> str:
    try:
        text = str(value).lower() if isinstance(value, bool) else str(value)
    except ValueError:
        return "a number of thousands of digits"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _bound(value: float) -> str:
    return f"{value:,.0f}" if value == math.floor(value) and abs(value) < _EXACT else f"{value:g}"
