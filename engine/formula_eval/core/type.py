"""Defines the types of values: a quantity of some dimension, a flag, a word of a choice, a record, a date."""

from dataclasses import dataclass, field
from fractions import Fraction

from formula_eval.core.quantity import Quantified
from formula_eval.core.unit import PLAIN, Dimension, Unit

# The unit that an author wrote, or what was made of two: the one times a power of the other.
Written = Unit | tuple["Written", Fraction, "Written"] | None


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with a dimension; `whole` if it is known to be a whole number; `written` is what messages show."""

    dimension: Dimension = PLAIN
    whole: bool = False
    written: Written = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class AnyQuantity:
    """0 and infinity, which have every unit."""


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several words; a value is held as the index of its word."""

    values: tuple[str, ...]
    name: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """The id of a record that supplies inputs: `model`, `hardware`, ..."""

    supplier: str


@dataclass(frozen=True, slots=True)
class Date:
    """A day, or a time of one: held as seconds since the beginning of 1970."""


Type = Quantity | AnyQuantity | Flag | Choice | Record | Date


def dimension_of(type_: Type) -> Dimension:
    """The dimension of a quantity; a plain number's for any other type."""
    return type_.dimension if isinstance(type_, Quantity) else PLAIN


def quantified(type_: Type, unit: Unit) -> Quantified:
    """A type and the unit to show it in as plain data."""
    match type_:
        case Quantity(whole=whole):
            return unit.quantity("whole" if whole else "number")
        case Date():
            return Quantified("date")
        case Flag():
            return Quantified("flag")
        case Choice(values):
            return Quantified("choice", words=values)
        case Record(supplier):
            return Quantified("record", supplier)
    return unit.quantity()
