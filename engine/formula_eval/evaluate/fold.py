"""Folds the known parts of lowered expressions into constants, with exactly the values that programs compute.

Nothing is moved: what is left is added and multiplied in the author's order, so that it rounds as a program does. A
branch that cannot be taken is dropped, and so is what changes nothing: a factor of 1, a term of 0.
"""

from collections.abc import Callable, Collection
from fractions import Fraction
from math import isfinite

from formula_eval.core import expression as e
from formula_eval.core.date import DATE
from formula_eval.core.type import Choice, Type, dimension_of
from formula_eval.core.unit import PLAIN, TIME, Dimension, UnitTable
from formula_eval.evaluate.subexpression import value_of

ZERO, ONE = e.Number("0"), e.Number("1", value=Fraction(1))
TRUE = e.FlagValue(value=True)
ABSENT = e.Match(ZERO, ())  # fits nothing: the value of an input that nobody gave
_KEEPS_UNIT = ("sum", "min", "max", "abs", "clamp", "months_later")
_KEEPS_SIGN = ("sum", "min", "sqrt", "ceil", "floor", "round", "ceildiv", "floordiv", "log1p", "expm1")
_EXTREMES = {"min": e.Infinity(), "max": e.Negate(e.Infinity())}


def is_known(x: e.Expression) -> bool:
    """Whether the expression is a constant: a number, a flag, a word, infinity, or absent."""
    if isinstance(x, e.Negate):
        return isinstance(x.operand, e.Infinity)
    return isinstance(x, e.Number | e.FlagValue | e.ChoiceValue | e.Infinity) or x == ABSENT


def constant(value: float, dimension: Dimension = PLAIN) -> e.Expression:
    """A computed value, in base units."""
    if isinstance(value, bool):
        return e.FlagValue(value)
    if value != value:  # noqa: PLR0124 - nan alone differs from itself
        return ABSENT
    if not isfinite(value):
        return e.Infinity() if value > 0 else e.Negate(e.Infinity())
    unit = str(dimension) if dimension.exponents else ""
    return e.Number(repr(float(value)), unit, Fraction(value))


def typed_constant(value: float, type_: Type) -> e.Expression:
    """The value of a node as a constant of its type; a word is given by its index."""
    if isinstance(type_, Choice) and value == value and 0 <= value < len(type_.values):  # noqa: PLR0124 - as above
        return e.ChoiceValue(type_.values[int(value)], int(value))
    return constant(value, dimension_of(type_))


class Fold:
    """Folds expressions; `known` gives the value of a node, or a reference to its residual."""

    def __init__(
        self,
        units: UnitTable,
        known: Callable[[e.Reference], e.Expression] = lambda reference: reference,
        given: Callable[[str], e.Expression] = lambda _: TRUE,
        never_negative: Collection[str] = (),
        may_be_left_out: Callable[[e.Expression], bool] = lambda _: True,
    ) -> None:
        """Fold with these values; `given` says whether an input has a value of its own.

        `may_be_left_out` says whether nobody notices that an expression is not computed: as algebra has it, always; for
        numbers that stay the same to the last error, where it surely is a finite number.
        """
        self._units = units
        self._known = known
        self._given = given
        self._never_negative = never_negative
        self._may_be_left_out = may_be_left_out

    def __call__(self, x: e.Expression) -> e.Expression:  # noqa: PLR0911 - one case for each kind of node
        """The folded expression."""
        match x:
            case e.Number(unit=unit, value=value):
                return e.Number(x.text, self._base(unit), value) if unit and unit != DATE else x
            case e.Reference():
                return self._known(x)
            case e.Given(node):
                return self._given(node)
            case e.Logical(operator, left, right):
                return self._logical(operator, self(left), right)
            case e.Conditional(then, condition, otherwise):
                return self._conditional(self(condition), then, otherwise)
            case e.Match(subject, arms):
                return self._match(self(subject), arms)
        return self._computed(e.rebuild(x, self))

    def _base(self, unit: str) -> str:
        dimension = self._dimension(unit)
        return str(dimension) if dimension.exponents else ""

    def _dimension(self, unit: str) -> Dimension:
        if unit == DATE:  # held as seconds
            return TIME
        return self._units.parse(unit).dimension if unit else PLAIN

    def _logical(self, operator: str, left: e.Expression, right: e.Expression) -> e.Expression:
        if is_known(left):
            decided = (left == e.FlagValue(value=True)) != (operator == "and")
            return left if decided else self(right)
        other = self(right)
        if isinstance(other, e.FlagValue):
            if other.value == (operator == "and"):
                return left
            if self._may_be_left_out(left):
                return other
        return e.Logical(operator, left, other)

    def _conditional(self, condition: e.Expression, then: e.Expression, otherwise: e.Expression) -> e.Expression:
        if is_known(condition):
            return self(then if condition == e.FlagValue(value=True) else otherwise)
        taken, other = self(then), self(otherwise)
        if taken == other and self._may_be_left_out(condition):
            return taken
        return e.Conditional(taken, condition, other)

    def _match(self, subject: e.Expression, arms: tuple[e.Arm, ...]) -> e.Expression:
        if not is_known(subject):
            return e.Match(subject, tuple(e.Arm(arm.patterns, self(arm.value)) for arm in arms))
        tests = ((arm, e.Compare("==", subject, pattern)) for arm in arms for pattern in arm.patterns)
        return next((self(arm.value) for arm, test in tests if value_of(test, {}, {})), ABSENT)

    def _computed(self, x: e.Expression) -> e.Expression:
        """An expression whose parts are folded, itself computed if all of them are known."""
        if is_known(x):
            return x
        parts = e.children(x)
        if all(is_known(part) for part in parts):
            return self._value(x)
        match x:
            case e.Binary(operator, left, right):
                return self._without_neutral(operator, left, right)
            case e.Call("sum", terms):
                others = tuple(term for term in terms if not is_zero(term))
                return others[0] if len(others) == 1 else e.Call("sum", others)
            case e.Call("min" | "max" as function, terms):
                return self._extreme(function, terms)
        return e.Call(x.function, x.arguments) if isinstance(x, e.Call) else x

    def _extreme(self, function: str, terms: tuple[e.Expression, ...]) -> e.Expression:
        """Folds a `min` or `max`: merges its known terms into one, and flattens a nested one of the same kind."""
        inside = (
            (term.arguments if isinstance(term, e.Call) and term.function == function else (term,)) for term in terms
        )
        terms = tuple(expression for group in inside for expression in group)
        known = tuple(term for term in terms if is_known(term))
        left = tuple(dict.fromkeys(term for term in terms if not is_known(term)))
        if known:
            value = self._value(e.Call(function, known))
            is_least = function == "max" and is_zero(value) and any(map(self.is_never_negative, left))
            left = left if value == _EXTREMES[function] or is_least else (*left, value)
        return left[0] if len(left) == 1 else e.Call(function, left)

    def is_never_negative(self, x: e.Expression) -> bool:  # noqa: PLR0911 - one case for each kind of node
        """Whether this provably is no number below 0."""
        match x:
            case e.Reference(node):
                return node in self._never_negative
            case e.Number(value=value):
                return value >= 0
            case e.Binary("+" | "*" | "/" | "**", left, right):
                return self.is_never_negative(left) and self.is_never_negative(right)
            case e.Call("max", terms):
                return any(map(self.is_never_negative, terms))
            case e.Conditional(then, _, otherwise):
                return self.is_never_negative(then) and self.is_never_negative(otherwise)
            case e.Call("abs" | "exp" | "one_if"):
                return True
            case e.Call(function, terms):
                return function in _KEEPS_SIGN and all(map(self.is_never_negative, terms))
        return isinstance(x, e.Infinity)

    def _without_neutral(self, operator: str, left: e.Expression, right: e.Expression) -> e.Expression:  # noqa: PLR0911 - one case for each
        """The operation, or one of its sides where the other one changes nothing."""
        match operator:
            case "+" if is_zero(left):
                return right
            case "+" | "-" if is_zero(right):
                return left
            case "-" if is_zero(left):
                return e.Negate(right)
            case "*" if is_zero(left) and self._may_be_left_out(right):
                return ZERO
            case "*" if is_zero(right) and self._may_be_left_out(left):
                return ZERO
            case "*" if _is_one(left):
                return right
            case "*" | "/" | "**" if _is_one(right):
                return left
            case "/" if is_zero(left) and self._may_be_left_out(e.Binary("/", ONE, right)):
                return ZERO
        return e.Binary(operator, left, right)

    def _value(self, x: e.Expression) -> e.Expression:
        """Computes an expression of constants; leaves one that fails, since it may stand in a branch not taken."""
        dimension = self._unit_of(x)
        if dimension is None:
            return x
        try:
            return constant(value_of(x, {}, {}), dimension)
        except (ArithmeticError, ValueError):
            return x

    def _unit_of(self, x: e.Expression) -> Dimension | None:  # noqa: PLR0911 - one case for each kind of node
        """The dimension of an expression of constants; None for one that cannot be written as a unit."""
        match x:
            case e.Number(unit=unit):
                return self._dimension(unit)
            case e.Negate(operand):
                return self._unit_of(operand)
            case e.Binary("*" | "/" as operator, left, right):
                one, other = self._unit_of(left) or PLAIN, self._unit_of(right) or PLAIN
                return one * other if operator == "*" else one / other
            case e.Binary("**", left, right):
                of = self._unit_of(left) or PLAIN
                if not of.exponents:
                    return PLAIN
                whole = isinstance(right, e.Number) and right.value.denominator == 1
                return of**right.value if whole and isinstance(right, e.Number) else None
            case e.Binary(_, left, right):
                return self._unit_of(left) or self._unit_of(right)
            case e.Call("sqrt", (of,)):
                return None if (self._unit_of(of) or PLAIN).exponents else PLAIN
            case e.Call(function, terms) if function in _KEEPS_UNIT:
                units = (self._unit_of(term) for term in terms)
                return next((dimension for dimension in units if dimension and dimension.exponents), PLAIN)
        return PLAIN


def is_zero(x: e.Expression) -> bool:
    """Whether this is the number 0."""
    return isinstance(x, e.Number) and x.value == 0


def _is_one(x: e.Expression) -> bool:
    return isinstance(x, e.Number) and x.value == 1 and not x.unit
