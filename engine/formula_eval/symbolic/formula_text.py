"""Prints a SymPy expression in the language of the formulas: `327680 byte * batch * context`.

Positive symbols are units and stand behind their number. Numbers that no short decimal says are rounded.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from formula_eval.core.unit import Dimension
from formula_eval.symbolic.expressions import LargestDivisor, MonthsLater

Expr = Any  # a SymPy expression
CONDITIONAL, OR, AND, NOT, COMPARE, SUM, PRODUCT, POWER, ATOM = range(9)
_DIGITS = 6
_MOST_EXACT = 12  # digits of a number that is written as it is
_LARGEST = 10**15  # and a whole number below this one is too
_MOST_PARTS = 1000  # p / q with such a q is written as a fraction
_RELATIONS: Mapping[type, str] = {
    sympy.Eq: "==",
    sympy.Ne: "!=",
    sympy.StrictLessThan: "<",
    sympy.LessThan: "<=",
    sympy.StrictGreaterThan: ">",
    sympy.GreaterThan: ">=",
}
_FUNCTIONS: Mapping[type, str] = {
    sympy.Max: "max",
    sympy.Min: "min",
    sympy.ceiling: "ceil",
    sympy.floor: "floor",
    sympy.Abs: "abs",
    sympy.log: "ln",
    sympy.exp: "exp",
    LargestDivisor: "largest_divisor",
    MonthsLater: "months_later",
}
Printed = tuple[str, int]  # a text, and how tightly its outermost operator binds


class FormulaText:
    """Prints SymPy expressions; `rounded` tells whether a number has more digits than were written."""

    def __init__(self, words: Mapping[str, Sequence[str]] | None = None, order: Sequence[str] = ()) -> None:
        """Know the words of the choices by the name of their symbol, and which symbols stand first in a product."""
        self._words = words or {}
        self._order = {name: place for place, name in enumerate(order)}
        self.rounded = False

    def text(self, x: Expr) -> str:
        """The expression on one line."""
        return self._printed(x)[0]

    def _printed(self, x: Expr) -> Printed:  # noqa: C901, PLR0911 - one case for each kind of node
        if x in (sympy.true, sympy.false):
            return ("true" if x is sympy.true else "false"), ATOM
        if x is sympy.oo or x is -sympy.oo:
            return ("infinity", ATOM) if x is sympy.oo else ("-infinity", PRODUCT)
        if isinstance(x, sympy.Symbol):
            return (f"1 {x.name}", PRODUCT) if _is_unit(x) else (x.name, ATOM)
        if isinstance(x, sympy.Piecewise):
            return self._piecewise(x)
        if isinstance(x, sympy.ITE):
            then, condition, otherwise = x.args[1], x.args[0], x.args[2]
            text = f"{self._within(then, OR)} if {self._within(condition, OR)}"
            return f"{text} else {self._within(otherwise, CONDITIONAL)}", CONDITIONAL
        if type(x) in _RELATIONS:
            return self._relation(x)
        if isinstance(x, Boolean):
            return self._logical(x)
        if isinstance(x, sympy.Add):
            return self._sum(x.as_ordered_terms())
        if isinstance(x, sympy.Mod):
            return f"{self._within(x.args[0], PRODUCT)} % {self._within(x.args[1], POWER)}", PRODUCT
        if type(x) in _FUNCTIONS:
            return self._function(x)
        spread = _spread(x)
        return self._product(x) if spread is None else self._sum(spread.as_ordered_terms())

    def _within(self, x: Expr, level: int) -> str:
        text, own = self._printed(x)
        return f"({text})" if own < level else text

    def _function(self, x: Expr) -> Printed:
        """A function of its arguments; those of a least or greatest one have no order, so the shortest goes first."""
        parts = [self.text(argument) for argument in x.args]
        parts = sorted(parts, key=len) if isinstance(x, sympy.Max | sympy.Min) else parts
        return f"{_FUNCTIONS[type(x)]}({', '.join(parts)})", ATOM

    # -- branches and conditions

    def _piecewise(self, x: Expr) -> Printed:
        """`a if condition else b`; the values of a word are all named, so that the last one needs no condition."""
        branches = [(value, condition) for value, condition in x.args if value is not sympy.nan]
        if not branches:
            return "absent", ATOM
        *others, (last, _) = branches
        text, level = self._printed(last)
        for value, condition in reversed(others):
            text = f"{self._within(value, OR)} if {self._within(condition, OR)} else {text}"
            level = CONDITIONAL
        return text, level

    def _relation(self, x: Expr) -> Printed:
        left, right = x.args
        for symbol, number in ((left, right), (right, left)):
            words = self._words.get(str(symbol))
            if words and number.is_Integer:
                return f"{symbol} {_RELATIONS[type(x)]} {words[int(number)]}", COMPARE
        unit = _unit_of(left)
        if not (left.is_number or right.is_number):
            plain = [sympy.expand_mul(each / unit) for each in (left, right)]
            if not any(_is_unit(free_symbol) for side in plain for free_symbol in side.free_symbols):
                left, right = plain
        return f"{self._within(left, SUM)} {_RELATIONS[type(x)]} {self._within(right, SUM)}", COMPARE

    def _logical(self, x: Expr) -> Printed:
        if isinstance(x, sympy.Not):
            return f"not {self._within(x.args[0], NOT)}", NOT
        word, level = ("or", OR) if isinstance(x, sympy.Or) else ("and", AND)
        if isinstance(x, sympy.Equivalent):
            return " == ".join(self._within(argument, SUM) for argument in x.args), COMPARE
        return f" {word} ".join(sorted((self._within(argument, level + 1) for argument in x.args), key=len)), level

    # -- arithmetic

    def _sum(self, terms: Iterable[Expr]) -> Printed:
        text = ""
        for each in (part for term in terms for part in _terms(term)):
            term = self._within(each, PRODUCT)
            if not text:
                text = term
            else:
                text += f" - {term[1:]}" if term.startswith("-") else f" + {term}"
        return text, SUM

    def _product(self, x: Expr) -> Printed:
        """A number with its unit, then what it is multiplied by, then what it is divided by."""
        numbers, units, above, below = _factors(x)
        factors = sorted((self._power(base, power) for base, power in above), key=self._place)
        divisors = sorted((self._power(base, power) for base, power in below), key=self._place)
        number, divisor = self._number(numbers, alone=bool(units) or not factors)
        if units:
            unit = str(Dimension(tuple(sorted(units.items()))))
            compound = "/" in unit or "*" in unit
            head = f"({number.removeprefix('-')} {unit})" if compound else f"{number.removeprefix('-')} {unit}"
            head = f"-{head}" if number.startswith("-") else head
            factors = [head, *factors]
        elif number == "-1" and factors:
            factors[0] = f"-{factors[0]}"
        elif number != "1" or not factors:
            factors = [number, *factors]
        text = " * ".join(factors)
        divisors = [divisor, *divisors] if divisor else divisors
        text += "".join(f" / {each}" for each in divisors)
        return text, (PRODUCT if len(factors) + len(divisors) > 1 or text.startswith("-") or units else ATOM)

    def _place(self, factor: str) -> tuple[int, int, str]:
        return self._order.get(factor, len(self._order)), len(factor), factor

    def _power(self, base: Expr, power: Expr) -> str:
        if power == 1:
            return self._within(base, POWER)
        if power == sympy.Rational(1, 2):
            return f"sqrt({self.text(base)})"
        return f"{self._within(base, ATOM)} ** {self._within(power, ATOM)}"

    def _number(self, value: Expr, *, alone: bool) -> tuple[str, str]:
        """A number, and what it is divided by where that says it exactly; one that stands `alone` is one number."""
        if not value.is_extended_real or value.is_infinite:
            return "1", "0"  # has no value, wherever it stands
        exact = Fraction(int(value.p), int(value.q)) if value.is_Rational else Fraction(repr(float(value)))
        if not alone and abs(exact.numerator) == 1 and 1 < exact.denominator <= _MOST_PARTS:
            return str(exact.numerator), str(exact.denominator)
        if value.is_Rational and (text := _exact(exact)) is not None:
            return text, ""
        if not alone and exact.denominator <= _MOST_PARTS and (above := _exact(Fraction(exact.numerator))) is not None:
            return above, str(exact.denominator)
        self.rounded = True
        return _short(exact), ""


def _spread(x: Expr) -> Expr | None:
    """A sum that numbers and units alone are multiplied by, as the sum of the products."""
    factors = sympy.Mul.make_args(x)
    sums = [factor for factor in factors if isinstance(factor, sympy.Add)]
    others = [factor for factor in factors if not isinstance(factor, sympy.Add)]
    if len(sums) != 1 or not others or not all(other.is_number or _is_unit(other.as_base_exp()[0]) for other in others):
        return None
    return sympy.Add(*(sympy.Mul(*others, term) for term in sums[0].args))


def _terms(x: Expr) -> list[Expr]:
    """The terms that a term of a sum stands for."""
    spread = _spread(x)
    return [x] if spread is None else [each for term in spread.as_ordered_terms() for each in _terms(term)]


def _unit_of(x: Expr) -> Expr:
    """The powers of units that a product holds."""
    first = sympy.Add.make_args(x)[0]
    return sympy.Mul(*(argument for argument in sympy.Mul.make_args(first) if _is_unit(argument.as_base_exp()[0])))


def _is_unit(x: Expr) -> bool:
    return isinstance(x, sympy.Symbol) and bool(x.is_positive)


def _factors(x: Expr) -> tuple[Expr, dict[str, Fraction], list[tuple[Expr, Expr]], list[tuple[Expr, Expr]]]:
    """The number in a product, the powers of units, and the other factors above and below the line."""
    numbers: list[Expr] = []
    units: dict[str, Fraction] = {}
    above, below = [], []
    for factor in sympy.Mul.make_args(x):
        base, power = factor.as_base_exp()
        if factor.is_number:
            numbers.append(factor)
        elif _is_unit(base) and power.is_Integer:
            units[base.name] = Fraction(int(power.p), int(power.q))
        elif power.could_extract_minus_sign() and not isinstance(base, sympy.exp):
            below.append((base, -power))
        else:
            above.append((base, power))
    return prod(numbers, start=sympy.Integer(1)), units, above, below


def _exact(value: Fraction) -> str | None:
    """All digits of a number, unless they are many or never end."""
    for digits in (_DIGITS, _MOST_EXACT):
        text = _short(value, digits)
        if Fraction(text) == value:
            return text
    return str(value.numerator) if value.denominator == 1 and abs(value) < _LARGEST else None


def _short(value: Fraction, most: int = _DIGITS) -> str:
    """So many digits, with a power of ten where they would stand far from the point."""
    text = f"{float(value):.{most}g}"
    if "e" not in text:
        return text
    digits, _, power = text.partition("e")
    exponent = int(power)
    whole = str(int(Fraction(text))) if 0 <= exponent <= _DIGITS + 1 else ""
    return whole or f"{digits}e{exponent}"
