"""Parses several values of one input, `1,2,4`, `1..512*2` or `1..4 TB/s:7`, into the points of an axis."""

import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import FormulaError, refuse, shortened
from formula_eval.core.unit import UnitTable
from formula_eval.records.example_value import takes_plain
from formula_eval.records.schema import InputSchema
from formula_eval.records.values import InBaseUnits, Number, read_value, unit_in, written_number

# So many points of a geometric range at most: a ratio that makes more is a slip.
_MOST_MULTIPLES = 100_000
# So many points of an axis are kept; of a longer one each is made when it is asked for.
_KEPT = 100_000
_RANGE = re.compile(r"(.*?[0-9a-zA-Z%])\s*\.\.\s*([^*:]*(?:\*\*[^*:]*)*?)\s*(?:(?<!\*)([*:])\s*([0-9.]+)\s*(.*))?")
_REST_OF_A_GROUP = re.compile(r"0[0-9]{2}")
_FORMS = "`1..8` is every whole step, `1..512*2` each twice the last, `1..9:5` five evenly spaced."


class Points(NamedTuple):
    """Evenly spaced points, first, first + step, ..., each over the same whole number, so that all of them are exact.

    They are rounded where the input is a whole number.
    """

    first: int
    step: int
    over: int
    length: int
    whole: bool

    @classmethod
    def between(cls, low: Fraction, step: Fraction, length: int, *, whole: bool) -> "Points":
        """So many points from a low end."""
        over = math.lcm(low.denominator, step.denominator)
        return cls(int(low * over), int(step * over), over, length, whole)

    def at(self, place: int) -> float:
        """The point at a place, in base units."""
        above = self.first + place * self.step
        return float((2 * above + self.over) // (2 * self.over)) if self.whole else above / self.over


class Axis:
    """The points along which one input varies, in the order in which they were said.

    Points are numbers in base units, the index of a word, or flags. A range of any length takes no memory.
    """

    def __init__(self, name: str, pieces: Sequence[Points | Number], *, repeats: bool = False) -> None:
        """An axis of an input: ranges, and points said one by one; without `repeats` each point once."""
        self.name = name
        self._pieces = pieces
        self._repeats = repeats
        self._ends = list(accumulate(piece.length if isinstance(piece, Points) else 1 for piece in pieces))

    @property
    def length(self) -> int:
        """How many points there are."""
        return self._ends[-1] if self._kept is None else len(self._kept)

    def __getitem__(self, place: int) -> Number:
        """The point at a place."""
        return self._point(place) if self._kept is None else self._kept[place]

    def __repr__(self) -> str:
        """What it was made of, exactly."""
        return f"Axis({self.name!r}, {self._pieces!r}, repeats={self._repeats!r})"

    def part(self, start: int, stop: int) -> list[Number]:
        """The points from one place to before another."""
        return [self._point(place) for place in range(start, stop)] if self._kept is None else self._kept[start:stop]

    @cached_property
    def _kept(self) -> list[Number] | None:
        """All points; None where there are too many to keep."""
        if self._ends[-1] > _KEPT:
            return None
        found = [self._point(place) for place in range(self._ends[-1])]
        return found if self._repeats else list(dict.fromkeys(found))

    def _point(self, place: int) -> Number:
        number = bisect_right(self._ends, place)
        piece = self._pieces[number]
        return piece.at(place - (self._ends[number] - piece.length)) if isinstance(piece, Points) else piece


def parts_of(said: Any) -> list[Any]:  # noqa: ANN401 - whatever an option or a caller says
    """What stands between the commas of a text, what a list holds, or the one thing that was said."""
    if isinstance(said, str):
        return [name.strip() for name in said.split(",")]
    return list(said) if isinstance(said, Iterable) else [said]


def axis_of(
    said: Any,  # noqa: ANN401 - as above
    schema: InputSchema,
    units: UnitTable,
    origin: str,
    *,
    repeats: bool = False,
) -> Axis:
    """The axis of an input, each point once unless it `repeats`.

    Raises FormulaError for what is empty, backwards, endless or no value of the input.
    """
    parts = parts_of(said)
    if not parts or "" in parts:
        raise _refused(said, schema, origin, "lacks a value", "A comma stands between two values.")
    pieces: list[Points | Number] = []
    for before, part in zip((None, *parts), parts, strict=False):
        if isinstance(part, str) and _REST_OF_A_GROUP.fullmatch(part) and before is not None:
            help_ = f"A comma separates values here: write `{before}{part}`."
            raise _refused(said, schema, origin, "is several values", help_)
        if isinstance(part, str) and ".." in part and schema.quantity.kind in ("number", "whole"):
            pieces += _Range(part, schema, units, origin).pieces()
        else:
            pieces.append(read_value(part, schema, units, origin))
    return Axis(schema.name, pieces, repeats=repeats)


class _Range(NamedTuple):
    """A text such as `1..512*2`, and the input that it is about."""

    text: str
    schema: InputSchema
    units: UnitTable
    origin: str

    def pieces(self) -> Sequence[Points | Number]:
        """Its points; raises FormulaError."""
        found = _RANGE.fullmatch(self.text)
        if found is None or not found[2]:
            raise self._refused("is not a range", _FORMS)
        first, last, how, amount, unit = found.groups(default="")
        unit = unit or unit_in(last)
        high, _ = self._end(last, unit)
        low, step = self._end(first, "" if takes_plain(self.schema.quantity) else unit)
        if low > high:
            raise self._refused("runs backwards", f"The smaller end stands first: `{last}..{first}`.")
        if how == "*":
            return self._multiples(low, high, amount)
        if how == ":":
            return [self._spaced(low, high, amount)]
        return [Points.between(low, step, math.floor((high - low) / step) + 1, whole=self._whole)]

    @property
    def _whole(self) -> bool:
        return self.schema.quantity.kind == "whole"

    def _end(self, text: str, unit: str) -> tuple[Fraction, Fraction]:
        """An end in base units, and how many of them its unit is."""
        number, scale = written_number(text, unit, self.schema, self.units, self.origin)
        return number * scale, scale

    def _multiples(self, low: Fraction, high: Fraction, amount: str) -> list[Number]:
        """The low end times each power of a ratio, up to the high end."""
        ratio = self._amount(amount)
        if ratio <= 1 or low <= 0:
            help_ = "A ratio is above 1, and its range begins above 0, as `1..512*2` does."
            raise self._refused("never reaches its end", help_)
        if math.log(high / low) > _MOST_MULTIPLES * math.log(ratio):
            raise self._refused(f"has more than {_MOST_MULTIPLES:,} values", "Take a larger ratio.")
        found = []
        while low <= high:
            found.append(Points.between(low, Fraction(0), 1, whole=self._whole).at(0))
            low *= ratio
        return [
            read_value(InBaseUnits(number), self.schema, self.units, self.origin) for number in dict.fromkeys(found)
        ]

    def _spaced(self, low: Fraction, high: Fraction, amount: str) -> Points:
        """So many points from one end to the other, no closer than whole numbers are where the input is one."""
        count = self._amount(amount)
        if count.denominator != 1 or count < (1 if low == high else 2):
            raise self._refused("has no such number of values", _FORMS)
        most = high - low + 1 if self._whole else count
        steps = int(min(count, most)) - 1
        return Points.between(low, (high - low) / steps if steps else Fraction(0), steps + 1, whole=self._whole)

    def _amount(self, amount: str) -> Fraction:
        try:
            return Fraction(amount)
        except ValueError as error:
            raise self._refused("is not a range", _FORMS) from error

    def _refused(self, why: str, help_: str) -> FormulaError:
        return _refused(self.text, self.schema, self.origin, why, help_)


def _refused(said: object, schema: InputSchema, origin: str, why: str, help_: str) -> FormulaError:
    return refuse("bad-value", f"{origin}: `{schema.name} = {shortened(said)}` {why}", help=help_)
