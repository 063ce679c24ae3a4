"""Converts quantities for a workbook: to base units, to the unit they are typed in, to the unit that fits."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from formula_eval.ask.layout import Section
from formula_eval.ask.workbook.naming import DAY, DAY_OF_1970
from formula_eval.ask.workbook.workbook_layout import WorkbookLayout
from formula_eval.core import expression as e
from formula_eval.core.graph import Node
from formula_eval.core.quantity import plural
from formula_eval.core.type import Choice, Date, Flag, Quantity
from formula_eval.core.unit import UnitTable, UnknownUnitError
from formula_eval.evaluate.value import base_unit
from formula_eval.printing.excel import excel_number, excel_string
from formula_eval.records.record import NOTHING

Value = float | int | bool | str
ABSENT = "#N/A"
INFINITE = 1e300
_EXACT = 2**53
WHOLE_FORMAT = '[>=1E+290]"infinite";#,##0'
SCALED_FORMAT = "[>=1E+15]0.0E+0;[<0]-#,##0.00;#,##0.00"
PERCENT_FORMAT = "0.0%"
MONEY_FORMAT = "[>=1000]#,##0;[>=1]0.00;0.00##"
DATE_FORMAT = "yyyy-mm-dd"
TIME_FORMAT = '[>=1E+290]"infinite";[<1]0.0000;#,##0.00'
ANY_FORMAT = "[=0]0;[<1]0.0000;#,##0.00"


class LiveCell(NamedTuple):
    """The formula of a cell, or of a part of one, and its value now."""

    text: str
    value: Value


@dataclass(frozen=True, slots=True)
class UnitScale:
    """A unit and how many base units it is."""

    unit: str = ""
    factor: Fraction = Fraction(1)

    @property
    def is_base(self) -> bool:
        """Whether the unit is the base unit."""
        return self.factor == 1

    def to_base(self, cell: str) -> str:
        """The formula of a cell's value in base units."""
        if self.factor == 1:
            return cell
        if self.factor.numerator == 1 and self.factor.denominator < _EXACT:
            return f"{cell}/{excel_number(Fraction(self.factor.denominator))}"
        return f"{cell}*{excel_number(self.factor)}"

    def from_base(self, cell: str) -> str:
        """The formula of a cell of base units in this unit."""
        return UnitScale(factor=1 / self.factor).to_base(cell)

    def number(self, value: float) -> float:
        """A value in base units in this unit, by the arithmetic of `from_base`."""
        inverse = 1 / self.factor
        return value / inverse.denominator if inverse.numerator == 1 else value * float(inverse)

    def typed(self, value: float) -> Value:
        """A value in base units as somebody would type it in this unit."""
        if self.factor == 1:
            return plain(value)
        short = float(f"{value / float(self.factor):.13g}")
        return plain(
            short if math.isclose(float(Fraction(short) * self.factor), value, rel_tol=1e-15) else self.number(value)
        )


@dataclass(frozen=True, slots=True)
class Day(UnitScale):
    """Dates, which a spreadsheet holds as days since 1899-12-30 and the formulas as seconds since 1970-01-01."""

    @property
    def is_base(self) -> bool:
        """Never."""
        return False

    def to_base(self, cell: str) -> str:
        """The formula of a cell's day in seconds."""
        return f"({cell}-{DAY_OF_1970})*{DAY}"

    def from_base(self, cell: str) -> str:
        """The formula of a cell of seconds as a day."""
        return f"{cell}/{DAY}+{DAY_OF_1970}"

    def number(self, value: float) -> float:
        """Seconds as a day."""
        return value / DAY + DAY_OF_1970

    def typed(self, value: float) -> Value:
        """Seconds as somebody would type the day."""
        return plain(self.number(value))


def day_text(day: str) -> str:
    """The formula of a day, which is one of a cell, as text that is the same in every language."""
    return f'TEXT(YEAR({day})*10000+MONTH({day})*100+DAY({day}),"0000-00-00")'


def money_format(suffix: str) -> str:
    """The number format of an amount of money, with its unit."""
    return ";".join(f"{part}{suffix}" for part in MONEY_FORMAT.split(";"))


def number_format(node: Node, otherwise: str = "General") -> str:
    """How the cell of a node shows its number: a date as one."""
    return DATE_FORMAT if isinstance(node.type, Date) else otherwise


@dataclass(frozen=True, slots=True)
class Units:
    """The units of a library, as a workbook uses them."""

    table: UnitTable
    layout: WorkbookLayout

    def typed(self, node: Node) -> UnitScale:
        """The unit in which an input is typed: a declared multiple, that of its default, else the customary one."""
        if isinstance(node.type, Date):
            return Day()
        if not isinstance(node.type, Quantity):
            return UnitScale()
        dimension = node.quantity.dimension
        if node.quantity.is_multiple:
            return UnitScale(node.unit, node.shown_in.scale)
        if not dimension:
            return UnitScale(node.unit)
        default = node.author
        if isinstance(default, e.Number) and default.value and default.unit:
            return self.scale(default.unit)
        return self.scale(self.layout.typed.get(dimension, node.unit or dimension))

    def scale(self, unit: str) -> UnitScale:
        """The scale of a unit; one that is unknown counts 1."""
        try:
            return UnitScale(unit, self.table.parse(unit).scale)
        except UnknownUnitError:
            return UnitScale(unit)

    def plural(self, unit: str) -> str:
        """A unit with what it counts in the plural: `tokens/s`."""
        first, slash, rest = unit.partition("/")
        return f"{plural(first)}{slash}{rest}" if self._is_count(first) else unit

    def base(self, node: Node) -> str:
        """The unit in which a node's value is held."""
        return base_unit(node.quantity) if isinstance(node.type, Quantity) else ""

    def declared(self, node: Node) -> UnitScale:
        """The unit of a value for which a layout names none: a declared multiple, else its base unit."""
        if isinstance(node.type, Quantity) and node.quantity.is_multiple:
            return UnitScale(node.unit, node.shown_in.scale)
        return UnitScale(self.base(node) or node.unit)

    def of_section(self, section: Section, node: Node) -> UnitScale:
        """The unit of a value that a layout shows: the one that it names, else the one that its author declared."""
        return self.scale(section["unit"]) if "unit" in section else self.declared(node)

    def shown(self, node: Node) -> Sequence[UnitScale]:
        """The units among which a value is shown, small to large; none if it is shown as it is held."""
        if isinstance(node.type, Date):
            return (Day(),)
        if not isinstance(node.type, Quantity):
            return ()
        quantity = node.quantity
        if quantity.is_multiple:
            return (UnitScale(node.unit, node.shown_in.scale),)
        if not quantity.dimension:
            return ()
        extra = "".join(f"/{part}" for part in node.unit.split("/")[1:] if self._is_count(part))
        scales = [self.scale(unit) for unit in self.layout.shown.get(quantity.dimension, ())]
        return [UnitScale(scale.unit + extra, scale.factor) for scale in scales]

    def _is_count(self, part: str) -> bool:
        unit = self.table.units.get(part)
        return unit is not None and unit.is_count


def scaled(value: Value, scale: UnitScale) -> Value:
    """A value in base units in another."""
    if isinstance(value, str | bool) or scale.is_base:
        return value
    return scale.number(value)


def read_cell(node: Node, cell: str, value: Value, scale: UnitScale, section: Section = NOTHING) -> LiveCell:
    """The formula of a node's cell as it is read, and its value: yes or no for a flag, else a number in a unit.

    Where that is 0 or absent, the word that the layout has for it.
    """
    if isinstance(node.type, Flag):
        return LiveCell(f'IF({cell},"yes","no")', yes_or_no(value))
    text, held = scale.from_base(cell), scaled(value, scale)
    if "zero" not in section:
        return LiveCell(text, held)
    word = str(section["zero"])
    said = excel_string(word)
    return LiveCell(f"IF(ISNA({cell}),{said},IF({cell}=0,{said},{text}))", word if value in (0, ABSENT) else held)


def yes_or_no(value: Value) -> str:
    """A flag in words; what has no value stays as it is."""
    return value if isinstance(value, str) else "yes" if value else "no"


def section_format(node: Node, section: Section) -> str:
    """How the cell of a node shows its number where a layout says what it looks like."""
    return "" if isinstance(node.type, Flag) else PERCENT_FORMAT if section.get("percent") else ANY_FORMAT


def typed_format(node: Node) -> str:
    """How a cell that an input is typed in shows its number."""
    return "" if isinstance(node.type, Flag | Choice) else number_format(node)


def plain(value: float) -> Value:
    """A number without a needless point."""
    return int(value) if not isinstance(value, bool) and value == math.floor(value) and abs(value) < _EXACT else value


def cell_value(number: float, node: Node) -> Value:
    """A number of the engine as a cell holds it: a flag, a word, a number, or #N/A for what is absent."""
    if number != number:  # noqa: PLR0124 - nan
        return ABSENT
    if isinstance(node.type, Flag):
        return bool(number)
    if isinstance(node.type, Choice):
        return node.type.values[int(number)]
    return plain(max(-INFINITE, min(INFINITE, number))) if math.isinf(number) else plain(number)


def shown(cell: str, value: Value, scales: Sequence[UnitScale]) -> tuple[LiveCell, LiveCell]:
    """A cell's value in the unit that fits, and that unit."""
    if len(scales) == 1:
        (only,) = scales
        held = ABSENT if isinstance(value, str) else only.number(value)
        return LiveCell(only.from_base(cell), held), LiveCell(f'"{only.unit}"', only.unit)
    least = excel_number(scales[0].factor)
    factors = ",".join(excel_number(scale.factor) for scale in scales)
    units = ",".join(f'"{scale.unit}"' for scale in scales)
    size = f"MAX(ABS({cell}),{least})"
    texts = f"{cell}/LOOKUP({size},{{{factors}}})", f"LOOKUP({size},{{{factors}}},{{{units}}})"
    if isinstance(value, str):
        return LiveCell(texts[0], ABSENT), LiveCell(texts[1], ABSENT)
    sizes = [float(scale.factor) for scale in scales]
    place = bisect_right(sizes, max(abs(value), sizes[0])) - 1
    return LiveCell(texts[0], value / sizes[place]), LiveCell(texts[1], scales[place].unit)


def first_said(cells: Sequence[LiveCell], otherwise: LiveCell) -> LiveCell:
    """The first of these cells that holds something, else what holds otherwise."""
    for cell in reversed(cells):
        text = f'IF({cell.text}<>"",{cell.text},{otherwise.text})'
        otherwise = LiveCell(text, otherwise.value if cell.value == "" else cell.value)
    return otherwise
