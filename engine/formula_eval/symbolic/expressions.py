"""Converts a lowered expression to a SymPy expression, exact and with all its branches.

It builds SymPy objects directly from the tree; SymPy never parses a text.
"""

from calendar import monthrange
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from functools import reduce
from math import isqrt
from typing import Any

import sympy
from sympy.functions.elementary.piecewise import ExprCondPair
from sympy.logic.boolalg import Boolean

from formula_eval.core import expression as e
from formula_eval.core.builtins import require_all
from formula_eval.core.graph import FormulaGraph
from formula_eval.core.type import Flag

Expr = Any  # a SymPy expression: a number, or a truth value
Symbols = Callable[[str], Expr]

_RELATIONS = {"==": sympy.Eq, "!=": sympy.Ne, "<": sympy.Lt, "<=": sympy.Le, ">": sympy.Gt, ">=": sympy.Ge}


class LargestDivisor(sympy.Function):  # type: ignore[misc]
    """The largest divisor of n that is not above a bound; 0 if there is none."""

    nargs = 2

    @classmethod
    def eval(cls, n: Expr, at_most: Expr) -> Expr | None:
        """The divisor of numbers; of symbols, nothing."""
        if not (n.is_Integer and n.is_positive and (at_most.is_Rational or at_most is sympy.oo)):
            return None
        whole = int(n)
        small = [number for number in range(1, isqrt(whole) + 1) if whole % number == 0]
        fitting = [number for number in (*small, *(whole // each for each in small)) if number <= at_most]
        return sympy.Integer(max(fitting, default=0))


class MonthsLater(sympy.Function):  # type: ignore[misc]
    """A date in seconds since the beginning of 1970, moved by whole months of the calendar."""

    nargs = 2

    @classmethod
    def eval(cls, date: Expr, months: Expr) -> Expr | None:
        """The date of numbers within the years that Python's calendar knows; of others, nothing."""
        if not (date.is_Rational and months.is_Rational):
            return None
        seconds, count = int(sympy.floor(date)), int(FUNCTIONS["round"](months))
        try:
            day = datetime(1970, 1, 1) + timedelta(seconds=seconds)  # noqa: DTZ001 - a day of no zone
            year, month = divmod(12 * day.year + day.month - 1 + count, 12)
            moved = day.replace(year=year, month=month + 1, day=min(day.day, monthrange(year, month + 1)[1]))
        except (OverflowError, ValueError):
            return None
        return date + 86400 * (moved - day).days


def quantity_symbol(name: str) -> Expr:
    """The symbol of a number: real, and nothing more, since further assumptions make SymPy drop branches."""
    return sympy.Symbol(name, real=True)


def flag_symbol(name: str) -> Expr:
    """The symbol of a flag: without assumptions, which is how it is told from a number."""
    return sympy.Symbol(name)


def graph_symbols(graph: FormulaGraph) -> Symbols:
    """The symbol of each node: of a number (a choice is its index), or of a flag."""
    return lambda name: (flag_symbol if isinstance(graph.nodes[name].type, Flag) else quantity_symbol)(name)


def symbolic(  # noqa: C901, PLR0911, PLR0912 - one case for each kind of node
    expression: e.Expression, symbol: Symbols, functions: Mapping[str, Callable[..., Expr]] | None = None
) -> Expr:
    """The expression with exact rationals; `symbol` gives the symbol of each node, `functions` what builtins become."""

    def part(of: e.Expression) -> Expr:
        return symbolic(of, symbol, functions)

    match expression:
        case e.Number(value=value):
            return sympy.Rational(value.numerator, value.denominator)
        case e.Infinity():
            return sympy.oo
        case e.FlagValue(value):
            return sympy.true if value else sympy.false
        case e.Reference(node):
            return symbol(node)
        case e.ChoiceValue(_, index):
            return sympy.Integer(index)
        case e.Given(node):
            return given_symbol(node)
        case e.Negate(operand):
            return -part(operand)
        case e.Binary(operator, left, right):
            return _binary(operator, part(left), part(right))
        case e.Compare(operator, left, right):
            return related(operator, part(left), part(right))
        case e.Logical(operator, left, right):
            return (sympy.And if operator == "and" else sympy.Or)(part(left), part(right))
        case e.Not(operand):
            return sympy.Not(part(operand))
        case e.Conditional(then, condition, otherwise):
            return _piecewise([(part(then), part(condition)), (part(otherwise), sympy.true)])
        case e.Match(subject, arms):
            tested = part(subject)
            return _piecewise((part(arm.value), _fits(tested, map(part, arm.patterns))) for arm in arms)
        case e.Call(function, arguments):
            return (functions or FUNCTIONS)[function](*map(part, arguments))
    raise TypeError(type(expression).__name__)


def given_symbol(name: str) -> Expr:
    """The flag that says whether an input was given."""
    return flag_symbol(f"given({name})")


def _binary(operator: str, left: Expr, right: Expr) -> Expr:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left / right
        case "%":
            return sympy.nan if right.is_zero or is_nowhere(left) or is_nowhere(right) else sympy.Mod(left, right)
    return left**right


def _is_flag(x: Expr) -> bool:
    return isinstance(x, Boolean) and not (x.is_Symbol and x.is_real)


def related(operator: str, left: Expr, right: Expr) -> Expr:
    """A comparison; one with what is not a number never holds, unless it is `!=`."""
    if _is_flag(left) and _is_flag(right):
        same = sympy.Equivalent(left, right)
        return same if operator == "==" else sympy.Not(same)
    if is_nowhere(left) or is_nowhere(right):
        return sympy.true if operator == "!=" else sympy.false
    if (left.is_infinite or right.is_infinite) and (left.free_symbols or right.free_symbols):
        # To SymPy a real symbol is finite; a quantity may not be.
        return _RELATIONS[operator](left, right, evaluate=False)
    return _RELATIONS[operator](left, right)


def is_nowhere(x: Expr) -> bool:
    """Whether this is certainly no number of the line: nan, x / 0, the root of -1."""
    return bool(x is sympy.nan or (not isinstance(x, Boolean) and x.is_extended_real is False))


def _fits(subject: Expr, patterns: Iterable[Expr]) -> Expr:
    return sympy.Or(*(related("==", subject, pattern) for pattern in patterns))


def _piecewise(branches: Iterable[tuple[Expr, Expr]]) -> Expr:
    """One of several numbers, or of several flags; what fits no branch is not a number.

    A condition that holds branches itself is kept as it is: SymPy would spell it out, compare what no branch
    computes (1 / 0 > 2), and gets flags wrong (1.14 folds `-one_if(flag) >= 0` to false).
    """
    listed = list(branches)
    if all(_is_flag(value) for value, _ in listed):
        return reduce(lambda rest, branch: sympy.ITE(branch[1], branch[0], rest), reversed(listed), sympy.false)
    if listed[-1][1] is not sympy.true:
        listed.append((sympy.nan, sympy.true))
    if not any(condition.has(sympy.Piecewise) for _, condition in listed):
        return sympy.Piecewise(*listed)
    pairs = (sympy.Tuple.__new__(ExprCondPair, *branch) for branch in listed)
    return sympy.Basic.__new__(sympy.Piecewise, *pairs)


def _largest(*values: Expr) -> Expr:
    """The place of the largest value, the first of equal ones."""
    *others, last = range(len(values))
    greatest = [(i, sympy.And(*(related(">=", values[i], value) for value in values[i:]))) for i in others]
    return _piecewise([*((sympy.Integer(i), holds) for i, holds in greatest), (sympy.Integer(last), sympy.true)])


def _extreme(function: Callable[..., Expr], *values: Expr) -> Expr:
    """The least or the greatest, as written, but of known numbers: SymPy 1.14 never ends at `-1 >= Max(-3, -1)`."""
    if len(values) == 1:
        return values[0]
    return function(*values, evaluate=all(value.is_extended_real and not value.free_symbols for value in values))


FUNCTIONS: Mapping[str, Callable[..., Expr]] = {
    "sum": sympy.Add,
    "min": lambda *each: _extreme(sympy.Min, *each),
    "max": lambda *each: _extreme(sympy.Max, *each),
    "abs": sympy.Abs,
    "clamp": lambda x, low, high: _extreme(sympy.Min, _extreme(sympy.Max, x, low), high),
    "ceil": sympy.ceiling,
    "floor": sympy.floor,
    "round": lambda x: sympy.sign(x) * sympy.floor(sympy.Abs(x) + sympy.Rational(1, 2)),
    "ceildiv": lambda a, b: sympy.ceiling(a / b),
    "floordiv": lambda a, b: sympy.floor(a / b),
    "sqrt": sympy.sqrt,
    "log2": lambda x: sympy.log(x, 2),
    "ln": sympy.log,
    "log1p": lambda x: sympy.log(1 + x),
    "exp": sympy.exp,
    "expm1": lambda x: sympy.exp(x) - 1,
    "one_if": lambda flag: _piecewise([(sympy.Integer(1), flag), (sympy.Integer(0), sympy.true)]),
    "largest": _largest,
    "largest_divisor": LargestDivisor,
    "months_later": MonthsLater,
}
require_all("symbolic", FUNCTIONS)
