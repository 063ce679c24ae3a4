"""Differentiates and simplifies SymPy expressions, and decides whether two of them are equal."""

from random import Random
from typing import Any

import sympy

from formula_eval.symbolic.expressions import is_nowhere
from formula_eval.symbolic.oracle import DIGITS, evaluated, substituted

Expr = Any  # a SymPy expression
_POINTS = 20


def derivative(expression: Expr, symbol: Expr) -> Expr:
    """How fast the expression grows with a symbol; a step (ceil, max) gives its one-sided forms unevaluated."""
    return sympy.diff(expression, symbol)


def simplified(expression: Expr) -> Expr:
    """The simplest form that SymPy finds; may take long, and may drop what cannot happen for real numbers."""
    return sympy.simplify(expression)


def equal(a: Expr, b: Expr) -> bool | None:
    """Whether two numbers always agree: True is proven, False has a counterexample, None is unknown."""
    if sympy.expand(a - b) == 0:
        return True
    random = Random(0)  # noqa: S311 - points to compare at, no secrets
    symbols = sorted((a - b).free_symbols, key=str)
    for _ in range(_POINTS):
        point = {each: _somewhere(each, random) for each in symbols}
        x, y = (evaluated(substituted(each, point)) for each in (a, b))
        if not (is_nowhere(x) or is_nowhere(y)) and abs(x - y) > sympy.Float("1e-30", DIGITS) * (abs(x) + abs(y)):
            return False
    return True if sympy.simplify(a - b) == 0 else None


def _somewhere(symbol: Expr, random: Random) -> Expr:
    return (
        sympy.Rational(random.randint(1, 1000), random.randint(1, 9))
        if symbol.is_real
        else random.choice((sympy.true, sympy.false))
    )
