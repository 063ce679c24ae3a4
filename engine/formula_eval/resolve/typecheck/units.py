"""Applies the rules of units: what each operator and builtin takes, and what it gives."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from formula_eval.core import expression as e
from formula_eval.core.builtins import BUILTINS
from formula_eval.core.type import AnyQuantity, Choice, Date, Flag, Quantity, Record, Type, Written, dimension_of
from formula_eval.core.unit import PLAIN, TIME
from formula_eval.core.written_unit import factors_of, shown_unit
from formula_eval.printing.printer import PRECEDENCE
from formula_eval.printing.text import TEXT
from formula_eval.resolve.scope import Scope
from formula_eval.resolve.typecheck.unit_advice import Measured, advice_for_both


@dataclass(frozen=True, slots=True)
class Unknown(AnyQuantity):
    """The type of a part that has a finding: it fits everywhere, so that one mistake is one finding."""


Typed = tuple[e.Expression, Type]
MISSING = "?"  # the text of what stands for a part that has a finding


def nothing(x: e.Expression) -> Typed:
    """What stands for a part that has a finding."""
    return e.Number(MISSING, span=x.span), Unknown()


def described(scope: Scope, type_: Type) -> str:
    """A type in words, a unit as its author declared it."""
    match type_:
        case Quantity():
            return str(shown_unit(type_, scope.units))
        case Flag():
            return "a flag"
        case Choice(values, name):
            return f"the choice `{name}`" if name else f"one of {', '.join(values)}"
        case Record(supplier):
            return f"a {supplier} record"
        case Date():
            return "a date"
        case AnyQuantity():
            return "any quantity"


def is_quantity(scope: Scope, typed: Typed) -> bool:
    """Whether arithmetic is allowed on this; if not, says so."""
    expression, type_ = typed
    if isinstance(type_, Quantity | AnyQuantity):
        return True
    help_ = "`one_if(condition)` is 1 if it holds, else 0." if isinstance(type_, Flag) else ""
    if isinstance(type_, Choice):
        help_ = "Use `match`, or compare it with one of its words."
    if isinstance(type_, Date):
        help_ = _DATES
    message = f"Arithmetic needs a quantity, and this is {described(scope, type_)}"
    scope.find("no-quantity", message, expression.span, help=help_)
    return False


def is_flag(scope: Scope, typed: Typed) -> bool:
    """Whether this is a condition; if not, says so."""
    expression, type_ = typed
    if isinstance(type_, Flag | Unknown):
        return True
    message = f"A condition is needed, and this is {described(scope, type_)}"
    scope.find("no-condition", message, expression.span, help="Compare it: `x > 0`.")
    return False


def same_unit(scope: Scope, what: str, operands: Sequence[Typed]) -> Type:
    """The common type of quantities that are added, compared or chosen between."""
    if any(isinstance(type_, Unknown) for _, type_ in operands):
        return Unknown()
    known: Measured | None = None
    whole = True
    for expression, type_ in operands:
        if isinstance(type_, AnyQuantity):
            whole = whole and isinstance(expression, e.Number)
        elif isinstance(type_, Quantity):
            whole = whole and type_.whole
            if known is None:
                known = expression, type_
            elif type_.dimension != known[1].dimension:
                _mismatch(scope, what, known, (expression, type_))
                return Unknown()
    return Quantity(known[1].dimension, whole, known[1].written) if known else AnyQuantity()


def _mismatch(scope: Scope, what: str, left: Measured, right: Measured) -> None:
    one, other = described(scope, left[1]), described(scope, right[1])
    help_ = advice_for_both(scope.units, left, right)
    scope.find(
        "unit-mismatch", f"Cannot {what} {one} and {other}", (left[0].span, one), (right[0].span, other), help=help_
    )


_DATES = "A date less a date is a time, and a date with a time more or less a date: `start + 30 day`."
_MONTH = "month"
_ONE = Fraction(1)
_OF_ONE_UNIT = {"+": "add", "-": "subtract", "%": "take the remainder of"}


def binary(scope: Scope, operator: str, left: Typed, right: Typed) -> Type:
    """The type of `left operator right`."""
    if Date() in (left[1], right[1]):
        return _with_date(scope, operator, left, right)
    if not (is_quantity(scope, left) & is_quantity(scope, right)):
        return Unknown()
    if isinstance(left[1], Unknown) or isinstance(right[1], Unknown):
        return Unknown()
    if operator in _OF_ONE_UNIT:
        return same_unit(scope, _OF_ONE_UNIT[operator], (left, right))
    if operator == "**":
        return _power(scope, left, right)
    a, b = dimension_of(left[1]), dimension_of(right[1])
    is_product = operator == "*"
    whole = is_product and _whole(left) and _whole(right)
    return Quantity(a * b if is_product else a / b, whole, _made(left[1], _ONE if is_product else -_ONE, right[1]))


def _made(left: Type, power: Fraction, right: Type) -> Written:
    """What messages show of a product with a power."""
    return (
        left.written if isinstance(left, Quantity) else None,
        power,
        right.written if isinstance(right, Quantity) else None,
    )


def _with_date(scope: Scope, operator: str, left: Typed, right: Typed) -> Type:
    """A date less a date is a time; with a time more or less it is another date."""
    one, other = left[1], right[1]
    if isinstance(one, Unknown) or isinstance(other, Unknown):
        return Unknown()
    if one == other and operator == "-":
        return Quantity(TIME)
    if (one == Date() and operator in "+-" and _is_time(other)) or (operator == "+" and _is_time(one)):
        _refuse_months(scope, left if other == Date() else right)
        return Date()
    first, second = described(scope, one), described(scope, other)
    message = f"Cannot compute {first} `{operator}` {second}"
    scope.find("unit-mismatch", message, (left[0].span, first), (right[0].span, second), help=_DATES)
    return Unknown()


def _refuse_months(scope: Scope, time: Typed) -> None:
    """Find a time in months beside a date, which would move by the mean of all months."""
    x, type_ = time
    if isinstance(type_, Quantity) and factors_of(type_.written, scope.units).keys() == {_MONTH}:
        message = f"A `{_MONTH}` of this library is always as long, and those of the calendar are not"
        scope.find("calendar-month", message, x.span, help="Write `months_later(start, 1)`, or days: `30 day`.")


def _is_time(type_: Type) -> bool:
    return isinstance(type_, AnyQuantity) or (isinstance(type_, Quantity) and type_.dimension == TIME)


def _whole(typed: Typed) -> bool:
    expression, type_ = typed
    return type_.whole if isinstance(type_, Quantity) else isinstance(expression, e.Number)


def _power(scope: Scope, left: Typed, right: Typed) -> Type:
    exponent, type_ = right
    if isinstance(type_, Quantity) and type_.dimension != PLAIN:
        message = f"An exponent is a plain number, and this is {described(scope, type_)}"
        scope.find("unit-mismatch", message, exponent.span, help=_divided(scope, exponent, type_))
        return Unknown()
    dimension = dimension_of(left[1])
    if isinstance(left[0], e.Number) and left[0].unit and isinstance(exponent, e.Number):
        number, unit = f"{left[0].text} {left[0].unit}", f"{left[0].unit}**{exponent.text}"
        message = f"This is a power of the number too: ({number}) ** {exponent.text}"
        help_ = f"A number with a compound unit stands in parentheses: `({left[0].text} {unit})`."
        scope.find("unit-mismatch", message, left[0].span.to(exponent.span), help=help_)
        return Unknown()
    if dimension == PLAIN:
        return Quantity(whole=_whole(left) and _whole(right) and isinstance(exponent, e.Number))
    if not isinstance(exponent, e.Number):
        message = f"A power of {described(scope, left[1])} needs a number as exponent"
        scope.find("unit-mismatch", message, exponent.span, help=_divided(scope, *left))
        return Quantity()
    return Quantity(dimension ** Fraction(exponent.value), written=_made(AnyQuantity(), exponent.value, left[1]))


def call(scope: Scope, function: str, arguments: Sequence[Typed]) -> Type:  # noqa: PLR0911 - one case for each rule
    """The type of a builtin's result."""
    builtin = BUILTINS[function]
    if builtin.rule == "condition":
        is_flag(scope, arguments[0])
        return Quantity(whole=builtin.whole)
    if builtin.rule == "calendar":
        return _of_calendar(scope, function, arguments)
    if builtin.rule == "same unit" and len(arguments) > 1 and all(type_ == Date() for _, type_ in arguments):
        return Date()
    if not all([is_quantity(scope, argument) for argument in arguments]):  # noqa: C419 - a finding for each
        return Unknown()
    if any(isinstance(type_, Unknown) for _, type_ in arguments):
        return Unknown()
    match builtin.rule:
        case "same unit":
            return same_unit(scope, f"take the {function} of", arguments)
        case "parts":
            same_unit(scope, "divide into whole parts", arguments)
            return Quantity(whole=builtin.whole)
        case "root":
            half, of = Fraction(1, 2), arguments[0][1]
            return Quantity(dimension_of(of) ** half, written=_made(AnyQuantity(), half, of))
    plain = [_is_plain(scope, function, argument) for argument in arguments]
    return Quantity(whole=builtin.whole) if all(plain) else Unknown()


def _of_calendar(scope: Scope, function: str, arguments: Sequence[Typed]) -> Type:
    """The type of a date moved by a plain number of months."""
    (date, type_), months = arguments
    if not isinstance(type_, Date | Unknown):
        message = f"`{function}` takes a date, and this is {described(scope, type_)}"
        scope.find("unit-mismatch", message, date.span, help=f"It is written `{BUILTINS[function].written}`.")
        return Unknown()
    return Date() if is_quantity(scope, months) and _is_plain(scope, function, months) else Unknown()


def _is_plain(scope: Scope, function: str, argument: Typed) -> bool:
    """Whether an argument is a plain number; if not, says so."""
    expression, type_ = argument
    if not isinstance(type_, Quantity) or type_.dimension == PLAIN:
        return True
    message = f"`{function}` takes a plain number, and this is {described(scope, type_)}"
    scope.find("unit-mismatch", message, expression.span, help=_divided(scope, expression, type_))
    return False


def _divided(scope: Scope, x: e.Expression, type_: Type) -> str:
    """How to make a plain number of a quantity."""
    unit = shown_unit(type_, scope.units).text if isinstance(type_, Quantity) else "byte"
    one = f"(1 {unit})" if "/" in unit or "*" in unit else f"1 {unit}"
    return f"Divide by the unit first: `{TEXT.within(x, PRECEDENCE['/'])} / {one}`."
