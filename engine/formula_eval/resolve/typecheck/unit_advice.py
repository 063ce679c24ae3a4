"""Advises where units differ: which name may lack a part of its unit, or what is missing, and what the names are."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from formula_eval.core import expression as e
from formula_eval.core.type import Quantity, Written
from formula_eval.core.unit import Unit, UnitTable
from formula_eval.core.written_unit import Factors, factors_of, missing_factors, shown_unit, size, unit_text_of

_SIMPLE = 2  # units of a factor, beyond which it tells nobody what is wrong
_NAMES = 4  # that are told with their units


Measured = tuple[e.Expression, Quantity]


class _Named(NamedTuple):
    """A name in a product, the unit that it was declared in, and whether it stands below the line."""

    name: str
    unit: Unit | None
    below: bool


def unit_advice(units: UnitTable, wanted: Quantity, typed: Measured) -> str:
    """What to look at where a value should be of another unit."""
    expression, found = typed
    factors = missing_factors(wanted, found, units)
    named = list(_named(expression, found.written))
    if rate := _rate(units, named, factors):
        return rate
    advice = _factor(factors, "It") if size(factors) <= _SIMPLE else "No factor makes one of the other"
    told = dict.fromkeys(f"`{each.name}` is {_shown(units, each.unit)}" for each in named)
    return f"{advice}: {', '.join(told)}." if 1 < len(told) <= _NAMES else f"{advice}."


def advice_for_both(units: UnitTable, left: Measured, right: Measured) -> str:
    """What to look at where two values should be of one unit."""
    for (number, _), (_, typed) in ((left, right), (right, left)):
        if isinstance(number, e.Number) and not number.unit and isinstance(typed.written, Unit):
            return f"Give the number its unit, {_shown(units, typed.written)}."
    for one, other in ((left, right), (right, left)):
        factors = missing_factors(one[1], other[1], units)
        if rate := _rate(units, list(_named(other[0], other[1].written)), factors):
            return rate
    factors = missing_factors(left[1], right[1], units)
    return f"{_factor(factors, 'The second')}." if size(factors) == 1 else "Both have to be of one unit."


def _factor(factors: Factors, what: str) -> str:
    """What is missing, or too much."""
    below = {name: -power for name, power in factors.items()}
    if all(power > 0 for power in below.values()):
        return f"{what} has a factor of `{unit_text_of(below)}` too much"
    return f"{what} lacks a factor of `{unit_text_of(factors)}`"


def _named(x: e.Expression, written: Written) -> Iterator[_Named]:
    """The names that a product or quotient is made of."""
    if isinstance(x, e.Reference) and x.written:
        yield _Named(x.written, written if isinstance(written, Unit) else None, below=False)
    elif isinstance(x, e.Binary) and x.operator in ("*", "/"):
        left, _, right = (None, None, None) if written is None or isinstance(written, Unit) else written
        yield from _named(x.left, left)
        for named in _named(x.right, right):
            yield named._replace(below=named.below != (x.operator == "/"))


def _rate(units: UnitTable, named: Sequence[_Named], factors: Factors) -> str:
    """The one name that would fit if it were per something: W a panel, and not W alone."""
    if len(named) < 2 or size(factors) != 1:  # noqa: PLR2004 - a product
        return ""
    ((per, power),) = factors.items()
    sides = [each for each in named if each.below == (power > 0) and each.unit is not None]
    made = [(side.name, unit, {**factors_of(unit, units)}) for side in sides if (unit := side.unit)]
    fitting = [(name, unit.text, {**own, per: Fraction(-1)}) for name, unit, own in made if own and per not in own]
    if len(fitting) != 1:
        return ""
    name, text, should = fitting[0]
    return f"`{name}` is `{text}`; should it be `{unit_text_of(should)}`?"


def _shown(units: UnitTable, unit: Unit | None) -> str:
    return str(shown_unit(Quantity() if unit is None else Quantity(unit.dimension, written=unit), units))
