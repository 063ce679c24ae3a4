"""Applies the rules of units: what each operator and builtin takes, and what it gives."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from formula_eval.core import expression as e
from formula_eval.core.builtins import BUILTINS
from formula_eval.core.type import AnyQuantity, Choice, Date, Flag, Quantity, Record, Type
from formula_eval.core.unit import PLAIN, Dimension
from formula_eval.resolve.scope import Scope

TIME = Dimension((("s", Fraction(1)),))


@dataclass(frozen=True, slots=True)
class Unknown(AnyQuantity):
    """The type of a part that has a finding: it fits everywhere, so that one mistake is one finding."""


Typed = tuple[e.Expression, Type]


def nothing(x: e.Expression) -> Typed:
    """What stands for a part that has a finding."""
    return e.Number("0", span=x.span), Unknown()


def described(type_: Type) -> str:
    """A type in words."""
    match type_:
        case Quantity(dimension):
            return f"`{dimension}`" if dimension.exponents else str(dimension)
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
    message = f"Arithmetic needs a quantity, and this is {described(type_)}"
    scope.find("no-quantity", message, expression.span, help=help_)
    return False


def is_flag(scope: Scope, typed: Typed) -> bool:
    """Whether this is a condition; if not, says so."""
    expression, type_ = typed
    if isinstance(type_, Flag | Unknown):
        return True
    message = f"A condition is needed, and this is {described(type_)}"
    scope.find("no-condition", message, expression.span, help="Compare it: `x > 0`.")
    return False


def same_unit(scope: Scope, what: str, operands: Sequence[Typed]) -> Type:
    """The common type of quantities that are added, compared or chosen between."""
    if any(isinstance(type_, Unknown) for _, type_ in operands):
        return Unknown()
    known: tuple[e.Expression, Quantity] | None = None
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
                whole = False
    return Quantity(known[1].dimension, whole=whole) if known else AnyQuantity()


def _mismatch(
    scope: Scope, what: str, left: tuple[e.Expression, Quantity], right: tuple[e.Expression, Quantity]
) -> None:
    message = f"Cannot {what} {described(left[1])} and {described(right[1])}"
    labels = (left[0].span, described(left[1])), (right[0].span, described(right[1]))
    scope.find("unit-mismatch", message, *labels, help=missing_factor(left[1], right[1], "The second"))


def missing_factor(wanted: Quantity, found: Quantity, what: str) -> str:
    """What to multiply or divide by."""
    factor = wanted.dimension / found.dimension
    if all(power < 0 for _, power in factor.exponents):
        return f"{what} has a factor of `{PLAIN / factor}` too much."
    return f"{what} lacks a factor of `{factor}`."


_DATES = "A date less a date is a time, and a date with a time more or less a date: `start + 30 day`."
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
    a, b = _dimension(left[1]), _dimension(right[1])
    whole = operator == "*" and _whole(left) and _whole(right)
    return Quantity(a * b if operator == "*" else a / b, whole=whole)


def _with_date(scope: Scope, operator: str, left: Typed, right: Typed) -> Type:
    """A date less a date is a time; with a time more or less it is another date."""
    one, other = left[1], right[1]
    if isinstance(one, Unknown) or isinstance(other, Unknown):
        return Unknown()
    if one == other and operator == "-":
        return Quantity(TIME)
    if (one == Date() and operator in "+-" and _is_time(other)) or (operator == "+" and _is_time(one)):
        return Date()
    message = f"Cannot compute {described(one)} `{operator}` {described(other)}"
    labels = (left[0].span, described(one)), (right[0].span, described(other))
    scope.find("unit-mismatch", message, *labels, help=_DATES)
    return Unknown()


def _is_time(type_: Type) -> bool:
    return isinstance(type_, AnyQuantity) or (isinstance(type_, Quantity) and type_.dimension == TIME)


def _dimension(type_: Type) -> Dimension:
    return type_.dimension if isinstance(type_, Quantity) else PLAIN


def _whole(typed: Typed) -> bool:
    expression, type_ = typed
    return type_.whole if isinstance(type_, Quantity) else isinstance(expression, e.Number)


def _power(scope: Scope, left: Typed, right: Typed) -> Type:
    exponent, type_ = right
    if isinstance(type_, Quantity) and type_.dimension != PLAIN:
        message = f"An exponent is a plain number, and this is {described(type_)}"
        scope.find("unit-mismatch", message, exponent.span, help=f"Divide it by `1 {type_.dimension}` first.")
        return Unknown()
    dimension = _dimension(left[1])
    if dimension == PLAIN:
        return Quantity(whole=_whole(left) and _whole(right) and isinstance(exponent, e.Number))
    if not isinstance(exponent, e.Number):
        message = f"A power of {described(left[1])} needs a number as exponent"
        scope.find("unit-mismatch", message, exponent.span, help="Divide by the unit first: `(x / 1 byte) ** n`.")
        return Quantity()
    return Quantity(dimension ** Fraction(exponent.value))


def call(scope: Scope, function: str, arguments: Sequence[Typed]) -> Type:  # noqa: PLR0911 - one case for each rule
    """The type of a builtin's result."""
    builtin = BUILTINS[function]
    if builtin.rule == "condition":
        is_flag(scope, arguments[0])
        return Quantity(whole=builtin.whole)
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
            return Quantity(_dimension(arguments[0][1]) ** Fraction(1, 2))
    plain = [_is_plain(scope, function, each) for each in arguments]
    return Quantity(whole=builtin.whole) if all(plain) else Unknown()


def _is_plain(scope: Scope, function: str, argument: Typed) -> bool:
    """Whether an argument is a plain number; if not, says so."""
    expression, type_ = argument
    if not isinstance(type_, Quantity) or type_.dimension == PLAIN:
        return True
    unit = str(type_.dimension)
    message = f"`{function}` takes a plain number, and this is `{unit}`"
    scope.find("unit-mismatch", message, expression.span, help=f"Divide by the unit first: `x / (1 {unit})`.")
    return False
