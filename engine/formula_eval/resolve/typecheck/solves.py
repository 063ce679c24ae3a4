"""Type-checks a `solve`: the range of its unknown, whole or not, and the condition that reads it."""

import math
from dataclasses import replace
from fractions import Fraction

from formula_eval.core import expression as e
from formula_eval.core.type import AnyQuantity, Quantity, Type
from formula_eval.core.unit import PLAIN
from formula_eval.core.written_unit import shown_unit
from formula_eval.printing.text import TEXT, expression_text
from formula_eval.resolve.typecheck import units
from formula_eval.resolve.typecheck.context import Context
from formula_eval.resolve.typecheck.wheres import check_name

_HALVINGS = 49  # of a range of any numbers; Excel reads numbers of fifteen digits, which the places then have
_MOST_VALUES = 2**_HALVINGS - 1
_FEWEST_PARTS = 2


def solve(context: Context, x: e.Solve, expected: Type | None) -> units.Typed:
    """The checked `solve`; what it is where the condition holds nowhere has to be said."""
    check_name(context, x.unknown, "unknown", x.span)
    ends = context.check(x.low), context.check(x.high)
    type_ = _type_of_range(context, x, ends)
    condition = context.naming(x.unknown, type_).check(x.condition)
    if units.is_flag(context.scope, condition) and not isinstance(condition[1], units.Unknown):
        _check_read(context, x, condition[0])
    if x.otherwise is None:
        help_ = f"Write `{TEXT.solve_head(x)} ... else` and what it is then."
        context.scope.find("no-value", "The condition of this `solve` may hold nowhere", x.span, help=help_)
        return units.nothing(x)
    otherwise = context.check(x.otherwise, expected)
    if isinstance(type_, units.Unknown) or not isinstance(type_, Quantity):
        return units.nothing(x)
    built = replace(x, low=ends[0][0], high=ends[1][0], condition=condition[0], otherwise=otherwise[0])
    text = shown_unit(type_, context.scope.units).text or ("whole" if type_.whole else "")
    built = replace(built, type=e.TypeText((text,)) if text else None, halvings=_halvings(context, x, type_))
    if not units.is_quantity(context.scope, otherwise):
        return units.nothing(x)
    at_range = replace(built, span=x.low.span.to(x.high.span))
    return built, units.same_unit(context.scope, "choose between", ((at_range, type_), otherwise))


def _type_of_range(context: Context, x: e.Solve, ends: tuple[units.Typed, units.Typed]) -> Type:
    """What the unknown is: a whole number between whole ends, else any number of their unit."""
    if not all([units.is_quantity(context.scope, end) for end in ends]):  # noqa: C419 - a finding for each
        return units.Unknown()
    endless = next((expression for expression in (x.low, x.high) if _is_endless(expression)), None)
    if endless is not None:
        help_ = "Write the largest value that may be tried."
        context.scope.find("bad-range", "A range ends at a number", endless.span, help=help_)
        return units.Unknown()
    common = units.same_unit(context.scope, "search between", ends)
    if isinstance(common, units.Unknown):
        return common
    is_whole = _is_whole(context, x, ends)
    if is_whole is None:
        return units.Unknown()
    written = (type_.written for _, type_ in ends if isinstance(type_, Quantity) and type_.written)
    dimension = common.dimension if isinstance(common, Quantity) else PLAIN
    return Quantity(dimension, is_whole, next(written, None))


def _is_endless(x: e.Expression) -> bool:
    return isinstance(x, e.Infinity) or (isinstance(x, e.Negate) and _is_endless(x.operand))


def _is_whole(context: Context, x: e.Solve, ends: tuple[units.Typed, units.Typed]) -> bool | None:
    """Whether the unknown is whole; None, and a finding, where one end is and the other is not."""
    written = [_number(expression) for expression in (x.low, x.high)]
    if any(number is not None and _is_any_number(context, number) for number in written):
        return False
    computed = [type_ for each, (_, type_) in zip(written, ends, strict=True) if each is None]
    fractions = [isinstance(type_, Quantity) and not type_.whole for type_ in computed]
    if not any(fractions):
        return True
    if all(fractions) and all(number is None or number.value == 0 for number in written):
        return False
    high = expression_text(x.high)
    help_ = f"For any number write an end with a point, as in `1.0`; for whole numbers, `floor({high})`."
    message = f"`{x.unknown}` is a whole number at one end of its range, and any number at the other"
    context.scope.find("bad-range", message, x.low.span.to(x.high.span), help=help_)
    return None


def _number(x: e.Expression) -> e.Number | None:
    """The number that an end of a range is written as, if it is."""
    if isinstance(x, e.Negate):
        return _number(x.operand)
    return x if isinstance(x, e.Number) else None


def _is_any_number(context: Context, x: e.Number) -> bool:
    """Whether a number as written is not one of those that are counted."""
    if x.value.denominator != 1 or "." in x.text:
        return True
    unit = context.scope.units.parse(x.unit) if x.unit else None
    return unit is not None and not (unit.is_count or unit.dimension == PLAIN)


def _halvings(context: Context, x: e.Solve, type_: Quantity) -> int:
    """How often a range has to be halved."""
    find, range_ = context.scope.find, x.low.span.to(x.high.span)
    low, high = _value(x.low), _value(x.high)
    if low is not None and high is not None and low > high:
        find("bad-range", f"There is no value for `{x.unknown}`", range_, help="The smaller number comes first.")
        return 1
    if not type_.whole:
        return _halvings_of_parts(context, x)
    if x.within is not None:
        help_ = "Drop `within`; for any number, write an end with a point, as in `1.0`."
        find("bad-range", f"`{x.unknown}` is a whole number, which is found as it is", x.within.span, help=help_)
    if low is not None and high is not None:
        if x.at_most:
            help_ = "Drop `at most`: the range says how many."
            find("bad-range", f"`{x.unknown}` has {high - low + 1} values", range_, help=help_)
        values = int(high - low) + 1
    else:
        values = x.at_most
        if not values:
            message = f"How many values `{x.unknown}` can have depends on inputs"
            help_ = f"Say how many it can have: `{TEXT.solve_head(replace(x, at_most=4096))} ...`, for example."
            find("bad-range", message, range_, help=help_)
    if values > _MOST_VALUES:
        find("bad-range", f"`{x.unknown}` has more than 2**49 values", range_, help="Narrow the range.")
        return 1
    return (max(values, 1) - 1).bit_length()


def _value(x: e.Expression) -> Fraction | None:
    """The value of an end that is written as a number."""
    if isinstance(x, e.Negate):
        inner = _value(x.operand)
        return None if inner is None else -inner
    return x.value if isinstance(x, e.Number) else None


def _halvings_of_parts(context: Context, x: e.Solve) -> int:
    find = context.scope.find
    if x.at_most:
        message = f"`{x.unknown}` is any number of its range, not one of so many"
        help_ = "Drop `at most`; for whole numbers, let both ends be whole."
        find("bad-range", message, x.low.span.to(x.high.span), help=help_)
    if not isinstance(x.within, e.Number):
        return _HALVINGS
    typed = context.check(x.within)
    part = x.within.value
    is_share = isinstance(typed[1], Quantity | AnyQuantity) and getattr(typed[1], "dimension", PLAIN) == PLAIN
    if not (is_share and Fraction(1, 2**_HALVINGS) <= part <= Fraction(1, _FEWEST_PARTS)):
        help_ = "It is a share of the range, from 1e-15 to one half: `within 0.001`, `within 0.1 percent`."
        find("bad-range", f"`{expression_text(x.within)}` does not divide a range", x.within.span, help=help_)
        return 1
    return math.ceil(math.log2(1 / part + 1))


def _check_read(context: Context, x: e.Solve, condition: e.Expression) -> None:
    """Find a condition that says nothing of the unknown; where it is written but not read, what is wrong was told."""
    is_written = any(isinstance(node, e.Name) and node.path == (x.unknown,) for node in e.walk(x.condition))
    if not is_written and f".{x.unknown}" not in e.references(condition):
        help_ = "Compare something that depends on it."
        context.scope.find(
            "unread-unknown", f"This condition does not read `{x.unknown}`", x.condition.span, help=help_
        )
