"""Units: what a quantity is measured in, and how a text like `TFLOP/s` becomes a scale and a dimension."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

_PART = re.compile(r"(?P<op>[*/]?)(?P<name>[A-Za-z]+|1)(?:\*\*(?P<power>\d))?")


@dataclass(frozen=True, slots=True)
class Dimension:
    """Exponents of the checked base units, sorted by name; a plain number has none."""

    exponents: tuple[tuple[str, Fraction], ...] = ()

    def __mul__(self, other: "Dimension") -> "Dimension":
        """The dimension of a product."""
        total = dict(self.exponents)
        for name, power in other.exponents:
            total[name] = total.get(name, Fraction(0)) + power
        return Dimension(tuple(sorted((name, power) for name, power in total.items() if power)))

    def __pow__(self, power: Fraction) -> "Dimension":
        """The dimension of a power."""
        return Dimension(tuple((name, each * power) for name, each in self.exponents if power))

    def __truediv__(self, other: "Dimension") -> "Dimension":
        """The dimension of a quotient."""
        return self * other ** Fraction(-1)

    def __str__(self) -> str:
        """As the language writes it: `byte/s`, or `a plain number`."""
        if not self.exponents:
            return "a plain number"
        above = [_power(name, power) for name, power in self.exponents if power > 0]
        below = [_power(name, -power) for name, power in self.exponents if power < 0]
        return "*".join(above or ["1"]) + "".join(f"/{each}" for each in below)


def _power(name: str, power: Fraction) -> str:
    return name if power == 1 else f"{name}**{power}"


PLAIN = Dimension()


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as written, how many base units it is, and its dimension; counts have scale 1 and no dimension."""

    text: str
    scale: Fraction = Fraction(1)
    dimension: Dimension = PLAIN
    count: bool = False


class UnknownUnitError(ValueError):
    """A unit text that no unit of the table explains."""


@dataclass(frozen=True, slots=True, eq=False)
class UnitTable:
    """All unit names with their meaning, as `units.toml` states them; equal only to itself."""

    units: Mapping[str, Unit] = field(default_factory=dict)

    def parse(self, text: str) -> Unit:
        """The unit written as `byte/token`, `USD/s/GPU`, `1/s` or `FLOP*s`; raises UnknownUnitError."""
        compact = text.replace(" ", "")
        scale, dimension, end, count = Fraction(1), PLAIN, 0, True
        for match in _PART.finditer(compact):
            name = match["name"]
            if match.start() != end or (name != "1" and name not in self.units) or bool(match["op"]) != bool(end):
                raise UnknownUnitError(name)
            unit = self.units[name] if name != "1" else Unit("1")
            power = int(match["power"] or 1) * (-1 if match["op"] == "/" else 1)
            scale, dimension = scale * unit.scale**power, dimension * unit.dimension ** Fraction(power)
            count, end = count and unit.count and power == 1, match.end()
        if not compact or end != len(compact):
            raise UnknownUnitError(compact[end:] or text)
        return Unit(compact, scale, dimension, count)


def unit_table(data: Mapping[str, Mapping[str, object]]) -> UnitTable:
    """The table that the contents of `units.toml` describe."""
    units = {name: Unit(name, dimension=Dimension(((name, Fraction(1)),))) for name in data["base"]}
    for name, text in data["derived"].items():
        number, unit = str(text).split(" ", 1)
        known = UnitTable(units).parse(unit)
        units[name] = Unit(name, Fraction(number) * known.scale, known.dimension)
    for name, families in data["prefixed"].items():
        prefixes = data["prefix"]
        for family in families:  # type: ignore[attr-defined]
            for prefix, scale in prefixes[family].items():  # type: ignore[attr-defined]
                units[prefix + name] = Unit(prefix + name, Fraction(scale) * units[name].scale, units[name].dimension)
    counts = {name: Unit(name, count=True) for name in data["count"]}
    clash = units.keys() & counts.keys()
    if clash:
        raise ValueError(f"units.toml names {sorted(clash)} both as a unit and as a count")
    return UnitTable(units | counts)
