"""Evaluates the nodes of a graph exactly with SymPy: the oracle that compiled programs are held against."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.core.type import Flag, Record
from formula_eval.symbolic.expressions import FUNCTIONS, given_symbol, graph_symbols, is_nowhere, related, symbolic
from symbolic_rounding import CeilDiv, FloorDiv, rounded

Expr = Any  # a SymPy expression: a number, or a truth value
DIGITS = 50
_FUNCTIONS = {**FUNCTIONS, "ceildiv": CeilDiv, "floordiv": FloorDiv}  # algebra takes them for a rounded quotient
_LARGEST_ROOT = 16  # exact roots are sought up to the sixteenth,
_LONGEST_BASE = 64  # of numbers up to so many bits
_LONGEST_POWER = 2**16  # bits of a fraction's power: what follows row by row multiplies them again and again


class Oracle:
    """Exact values of nodes: a rational, 50 digits of an irrational one, a truth value, oo, nan or zoo (x / 0)."""

    def __init__(self, graph: FormulaGraph) -> None:
        """Each formula becomes a SymPy expression once, when it is first needed."""
        self._graph = graph
        self._symbols = graph_symbols(graph)
        self._converted: dict[str, tuple[Expr, Expr]] = {}

    def value(self, name: str, givens: Mapping[str, Fraction | bool | int]) -> Expr:
        """The exact value of one node."""
        return self.values([name], givens)[name]

    def values(self, names: Iterable[str], givens: Mapping[str, Fraction | bool | int]) -> dict[str, Expr]:
        """The exact values of these nodes and all that they need, each by substitution into its own expression."""
        values: dict[str, Expr] = {}
        known: dict[Expr, Expr] = {}
        for name in self._graph.ancestors(list(names)):
            node = self._graph.nodes[name]
            known[given_symbol(name)] = sympy.true if name in givens else sympy.false
            if not isinstance(node.type, Record):
                values[name] = _exact(givens[name]) if name in givens else self._computed(node, known)
                known[self._symbols(name)] = values[name]
        return values

    def _computed(self, node: Node, known: Mapping[Expr, Expr]) -> Expr:
        guard, expression = self._expressions(node)
        if guard is not sympy.true and substituted(guard, known) is not sympy.true:
            return sympy.Integer(0)
        return evaluated(substituted(expression, known))

    def _expressions(self, node: Node) -> tuple[Expr, Expr]:
        """The guard and the expression of a node."""
        if node.name not in self._converted:
            nothing = sympy.false if isinstance(node.type, Flag) else sympy.nan
            expression = (
                symbolic(node.expression, self._symbols, _FUNCTIONS) if node.expression is not None else nothing
            )
            guard = symbolic(node.guard, self._symbols, _FUNCTIONS) if node.guard is not None else sympy.true
            self._converted[node.name] = guard, expression
        return self._converted[node.name]


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
