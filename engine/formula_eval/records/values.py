"""Parses the value of an input, as a user or a record writes it, into a number in base units."""

import math
import re
from fractions import Fraction
from typing import Any, NamedTuple

from formula_eval.core.date import seconds_of
from formula_eval.core.diagnostic import FormulaError, nearest, refuse, shortened
from formula_eval.core.option_names import option_of
from formula_eval.core.unit import Unit, UnitTable, UnknownUnitError
from formula_eval.core.unit_meaning import multiple_of
from formula_eval.core.unit_words import SIGN, longer_help, unit_text
from formula_eval.records.example_value import bound_text, date_range, example_of, takes_plain, unit_of, with_unit
from formula_eval.records.origin import is_option
from formula_eval.records.schema import InputSchema
from formula_eval.records.synonyms import plain_name

Number = float | bool | int


class InBaseUnits(NamedTuple):
    """A number that is known to be in base units, as Python gives it; text and files name their unit."""

    number: float

    def __str__(self) -> str:
        """The number."""
        return f"{self.number:g}"


# Where one value is wanted, a comma groups thousands and does nothing else; where several are, it separates them.
_QUANTITY = re.compile(
    rf"\s*{SIGN}"
    r"(?P<number>[-+]?(?:[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9][0-9_]*(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
    r"(?![0-9.,_])\s*(?P<unit>.*?)\s*"
)
_DECIMAL_COMMA = re.compile(r"\s*([-+]?[0-9]+),([0-9]+)(?![0-9.,])(.*)")
_LIST = re.compile(r"\s*[^,]*[0-9][^,]*(?:,[^,]*[0-9][^,]*)+")
_PREFIXED = re.compile(r"([KkMGT]i?|B|thousand|million|billion|trillion)(?:\s+(.+))?")
_RELATIVE = re.compile(r"\s*([-+][0-9]+(?:\.[0-9]+)?)\s*%\s*")
_FLAGS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
_SEVERAL = re.compile(r"\s*(?:(\d+)\s*(?:-|to)\s*(\d+)|\d+(?:\s+\d+)+)\s*")
_PRECISIONS = (12, 15, 16, 17)


def relative_change(value: object, schema: InputSchema) -> Fraction | None:
    """What `+10%` multiplies the value by that holds otherwise, 11/10; None for any other value.

    An input that may be negative takes `-10%` as its value.
    """
    if not isinstance(value, str) or schema.quantity.kind not in ("number", "whole") or (schema.low or 0) < 0:
        return None
    found = _RELATIVE.fullmatch(value)
    return None if found is None else 1 + Fraction(found[1]) / 100


def changed_value(base: float, factor: Fraction, schema: InputSchema, units: UnitTable, origin: str) -> Number:
    """The value that was changed by a factor, which must lie within the range of the input; raises FormulaError."""
    if not math.isfinite(base):
        said = f"{schema.name} = {float(100 * (factor - 1)):+g}%"
        message = f"{origin}: `{said}` is relative to a value that is not given"
        raise refuse("bad-value", message, help=f"{schema.sentence}: give it as a number.")
    return read_value(InBaseUnits(float(Fraction(base) * factor)), schema, units, origin)


def read_value(value: Any, schema: InputSchema, units: UnitTable, origin: str) -> Number:  # noqa: ANN401 - whatever TOML or JSON holds
    """The number that an input's value means; a choice is the index of its word. Raises FormulaError."""
    reading = _Reading(_unmarked(value), schema, units, origin)
    match schema.quantity.kind:
        case "flag":
            return reading.flag()
        case "choice":
            return reading.word()
        case "date":
            return reading.date()
        case "record":
            raise reading.refused(f"names a {schema.quantity.unit}, which is said as an option of its own")
    return reading.number()


def _unmarked(value: Any) -> Any:  # noqa: ANN401 - whatever TOML or JSON holds
    """A text without the mark of byte order that some programs copy with it: a blank, as pages have it."""
    return value.replace("\ufeff", " ") if isinstance(value, str) else value


def written_value(number: float, schema: InputSchema, units: UnitTable) -> str:
    """A number in base units as somebody types it for an input, in the declared unit; it is read back exactly."""
    quantity = schema.quantity
    for precision in _PRECISIONS:
        text = with_unit(f"{quantity.in_unit(number):.{precision}g}", quantity)
        if read_value(text, schema, units, schema.name) == number:
            return text
    return f"{number!r} {quantity.dimension}"


def written_number(
    text: str, default_unit: str, schema: InputSchema, units: UnitTable, origin: str
) -> tuple[Fraction, Fraction]:
    """The number that stands in a text, and how many base units one of its unit is, both exact.

    A text without a unit has the default one. Raises FormulaError for a value that the input may not have.
    """
    text = _unmarked(text)
    match = _QUANTITY.fullmatch(text)
    if match is not None and not _unit(match) and default_unit:
        match = _QUANTITY.fullmatch(f"{match['number']} {default_unit}")
    reading = _Reading(text if match is None else match[0], schema, units, origin)
    number = reading.number()
    if match is None or not math.isfinite(number):
        raise reading.refused("is not a number")
    return Fraction(_bare(match["number"])), reading.scale(_unit(match))


def is_grouped(said: object) -> bool:
    """Whether this is one number where one is wanted, `1,200`, and two of them where several are."""
    match = _QUANTITY.fullmatch(said) if isinstance(said, str) else None
    return match is not None and "," in match["number"]


def unit_in(text: str) -> str:
    """The unit that a text ends with."""
    match = _QUANTITY.fullmatch(text)
    return "" if match is None else _unit(match)


def _unit(quantity: re.Match[str]) -> str:
    """The unit of a quantity, with the sign of money that stands before the number."""
    return f"{quantity['sign'] or ''}{quantity['unit']}"


class _Reading(NamedTuple):
    """One value, what it should be, and who said it."""

    value: Any
    schema: InputSchema
    units: UnitTable
    origin: str

    def refused(self, why: str, help_: str = "") -> FormulaError:
        """The error that says why, and what to do or what the input is."""
        message = f"{self.origin}: `{self.schema.name} = {_literal(self.value)}` {why}"
        is_number = self.schema.quantity.kind in ("number", "whole") and not self.schema.allowed
        if not help_:
            what = ": ".join(filter(None, (self.schema.sentence, self._range() if is_number else "")))
            help_ = what and f"{what}."
        return refuse("bad-value", message, help=help_)

    def flag(self) -> bool:
        """`true`, `no`, `1`: also as text."""
        found = self.value if isinstance(self.value, bool) else _FLAGS.get(str(self.value).lower())
        if found is None or isinstance(self.value, float):
            raise self.refused("is not a flag", "Write true or false.")
        return found

    def word(self) -> int:
        """The index of a choice's word, also as others call it."""
        words = self.schema.quantity.words
        word = str(self.value)
        if word not in words:
            plain, also = plain_name(word), dict(self.schema.also)
            word = plain if plain in words else also.get(plain, "")
            if not word:
                raise self.refused(f"is none of {', '.join(words)}", nearest(plain, (*words, *also)))
        return words.index(word)

    def date(self) -> float:
        """The seconds since 1970 of a day, within its range."""
        if isinstance(self.value, InBaseUnits):
            seconds: float | None = self.value.number
        else:
            seconds = None if isinstance(self.value, bool | int | float) else seconds_of(str(self.value))
        if seconds is None or not math.isfinite(seconds):
            raise self.refused("is not a date", "A date is written 2026-11-22: year, month, day.")
        low, high = self.schema.low, self.schema.high
        if (low is not None and seconds < low) or (high is not None and seconds > high):
            raise self.refused(f"is outside {date_range(low, high)}")
        return seconds

    def number(self) -> float:
        """A number in base units, within its range."""
        number = self.value.number if isinstance(self.value, InBaseUnits) else self._written()
        if not math.isfinite(number):
            raise self.refused("is out of range")
        self._check_domain(number)
        return number

    def _written(self) -> float:
        """The number as it was said, in base units; without a unit where that is clear, and where it is 0."""
        said, unit = self.value, ""
        if isinstance(said, bool) or not isinstance(said, int | float | str):
            raise self.refused("is not a number")
        if isinstance(said, str):
            match = _QUANTITY.fullmatch(said)
            if match is None:
                raise self.refused("is not a number", self._comma_help() or self._example())
            said, unit = _bare(match["number"]), _unit(match)
        try:
            number = float(said)
            if not unit and number != 0 and not takes_plain(self.schema.quantity):
                raise self.refused(f"lacks its unit, {unit_of(self.schema).removeprefix('1')}", self._example(number))
            if not isinstance(said, str) or not math.isfinite(number):
                return number
            return float(Fraction(said) * self.scale(unit))  # exact, so that 0.85 us is the float nearest to it
        except OverflowError:
            return math.inf

    def _comma_help(self) -> str:
        """What to write instead of a decimal comma, or of several values at once."""
        value = str(self.value)
        decimal = _DECIMAL_COMMA.fullmatch(value)
        if decimal is not None and not takes_plain(self.schema.quantity):
            return f"A comma groups thousands only, as in 32,000. Did you mean `{decimal[1]}.{decimal[2]}{decimal[3]}`?"
        if _LIST.fullmatch(value):
            return f"A comma groups thousands only, as in 32,000; `{self.schema.name}` takes one value."
        return ""

    def scale(self, unit: str) -> Fraction:
        """How many base units one of a unit is, also behind a prefix, `10k request/day`; raises FormulaError."""
        prefixed = _PREFIXED.fullmatch(unit)
        if prefixed is not None and (prefixed[2] or takes_plain(self.schema.quantity)):
            return multiple_of(prefixed[1]) * self.scale(prefixed[2] or "")
        if not unit:
            return Fraction(1)
        known, wanted = self._known_unit(unit), self.schema.quantity.dimension
        found = str(known.dimension) if known.dimension.exponents else ""
        if found != wanted:
            from formula_eval.core.written_unit import base_factors, unit_text_of  # noqa: PLC0415 - only for a message

            base = unit_text_of(base_factors(known.dimension, self.units))
            has, needs = base or "a plain number", (wanted and unit_of(self.schema)) or "a plain number"
            match = _QUANTITY.fullmatch(str(self.value))
            help_ = longer_help(unit, wanted, self.units, match["number"] if match else "") or self._example()
            raise self.refused(f"is {has}, but {needs} is needed", help_)
        return Fraction(known.scale)

    def _known_unit(self, unit: str) -> Unit:
        """The unit as people write it; raises FormulaError."""
        try:
            return self.units.parse(unit_text(unit, self.units))
        except UnknownUnitError as unknown:
            if several := _SEVERAL.fullmatch(str(self.value)):
                written = f"{several[1]}..{several[2]}" if several[2] else ",".join(str(self.value).split())
                help_ = f"Where several values may stand, they are written `{written}`."
                raise self.refused("is not one number", help_) from unknown
            if str(unknown) in self.units.units:
                raise self.refused(f"has a number within its unit, `{unit}`", self._example()) from unknown
            help_ = self.units.help(str(unknown)) or self._example()
            raise self.refused(
                f"has an unknown unit, `{unknown}`, in place of {unit_of(self.schema)}", help_
            ) from unknown

    def _example(self, number: float | None = None) -> str:
        example = example_of(self.schema, self.units, number)
        quoted = f'"{example}"' if " " in example or "/" in example or "%" in example else example
        if is_option(self.origin):
            return f"For example `{option_of(self.schema.name)} {quoted}`."
        return f"For example `{self.schema.name} = {quoted}`."

    def _check_domain(self, number: float) -> None:
        schema = self.schema
        if schema.quantity.kind == "whole" and number != math.floor(number):
            raise self.refused("is not a whole number")
        if schema.allowed:
            if number not in schema.allowed:
                raise self.refused(f"is none of {', '.join(f'{each:g}' for each in schema.allowed)}")
            return
        low, high = (schema.low if schema.low is not None else 0.0), schema.high
        if number < low or (high is not None and number > high):
            raise self.refused(f"is outside {self._range()}")

    def _range(self) -> str:
        """The numbers that it may be, in its declared unit: `1 to 2,000 km`."""
        of = self.schema.quantity
        low, high = self.schema.low or 0.0, math.inf if self.schema.high is None else self.schema.high
        ends = [bound_text(of.in_unit(number)) for number in (low, high) if math.isfinite(number)]
        if not ends:
            return ""
        between = " to ".join(ends) if len(ends) > 1 else f"at {'least' if math.isfinite(low) else 'most'} {ends[0]}"
        return f"{between} {unit_of(self.schema)}" if of.dimension or of.is_multiple else between


def _bare(number: str) -> str:
    """A number without what groups its digits."""
    return number.replace("_", "").replace(",", "")


def _literal(value: object) -> str:
    try:
        return shortened(str(value).lower() if isinstance(value, bool) else value)
    except ValueError:
        return "a number of thousands of digits"
