"""Defines rounding and whole parts as SymPy functions that take the same numbers for whole as programs do.

A known number is rounded; what holds symbols stays as the author wrote it.
"""

from fractions import Fraction
from typing import Any

import sympy

from formula_eval.core.rounding import HALF, MOST, NEAR

Expr = Any  # a SymPy expression
_NEAR, _MOST, _HALF = (sympy.Rational(*Fraction(repr(each)).as_integer_ratio()) for each in (NEAR, MOST, HALF))


class FloorDiv(sympy.Function):  # type: ignore[misc]
    """`a / b`, rounded down."""

    nargs = 2

    @classmethod
    def eval(cls, a: Expr, b: Expr) -> Expr | None:
        """The whole parts of numbers; of symbols, nothing."""
        if a.free_symbols or b.free_symbols:
            return None
        if not (_is_known(a) and _is_known(b)) or b.is_zero:
            return sympy.floor(a / b)
        return sympy.floor((a + sympy.sign(b) * _near_part(a, b)) / b)


class CeilDiv(sympy.Function):  # type: ignore[misc]
    """`a / b`, rounded up."""

    nargs = 2

    @classmethod
    def eval(cls, a: Expr, b: Expr) -> Expr | None:
        """The least whole number of parts that hold all; of symbols, nothing."""
        return None if a.free_symbols or b.free_symbols else -FloorDiv(-a, b)


def rounded(function: type, arguments: list[Expr]) -> Expr | None:
    """`floor`, `ceil` or `%` of known numbers; None for any other function."""
    if function not in (sympy.floor, sympy.ceiling, sympy.Mod) or not all(map(_is_known, arguments)):
        return None
    if function is sympy.Mod:
        return _rest(*arguments)
    near = sympy.Min(abs(arguments[0]) * _NEAR, _MOST)
    return sympy.floor(arguments[0] + near) if function is sympy.floor else sympy.ceiling(arguments[0] - near)


def _rest(a: Expr, b: Expr) -> Expr:
    if b.is_zero:
        return sympy.nan
    rest, least = sympy.Mod(a, b), _near_part(a, b)
    return sympy.Integer(0) if abs(rest) <= least or abs(b) - abs(rest) <= least else rest


def _is_known(x: Expr) -> bool:
    return bool(x.is_number and x.is_finite and x.is_extended_real)


def _near_part(a: Expr, b: Expr) -> Expr:
    return sympy.Min(abs(a) * _NEAR, abs(b) * _MOST, _HALF)
