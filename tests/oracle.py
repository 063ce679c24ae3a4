"""Evaluates the nodes of a graph exactly with SymPy: the oracle that compiled programs are held against."""

from collections.abc import Container, Iterable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import sympy
from sympy.logic.boolalg import Boolean

from formula_eval.core import expression as e
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.core.type import Flag, Record
from formula_eval.symbolic.expressions import (
    FUNCTIONS,
    flag_symbol,
    given_symbol,
    is_nowhere,
    quantity_symbol,
    related,
    symbolic,
)
from symbolic_rounding import CeilDiv, FloorDiv, rounded

Expr = Any  # a SymPy expression: a number, or a truth value
DIGITS = 50
_FUNCTIONS = {**FUNCTIONS, "ceildiv": CeilDiv, "floordiv": FloorDiv}  # algebra takes them for a rounded quotient
_LARGEST_ROOT = 16  # exact roots are sought up to the sixteenth,
_LONGEST_BASE = 64  # of numbers up to so many bits
_LONGEST_POWER = 2**16  # bits of a fraction's power: what follows row by row multiplies them again and again


class _Shape(NamedTuple):
    """A formula without the names of what it reads: its guard and itself, and which of these are flags."""

    guard: e.Expression | None
    expression: e.Expression | None
    flags: tuple[bool, ...]


class Oracle:
    """Exact values of nodes: a rational, 50 digits of an irrational one, a truth value, oo, nan or zoo (x / 0)."""

    def __init__(self, graph: FormulaGraph) -> None:
        """Each formula becomes a SymPy expression once, when it is first needed, for all copies under other inputs."""
        self._graph = graph
        self._converted: dict[_Shape, tuple[Expr, Expr]] = {}

    def value(self, name: str, givens: Mapping[str, Fraction | bool | int]) -> Expr:
        """The exact value of one node."""
        return self.values([name], givens)[name]

    def values(self, names: Iterable[str], givens: Mapping[str, Fraction | bool | int]) -> dict[str, Expr]:
        """The exact values of these nodes and all that they need, each by substitution into its own expression."""
        values: dict[str, Expr] = {}
        for name in self._graph.ancestors(list(names)):
            node = self._graph.nodes[name]
            if not isinstance(node.type, Record):
                values[name] = _exact(givens[name]) if name in givens else self._computed(node, values, givens)
        return values

    def _computed(self, node: Node, values: Mapping[str, Expr], givens: Container[str]) -> Expr:
        parts = (x for x in (node.guard, node.expression) if x is not None)
        read = dict.fromkeys(each.node for x in parts for each in e.walk(x) if isinstance(each, e.Reference | e.Given))
        places = {name: str(place) for place, name in enumerate(read)}
        flags = tuple(isinstance(self._graph.nodes[name].type, Flag) for name in read)
        shape = _Shape(_renamed(node.guard, places), _renamed(node.expression, places), flags)
        guard, expression = self._converted.get(shape) or self._conversion(shape, is_flag=isinstance(node.type, Flag))
        known: dict[Expr, Expr] = {given_symbol(places[name]): sympy.sympify(name in givens) for name in read}
        known |= {_symbol(places[name], shape): values[name] for name in read if name in values}
        if guard is not sympy.true and substituted(guard, known) is not sympy.true:
            return sympy.Integer(0)
        return evaluated(substituted(expression, known))

    def _conversion(self, shape: _Shape, *, is_flag: bool) -> tuple[Expr, Expr]:
        """The guard and the expression of all nodes of a shape."""
        symbols = partial(_symbol, shape=shape)
        expression: Expr = sympy.false if is_flag else sympy.nan
        if shape.expression is not None:
            expression = symbolic(shape.expression, symbols, _FUNCTIONS)
        guard = symbolic(shape.guard, symbols, _FUNCTIONS) if shape.guard is not None else sympy.true
        if shape.expression is not None:
            self._converted[shape] = guard, expression
        return guard, expression


def _symbol(place: str, shape: _Shape) -> Expr:
    """The symbol of what a shape reads at a place."""
    return flag_symbol(place) if shape.flags[int(place)] else quantity_symbol(place)


def _renamed(x: e.Expression | None, names: Mapping[str, str]) -> e.Expression | None:
    """The expression with other names."""

    def renamed(part: e.Expression) -> e.Expression:
        if isinstance(part, e.Reference | e.Given):
            return type(part)(names[part.node])
        return e.rebuild(part, renamed)

    return None if x is None else renamed(x)


def _exact(value: Fraction | bool | int) -> Expr:  # noqa: FBT001 - a given may be a flag
    if isinstance(value, bool):
        return sympy.true if value else sympy.false
    return sympy.Rational(*Fraction(value).as_integer_ratio())


def evaluated(value: Expr) -> Expr:
    """A number as it is if rational, else to 50 digits; the logarithm or root that a number does not have is nan."""
    if isinstance(value, Boolean) or value.is_Rational or value in (sympy.nan, sympy.zoo, sympy.oo, -sympy.oo):
        return value
    number = value.evalf(DIGITS)
    return number if number.is_Float or number.is_Rational else sympy.nan


def substituted(x: Expr, known: Mapping[Expr, Expr]) -> Expr:  # noqa: PLR0911 - one case for each kind of branch
    """The expression with its symbols replaced; of a branch only the side taken, as in a program."""
    if not x.args:
        return known.get(x, x)
    if isinstance(x, sympy.Piecewise):
        taken = (value for value, condition in x.args if substituted(condition, known) is sympy.true)
        return substituted(next(taken, sympy.nan), known)
    if isinstance(x, sympy.ITE):
        return substituted(x.args[1 if substituted(x.args[0], known) is sympy.true else 2], known)
    parts = [substituted(each, known) for each in x.args]
    if isinstance(x, sympy.core.relational.Relational):
        return related(x.rel_op, *parts)
    if any(is_nowhere(each) for each in parts):
        return sympy.nan
    if isinstance(x, sympy.Pow) and _explodes(*parts):
        return sympy.Float(parts[0], DIGITS + 10) ** parts[1]
    if isinstance(x, sympy.log) and (power := _power_of_two(parts[0])) is not None:
        return power * sympy.log(2)
    if isinstance(x, sympy.Mod) and parts[1].is_zero:
        return sympy.nan
    found = rounded(x.func, parts)
    return x.func(*parts) if found is None else found


def _explodes(base: Expr, exponent: Expr) -> bool:
    """Whether an exact power would have thousands of digits, or an exact root would need factors of such a number."""
    if not (base.is_Rational and exponent.is_Rational):
        return False
    bits = max(int(base.p).bit_length(), int(base.q).bit_length())
    if exponent.is_Integer:
        times = abs(int(exponent))
        return not base.is_Integer and (times > DIGITS or (times > 1 and bits * times > _LONGEST_POWER))
    return exponent.q > _LARGEST_ROOT or bits > _LONGEST_BASE


def _power_of_two(x: Expr) -> int | None:
    """The logarithm to the base 2 where it is whole, so that one of 8 is 3 and not 2.99..."""
    if not (x.is_Rational and x.is_positive) or x.p & (x.p - 1) or x.q & (x.q - 1):
        return None
    return int(x.p).bit_length() - int(x.q).bit_length()
