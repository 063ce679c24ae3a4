"""Prints the unit of a quantity for messages: as its author declared it, or made of units so declared."""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from formula_eval.core.type import Quantity, Written
from formula_eval.core.unit import PART, PLAIN, Dimension, Unit, UnitTable

Factors = Mapping[str, Fraction]
_PLAIN = "a plain number"


class ShownUnit(NamedTuple):
    """The text of a unit, and what it is a multiple of where its name does not tell: `kWp`, `W`."""

    text: str
    meaning: str = ""

    def __str__(self) -> str:
        """As it stands in a message."""
        if not self.text:
            return _PLAIN
        return f"`{self.text}` ({self.meaning})" if self.meaning else f"`{self.text}`"


def shown_unit(quantity: Quantity, units: UnitTable) -> ShownUnit:
    """The unit of a quantity: one that was declared keeps its text, what was made of several is the shorter text."""
    written, dimension = quantity.written, quantity.dimension
    factors = factors_of(written, units)
    if not (isinstance(written, Unit) and written.text and written.dimension == dimension):
        return ShownUnit(unit_text_of(_shortest(factors, dimension, units)))
    base = unit_text_of(base_factors(dimension, units)) or _PLAIN
    is_told = written.text.endswith(base) or unit_text_of(factors) == base  # as km ends with m
    return ShownUnit(written.text, "" if is_told else base)


def missing_factors(wanted: Quantity, found: Quantity, units: UnitTable) -> Factors:
    """What the one lacks to be the other, in the units of both."""
    factors = factors_of((wanted.written, Fraction(-1), found.written), units)
    return _shortest(factors, wanted.dimension / found.dimension, units)


def unit_text_of(factors: Factors) -> str:
    """These factors as the language writes a unit; nothing where there are none."""
    return str(Dimension(tuple(factors.items()))) if factors else ""


def factors_of(written: Written, units: UnitTable) -> dict[str, Fraction]:
    """The checked units that something is made of, with their powers; those of one dimension are one."""
    found: dict[str, Fraction] = {}
    stack: list[tuple[Written, Fraction]] = [(written, Fraction(1))]
    while stack:
        each, power = stack.pop()
        if isinstance(each, Unit):
            for name, inner in _powers(each.text).items():
                found[name] = found.get(name, Fraction(0)) + power * inner
        elif each is not None:
            stack += [(each[2], power * each[1]), (each[0], power)]
    merged: dict[Dimension, str] = {PLAIN: ""}
    for name in list(found):
        first = merged.setdefault(units.parse(name).dimension, name)
        if first != name:
            power = found.pop(name)
            found.update({first: found[first] + power} if first else {})
    return {name: power for name, power in found.items() if power}


def base_factors(dimension: Dimension, units: UnitTable) -> Factors:
    """A dimension in as few units as are known, none of which is a multiple: W/panel for J/panel/s."""
    best: Factors = dict(dimension.exponents)
    for name in units.units:
        unit = units.units[name]
        if unit.scale == 1 and len(unit.dimension.exponents) > 1:
            for power in (Fraction(1), Fraction(-1)):
                factors = {name: power, **dict((dimension / unit.dimension**power).exponents)}
                best = factors if size(factors) < size(best) else best
    return best


def size(factors: Factors) -> Fraction:
    """How many units a text of these names, a square twice."""
    return sum(map(abs, factors.values()), Fraction(0))


def _shortest(factors: Factors, dimension: Dimension, units: UnitTable) -> Factors:
    """These factors, or those of the dimension where they are fewer, or are all that is known."""
    made = PLAIN
    for name, power in factors.items():
        made = made * units.parse(name).dimension ** power
    base = base_factors(dimension, units)
    return base if made != dimension or size(base) < size(factors) else factors


def _powers(text: str) -> dict[str, Fraction]:
    """The names in the text of a unit, with their powers."""
    found: dict[str, Fraction] = {}
    for part in re.finditer(PART, text):
        if part["name"] not in ("1", "%"):
            power = Fraction(int(part["power"] or 1) * (-1 if part["op"] == "/" else 1))
            found[part["name"]] = found.get(part["name"], Fraction(0)) + power
    return found
