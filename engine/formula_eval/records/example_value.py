"""Chooses an example value for an input, as messages show one: within its range, in its declared unit."""

import math
import re

from formula_eval.core.date import date_text
from formula_eval.core.quantity import Quantified
from formula_eval.core.unit import UnitTable, UnknownUnitError
from formula_eval.core.unit_meaning import PREFIXES
from formula_eval.records.schema import InputSchema

_EXACT = 1e15
# What is customary for a dimension, where it lies within the range of the input.
_CUSTOMARY = {
    "byte": (80, "GB"),
    "byte/s": (2.5, "TB/s"),
    "FLOP/s": (989, "TFLOP/s"),
    "s": (5, "us"),
    "J/s": (700, "W"),
    "": (8, ""),
}
_PREFIXES = ("", *PREFIXES["small"], *PREFIXES["decimal"])
_LITERAL = re.compile(r"\b(\d[\d_.]*) ([A-Za-z][A-Za-z/*0-9]*)")
_ROUND = (1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 0.5, 0.1, 0.01, 0.001)


def example_of(schema: InputSchema, units: UnitTable, wanted: float | None = None) -> str:
    """A value that the input takes: `80 GB`, `60 kWh`, `10%`; the `wanted` number, in the unit that is plausible."""
    quantity = schema.quantity
    if wanted and not quantity.is_multiple and (near := _plausible(schema, units, wanted)):
        return near
    if wanted is not None and _allows(schema, quantity.in_base_units(wanted)):
        return _written(wanted, quantity)
    if schema.allowed:
        return _written(quantity.in_unit(schema.allowed[0]), quantity)
    number, unit = _CUSTOMARY.get(quantity.dimension, (1, ""))
    if not quantity.is_multiple and unit and _allows(schema, number * float(units.parse(unit).scale)):
        return f"{number} {unit}"
    candidates = (_CUSTOMARY[""][0], *_ROUND) if takes_plain(quantity) else _ROUND
    found = next((candidate for candidate in candidates if _allows(schema, quantity.in_base_units(candidate))), None)
    if found is None:
        found = quantity.in_unit(_low(schema) if schema.high is None else (_low(schema) + schema.high) / 2)
    return _written(found, quantity)


def _plausible(schema: InputSchema, units: UnitTable, wanted: float) -> str:
    """The number in that multiple of the declared unit which is nearest to the default, or to what is customary."""
    number, unit = _CUSTOMARY.get(schema.quantity.dimension, (0, ""))
    usual = _literal(schema.default, units) or number * _scale(unit, units)
    declared = unit_of(schema).replace("byte", "B", 1)
    multiples = {name: _scale(name, units) for name in (f"{prefix}{declared}" for prefix in _PREFIXES)}
    found = {
        name: scale * abs(wanted) for name, scale in multiples.items() if scale and _allows(schema, scale * wanted)
    }
    if not usual or not found:
        return ""
    return f"{wanted:.12g} {min(found, key=lambda name: abs(math.log(found[name] / usual)))}"


def _literal(text: str, units: UnitTable) -> float:
    """What the first number with a unit in a text is in base units; 0 without one."""
    found = (float(match[1]) * _scale(match[2], units) for match in _LITERAL.finditer(text))
    return next(filter(None, found), 0.0)


def _scale(unit: str, units: UnitTable) -> float:
    """How many base units a unit is; 0 for one that nobody knows."""
    try:
        return float(units.parse(unit).scale)
    except UnknownUnitError:
        return 0.0


def takes_plain(quantity: Quantified) -> bool:
    """Whether a number without a unit is clear: of a plain number, and of what is counted."""
    return not quantity.is_multiple and (not quantity.dimension or quantity.kind == "whole")


def unit_of(schema: InputSchema) -> str:
    """The unit that messages name: the declared one."""
    return schema.quantity.unit or schema.quantity.dimension


def bound_text(value: float) -> str:
    """The end of a range: all digits of a whole number."""
    return f"{value:,.0f}" if value == math.floor(value) and abs(value) < _EXACT else f"{value:g}"


def date_range(low: float | None, high: float | None) -> str:
    """The days between which a date must lie."""
    ends = [date_text(number) for number in (low, high) if number is not None and math.isfinite(number)]
    return " to ".join(ends)


def _written(number: float, quantity: Quantified) -> str:
    return with_unit(f"{number:.12g}", quantity)


def with_unit(text: str, quantity: Quantified) -> str:
    """A number in the declared unit, with that unit where one is needed."""
    if takes_plain(quantity):
        return text
    if quantity.unit == "percent":
        return f"{text}%"
    unit = quantity.unit or quantity.dimension
    return f"{text}{unit.removeprefix('1')}" if unit.startswith("1/") else f"{text} {unit}"


def _low(schema: InputSchema) -> float:
    return 0.0 if schema.low is None else schema.low


def _allows(schema: InputSchema, number: float) -> bool:
    return _low(schema) <= number <= (math.inf if schema.high is None else schema.high)
