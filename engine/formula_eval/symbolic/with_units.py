"""Converts a lowered expression to SymPy with units as positive symbols, so that algebra carries them along.

Numbers become the shortest decimals that are the same float: `0.85` is 17/20, not a fraction of powers of two.
"""

from fractions import Fraction
from typing import Any

import sympy

from formula_eval.core import expression as e
from formula_eval.core.unit import UnitTable
from formula_eval.symbolic.expressions import Symbols, symbolic

Expr = Any  # a SymPy expression
_UNIT = "unit "  # before the name of a unit among the references of a tree; no node is called so


def with_units(x: e.Expression, symbol: Symbols, units: UnitTable) -> Expr:
    """The expression with units as symbols; `symbol` gives that of each node."""

    def found(name: str) -> Expr:
        return unit_symbol(name.removeprefix(_UNIT)) if name.startswith(_UNIT) else symbol(name)

    return symbolic(_spelled(x, units), found)


def without_units(x: e.Expression, symbol: Symbols) -> Expr:
    """The expression with all quantities in base units, as plain numbers."""
    return symbolic(_decimals(x), symbol)


def unit_symbol(name: str) -> Expr:
    """The symbol of a base unit."""
    return sympy.Symbol(name, positive=True)


def _spelled(x: e.Expression, units: UnitTable) -> e.Expression:
    """The tree with each number as a product of decimals and units."""
    if not isinstance(x, e.Number):
        return e.rebuild(x, lambda part: _spelled(part, units))
    number: e.Expression = _decimal(x)
    for name, power in units.parse(x.unit).dimension.exponents if x.unit else ():
        unit: e.Expression = e.Reference(f"{_UNIT}{name}")
        number = e.Binary("*", number, e.Binary("**", unit, e.Number(str(power), value=power)))
    return number


def _decimals(x: e.Expression) -> e.Expression:
    return _decimal(x) if isinstance(x, e.Number) else e.rebuild(x, _decimals)


def _decimal(x: e.Number) -> e.Number:
    if x.value.denominator == 1:
        return e.Number(x.text, value=x.value)
    return e.Number(x.text, value=Fraction(repr(float(x.value))))
