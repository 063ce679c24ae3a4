"""Differentiates a specialised quantity by a free input, symbolically, with its branches kept.

Between its steps a rounding has the derivative 0; at a kink of `min`, `max` or `abs` the branch taken counts.
"""

from fractions import Fraction

from formula_eval.core import expression as e
from formula_eval.core.unit import UnitTable
from formula_eval.evaluate.fold import ONE, ZERO, Fold, is_zero
from formula_eval.evaluate.specialise import Specialised, inlined

STEPS = ("ceil", "floor", "round", "ceildiv", "floordiv", "largest", "largest_divisor", "months_later")
_TWO = e.Number("2", value=Fraction(2))


def derivative(of: Specialised, by: str, units: UnitTable) -> Specialised:
    """The derivative of the quantity by a free input, as a specialised quantity of its own."""
    rules = _Rules(by, units)
    for name, x in of.formulas.items():
        rules.add(name, x)
    name = prime(of.name)
    left = {**of.formulas, **rules.formulas}
    if name not in left:
        left[name] = ZERO
    return Specialised(name, of.free, inlined([name], left))


def prime(name: str) -> str:
    """The name of a formula's derivative."""
    return f"{name}'"


def has_steps(of: Specialised) -> bool:
    """Whether the quantity is rounded somewhere, so that it grows in steps."""
    return any(
        isinstance(x, e.Call) and x.function in STEPS for formula in of.formulas.values() for x in e.walk(formula)
    )


class _Rules:
    """Differentiates formulas in order; keeps no derivative for those that do not depend on the input."""

    def __init__(self, by: str, units: UnitTable) -> None:
        self._by = by
        self._fold = Fold(units)
        self.formulas: dict[str, e.Expression] = {}

    def add(self, name: str, x: e.Expression) -> None:
        """Keep the derivative of a formula, unless it is 0."""
        found = self._fold(self._of(x))
        if not is_zero(found):
            self.formulas[prime(name)] = found

    def _of(self, x: e.Expression) -> e.Expression:  # noqa: C901, PLR0911, PLR0912 - one case for each kind of node
        match x:
            case e.Reference(node):
                if node == self._by:
                    return ONE
                return e.Reference(prime(node)) if prime(node) in self.formulas else ZERO
            case e.Negate(operand):
                return _negative(self._of(operand))
            case e.Binary(operator, left, right):
                return self._binary(operator, left, right)
            case e.Conditional(then, condition, otherwise):
                return _conditional(self._of(then), condition, self._of(otherwise))
            case e.Match(subject, arms):
                values = tuple(e.Arm(arm.patterns, self._of(arm.value)) for arm in arms)
                return ZERO if all(is_zero(arm.value) for arm in values) else e.Match(subject, values)
            case e.Call("sum", terms):
                return _total([self._of(term) for term in terms])
            case e.Call("min" | "max" as function, (first, *others)):
                return self._extreme(function, first, others)
            case e.Call("clamp", (value, low, high)):
                return self._of(e.Call("min", (e.Call("max", (value, low)), high)))
            case e.Call("abs", (of,)):
                inner = self._of(of)
                return _conditional(inner, e.Compare(">=", of, ZERO), _negative(inner))
            case e.Call("sqrt", (of,)):
                return _over(self._of(of), _times(_TWO, x))
            case e.Call("ln", (of,)):
                return _over(self._of(of), of)
            case e.Call("log1p", (of,)):
                return _over(self._of(of), e.Binary("+", ONE, of))
            case e.Call("log2", (of,)):
                return _over(self._of(of), _times(of, e.Call("ln", (_TWO,))))
            case e.Call("exp", (of,)):
                return _times(x, self._of(of))
            case e.Call("expm1", (of,)):
                return _times(e.Call("exp", (of,)), self._of(of))
        return ZERO

    def _extreme(self, function: str, first: e.Expression, others: list[e.Expression]) -> e.Expression:
        """The derivative of the term that is the least or greatest, the first of equal ones."""
        sign = "<=" if function == "min" else ">="
        if not others:
            return self._of(first)
        rest = others[0] if len(others) == 1 else e.Call(function, tuple(others))
        return _conditional(self._of(first), e.Compare(sign, first, rest), self._of(rest))

    def _binary(self, operator: str, left: e.Expression, right: e.Expression) -> e.Expression:  # noqa: PLR0911 - one case for each
        one, other = self._of(left), self._of(right)
        match operator:
            case "+":
                return _total([one, other])
            case "-":
                return _total([one, _negative(other)])
            case "*":
                return _total([_times(one, right), _times(left, other)])
            case "/":
                inner = _negative(_over(_times(left, other), e.Binary("**", right, _TWO)))
                return _total([_over(one, right), inner])
            case "%":
                return one
        lower = _times(_times(right, e.Binary("**", left, e.Binary("-", right, ONE))), one)
        if is_zero(other):
            return lower
        return _total([lower, _times(_times(e.Binary("**", left, right), e.Call("ln", (left,))), other)])


def _negative(x: e.Expression) -> e.Expression:
    return ZERO if is_zero(x) else e.Negate(x)


def _times(a: e.Expression, b: e.Expression) -> e.Expression:
    if is_zero(a) or is_zero(b):
        return ZERO
    return b if a == ONE else a if b == ONE else e.Binary("*", a, b)


def _over(a: e.Expression, b: e.Expression) -> e.Expression:
    return ZERO if is_zero(a) else e.Binary("/", a, b)


def _total(terms: list[e.Expression]) -> e.Expression:
    left = tuple(term for term in terms if not is_zero(term))
    return left[0] if len(left) == 1 else e.Call("sum", left) if left else ZERO


def _conditional(then: e.Expression, condition: e.Expression, otherwise: e.Expression) -> e.Expression:
    return then if then == otherwise else e.Conditional(then, condition, otherwise)
