"""A lowered expression to a SymPy expression, exact and with all its branches: for algebra, and as an oracle.

Trees come in and SymPy objects go out; no text is ever parsed by SymPy.
"""

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from fractions import Fraction
from functools import reduce
from math import isqrt
from random import Random
from typing import Any

import sympy
from sympy.functions.elementary.piecewise import ExprCondPair
from sympy.logic.boolalg import Boolean

from formula_eval.core import expression as e
from formula_eval.core.graph import FormulaGraph
from formula_eval.core.graph import Node
from formula_eval.core.type import Flag
from formula_eval.core.type import Record

Expr = Any  # a SymPy expression: a number, or a truth value
Symbols = Callable[[str], Expr]

_DIGITS = 50
_POINTS = 20
_RELATIONS = {"==": sympy.Eq, "!=": sympy.Ne, "<": sympy.Lt, "<=": sympy.Le, ">": sympy.Gt, ">=": sympy.Ge}
_FUNCTIONS: Mapping[str, Callable[..., Expr]] = {
    "sum": sympy.Add,
    "min": lambda *each: sympy.Min(*each, evaluate=False) if len(each) > 1 else each[0],
    "max": lambda *each: sympy.Max(*each, evaluate=False) if len(each) > 1 else each[0],
    "abs": sympy.Abs,
    "clamp": lambda x, low, high: sympy.Min(sympy.Max(x, low, evaluate=False), high, evaluate=False),
    "ceil": sympy.ceiling,
    "floor": sympy.floor,
    "ceildiv": lambda a, b: sympy.ceiling(a / b),
    "floordiv": lambda a, b: sympy.floor(a / b),
    "sqrt": sympy.sqrt,
    "log2": lambda x: sympy.log(x, 2),
    "ln": sympy.log,
    "exp": sympy.exp,
    "one_if": lambda flag: _piecewise([(sympy.Integer(1), flag), (sympy.Integer(0), sympy.true)]),
}


class LargestDivisor(sympy.Function):  # type: ignore[misc]
    """The largest divisor of n that is not above a bound; 0 if there is none."""

    nargs = 2

    @classmethod
    def eval(cls, n: Expr, at_most: Expr) -> Expr | None:
        """The divisor of numbers; of symbols, nothing."""
        if not (n.is_Integer and n.is_positive and (at_most.is_Rational or at_most is sympy.oo)):
            return None
        whole = int(n)
        small = [each for each in range(1, isqrt(whole) + 1) if whole % each == 0]
        fitting = [each for each in (*small, *(whole // each for each in small)) if each <= at_most]
        return sympy.Integer(max(fitting, default=0))


def quantity_symbol(name: str) -> Expr:
    """The symbol of a number: real, and nothing more, since further assumptions make SymPy drop branches."""
    return sympy.Symbol(name, real=True)


def flag_symbol(name: str) -> Expr:
    """The symbol of a flag: without assumptions, which is how it is told from a number."""
    return sympy.Symbol(name)


def graph_symbols(graph: FormulaGraph) -> Symbols:
    """The symbol of each node: of a number (a choice is its index), or of a flag."""
    return lambda name: (flag_symbol if isinstance(graph.nodes[name].type, Flag) else quantity_symbol)(name)


def symbolic(expression: e.Expression, symbol: Symbols) -> Expr:  # noqa: C901, PLR0911, PLR0912 - one case for each kind of node
    """The expression with exact rationals; `symbol` gives the symbol of each node."""
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
            return -symbolic(operand, symbol)
        case e.Binary(operator, left, right):
            return _binary(operator, symbolic(left, symbol), symbolic(right, symbol))
        case e.Compare(operator, left, right):
            return _related(operator, symbolic(left, symbol), symbolic(right, symbol))
        case e.Logical(operator, left, right):
            join = sympy.And if operator == "and" else sympy.Or
            return join(symbolic(left, symbol), symbolic(right, symbol))
        case e.Not(operand):
            return sympy.Not(symbolic(operand, symbol))
        case e.Conditional(then, condition, otherwise):
            branches = (symbolic(then, symbol), symbolic(condition, symbol)), (symbolic(otherwise, symbol), sympy.true)
            return _piecewise(branches)
        case e.Match(subject, arms):
            tested = symbolic(subject, symbol)
            return _piecewise((symbolic(arm.value, symbol), _fits(tested, arm, symbol)) for arm in arms)
        case e.Call(function, arguments):
            return _call(function, [symbolic(each, symbol) for each in arguments])
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
            return sympy.nan if right.is_zero or _is_nowhere(left) or _is_nowhere(right) else sympy.Mod(left, right)
    return left**right


def _is_flag(x: Expr) -> bool:
    return isinstance(x, Boolean) and not (x.is_Symbol and x.is_real)


def _related(operator: str, left: Expr, right: Expr) -> Expr:
    """A comparison; one with what is no number never holds, unless it is `!=`."""
    if _is_flag(left) and _is_flag(right):
        same = sympy.Equivalent(left, right)
        return same if operator == "==" else sympy.Not(same)
    if _is_nowhere(left) or _is_nowhere(right):
        return sympy.true if operator == "!=" else sympy.false
    if (left.is_infinite or right.is_infinite) and (left.free_symbols or right.free_symbols):
        # To SymPy a real symbol is finite; a quantity may not be.
        return _RELATIONS[operator](left, right, evaluate=False)
    return _RELATIONS[operator](left, right)


def _is_nowhere(x: Expr) -> bool:
    """Whether this is certainly no number of the line: nan, x / 0, the root of -1."""
    return bool(x is sympy.nan or (not isinstance(x, Boolean) and x.is_extended_real is False))


def _fits(subject: Expr, arm: e.Arm, symbol: Symbols) -> Expr:
    return sympy.Or(*(_related("==", subject, symbolic(pattern, symbol)) for pattern in arm.patterns))


def _piecewise(branches: Iterable[tuple[Expr, Expr]]) -> Expr:
    """One of several numbers, or of several flags; what fits no branch is no number.

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


def _call(function: str, arguments: list[Expr]) -> Expr:
    match function:
        case "largest":
            *others, last = range(len(arguments))
            greatest = [(i, sympy.And(*(_related(">=", arguments[i], each) for each in arguments[i:]))) for i in others]
            return _piecewise(
                [*((sympy.Integer(i), holds) for i, holds in greatest), (sympy.Integer(last), sympy.true)]
            )
        case "largest_divisor":
            return LargestDivisor(*arguments)
    return _FUNCTIONS[function](*arguments)


# -- the oracle


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
        return _evaluated(substituted(expression, known))

    def _expressions(self, node: Node) -> tuple[Expr, Expr]:
        """The guard and the expression of a node."""
        if node.name not in self._converted:
            nothing = sympy.false if isinstance(node.type, Flag) else sympy.nan
            expression = symbolic(node.expression, self._symbols) if node.expression is not None else nothing
            guard = symbolic(node.guard, self._symbols) if node.guard is not None else sympy.true
            self._converted[node.name] = guard, expression
        return self._converted[node.name]


def _exact(value: Fraction | bool | int) -> Expr:  # noqa: FBT001 - a given may be a flag
    if isinstance(value, bool):
        return sympy.true if value else sympy.false
    return sympy.Rational(*Fraction(value).as_integer_ratio())


def _evaluated(value: Expr) -> Expr:
    """A number as it is if rational, else to 50 digits; the logarithm or root that a number does not have is nan."""
    if isinstance(value, Boolean) or value.is_Rational or value in (sympy.nan, sympy.zoo, sympy.oo, -sympy.oo):
        return value
    number = value.evalf(_DIGITS)
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
        return _related(x.rel_op, *parts)
    if any(_is_nowhere(each) for each in parts):
        return sympy.nan
    if isinstance(x, sympy.Pow) and _explodes(*parts):
        return sympy.Float(parts[0], _DIGITS + 10) ** parts[1]
    if isinstance(x, sympy.log) and (power := _power_of_two(parts[0])) is not None:
        return power * sympy.log(2)
    return sympy.nan if isinstance(x, sympy.Mod) and parts[1].is_zero else x.func(*parts)


def _explodes(base: Expr, exponent: Expr) -> bool:
    """Whether an exact power would have thousands of digits."""
    return bool(base.is_Rational and not base.is_Integer and exponent.is_Rational and abs(exponent) > _DIGITS)


def _power_of_two(x: Expr) -> int | None:
    """The logarithm to the base 2 where it is whole, so that one of 8 is 3 and not 2.99..."""
    if not (x.is_Rational and x.is_positive) or x.p & (x.p - 1) or x.q & (x.q - 1):
        return None
    return int(x.p).bit_length() - int(x.q).bit_length()


# -- algebra


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
        x, y = (_evaluated(substituted(each, point)) for each in (a, b))
        if not (_is_nowhere(x) or _is_nowhere(y)) and abs(x - y) > sympy.Float("1e-30", _DIGITS) * (abs(x) + abs(y)):
            return False
    return True if sympy.simplify(a - b) == 0 else None


def _somewhere(symbol: Expr, random: Random) -> Expr:
    return (
        sympy.Rational(random.randint(1, 1000), random.randint(1, 9))
        if symbol.is_real
        else random.choice((sympy.true, sympy.false))
    )
