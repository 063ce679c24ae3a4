"""Defines units and their dimensions, and parses texts such as `TFLOP/s` into a scale and a dimension."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from formula_eval.core.diagnostic import nearest_unit
from formula_eval.core.named_mapping import NamedMapping
from formula_eval.core.quantity import Quantified

PART = r"(?P<op>[*/]?)(?P<name>[A-Za-z]+|1|%)(?:\*\*(?P<power>[1-9]))?"
_SIGNS = {"%": "percent"}
# How a number of it is written: with the plural of its name, as money is, with two digits behind the point, or without
# a prefix that nobody asked for.
Style = Literal["", "counted", "cents", "fixed"]


class Dimension(NamedTuple):
    """Exponents of the checked base units, sorted by name; a plain number has none."""

    exponents: tuple[tuple[str, Fraction], ...] = ()

    def __mul__(self, other: "Dimension") -> "Dimension":  # type: ignore[override]
        """The dimension of a product."""
        total = dict(self.exponents)
        for name, power in other.exponents:
            total[name] = total.get(name, Fraction(0)) + power
        return Dimension(tuple(sorted((name, power) for name, power in total.items() if power)))

    def __pow__(self, power: Fraction) -> "Dimension":
        """The dimension of a power."""
        return Dimension(tuple((name, fraction * power) for name, fraction in self.exponents if power))

    def __truediv__(self, other: "Dimension") -> "Dimension":
        """The dimension of a quotient."""
        return self * other ** Fraction(-1)

    def __str__(self) -> str:
        """As the language writes it: `byte/s`, or `a plain number`."""
        if not self.exponents:
            return "a plain number"
        above = [_power(name, power) for name, power in self.exponents if power > 0]
        below = [_power(name, -power) for name, power in self.exponents if power < 0]
        return "*".join(above or ["1"]) + "".join(f"/{text}" for text in below)


def _power(name: str, power: Fraction) -> str:
    return name if power == 1 else f"{name}**{power}"


PLAIN = Dimension()
TIME = Dimension((("s", Fraction(1)),))


class Unit(NamedTuple):
    """A unit as written, how many base units it is, and its dimension.

    A count is 1 of itself: with no dimension, or with one of its own if it is checked.
    """

    text: str
    scale: Fraction = Fraction(1)
    dimension: Dimension = PLAIN
    is_count: bool = False
    style: Style = ""

    @property
    def meaning(self) -> str:
        """What it is: a unit of its own, a count, or a number of base units."""
        own = dict(self.dimension.exponents) == {self.text: 1}
        if self.is_count:
            return "a count that is checked" if own else "a count"
        if own:
            return "a unit of its own"
        return f"{self.scale} {self.dimension}" if self.dimension.exponents else f"{self.scale}"

    def quantity(self, kind: str = "number") -> Quantified:
        """What a value of this unit is, as plain data."""
        dimension = str(self.dimension) if self.dimension.exponents else ""
        scale = self.scale.numerator, self.scale.denominator
        return Quantified(kind, self.text, dimension, scale=scale, style=self.style)


NO_UNIT = Unit("")


class UnknownUnitError(ValueError):
    """A unit text that no unit of the table explains."""


class UnitTable:
    """All unit names with their meaning, as the `unit` statements say it; equal only to itself."""

    def __init__(
        self,
        units: Mapping[str, Unit] | None = None,
        others: Mapping[str, str] | None = None,
        advised: Callable[[str], str] | None = None,
    ) -> None:
        """A table of units by name, or of none, what else people call them, and what to say in place of others."""
        self.units: Mapping[str, Unit] = {} if units is None else units
        self.others: Mapping[str, str] = {} if others is None else others
        self._advised = advised
        self._parsed: dict[str, Unit] = {}

    def parse(self, text: str) -> Unit:
        """The unit written as `byte/token`, `kg/m**3`, `1/s` or `FLOP*s`; raises UnknownUnitError."""
        if text not in self._parsed:
            self._parsed[text] = self._parse(text)
        return self._parsed[text]

    def explains(self, text: str) -> bool:
        """Whether `parse` knows a text."""
        try:
            self.parse(text)
        except UnknownUnitError:
            return False
        return True

    def help(self, unknown: str) -> str:
        """What to write in place of a name that is no unit: what is known of it, `EUR`, or a unit that is nearly so."""
        return (self._advised and self._advised(unknown)) or nearest_unit(unknown, self.units)

    def _parse(self, text: str) -> Unit:
        compact = text.replace(" ", "")
        scale, dimension, end, count = Fraction(1), PLAIN, 0, True
        style: Style = ""
        for match in re.finditer(PART, compact):
            name, before = _SIGNS.get(match["name"], match["name"]), compact[end : match.start()]
            if before and not any(map(str.isdigit, before)):
                raise UnknownUnitError(before)
            if before or bool(match["op"]) != bool(end):
                raise UnknownUnitError(name)
            unit = self._unit(name)
            power = int(match["power"] or 1) * (-1 if match["op"] == "/" else 1)
            scale, dimension = scale * unit.scale**power, dimension * unit.dimension ** Fraction(power)
            style = unit.style if not end and power == 1 else style
            count, end = count and unit.is_count and power == 1, match.end()
        if not compact or end != len(compact):
            raise UnknownUnitError(compact[end:] or text)
        return Unit(compact, scale, dimension, count, style)

    def _unit(self, name: str) -> Unit:
        if name == "1":
            return Unit("1")
        try:
            return self.units[name]
        except KeyError:
            raise UnknownUnitError(name) from None

    def to_data(self) -> dict[str, Any]:
        """Plain data for a cache."""
        return {
            name: [
                *(unit.scale.numerator, unit.scale.denominator, int(unit.is_count), unit.style),
                *([base, power.numerator, power.denominator] for base, power in unit.dimension.exponents),
            ]
            for name, unit in self.units.items()
        }


class _KeptUnits(NamedMapping[Unit]):
    """The units of a kept table, each made when it is asked for: an answer reads a few of a hundred."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        self._data = data

    def __getitem__(self, name: str) -> Unit:
        above, below, count, style, *exponents = self._data[name]
        dimension = Dimension(tuple((base, Fraction(*power)) for base, *power in exponents))
        return Unit(name, Fraction(above, below), dimension, bool(count), style)


def kept_units(data: Mapping[str, Any], others: Mapping[str, str], advised: Callable[[str], str]) -> UnitTable:
    """The table whose data were kept, what people call its units, and what to say in place of others."""
    return UnitTable(_KeptUnits(data), others, advised)
