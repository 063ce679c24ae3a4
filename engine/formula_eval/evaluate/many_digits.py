"""Evaluates a program with fifty decimal digits, to show what its doubles would be without rounding.

The code that Python runs is the same; its numbers are decimal ones, and a few functions are put in the place of those
that are made for doubles. So all that a formula says holds, branches and roundings to whole numbers among it.
"""

import math
from collections.abc import Callable, Mapping
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, DivisionByZero, localcontext
from types import CodeType, SimpleNamespace
from typing import Any

from formula_eval.evaluate.node_values import NodeValues
from formula_eval.evaluate.program import Program

DIGITS = 50
_MORE = 2 * DIGITS  # of what is left of two numbers that are near each other
_CONTEXT = Context(prec=DIGITS, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[DivisionByZero])
_LN_2 = Decimal(2).ln(_CONTEXT)


class ManyDigits:
    """Runs a program on decimals of fifty digits."""

    def __init__(self, program: Program) -> None:
        """Replace the numeric constants of the program's code by decimals."""
        self._program = program
        self._namespace: dict[str, Any] = {"__name__": "formulas"}
        for code in program.codes:
            exec(_decimal(code), self._namespace)  # noqa: S102 - generated from a tree, never from text
        self._namespace.update(
            math=_MATH,
            inf=Decimal("Infinity"),
            nan=Decimal("NaN"),
            float=Decimal,
            power=_power,
            floordiv=self._floordiv,
            remainder=self._remainder,
        )
        self._near_part: Callable[[Decimal, Decimal], Decimal] = self._namespace["near_part"]

    def evaluate(self, givens: Mapping[str, float]) -> Mapping[str, Decimal | bool | int]:
        """All values of one configuration; raises ArithmeticError or ValueError where a formula has none."""
        held = {
            name: _held(self._program.kinds[name], value)
            for name, value in givens.items()
            if name in self._program.kinds and value is not None and value == value  # noqa: PLR0124 - nan is absent
        }
        with localcontext(_CONTEXT):
            values: tuple[Decimal | bool | int, ...] = self._namespace["scalar"](held)
        return NodeValues(self._program.places, values)

    def _floordiv(self, a: Decimal, b: Decimal) -> Decimal:
        """`a / b`, rounded down; for decimals, Python itself rounds towards 0."""
        quotient = a / b
        if not quotient.is_finite():
            return quotient
        whole = Decimal(math.floor(quotient))
        return whole + (abs(b) - abs(a - whole * b) <= self._near_part(a, b))

    def _remainder(self, a: Decimal, b: Decimal) -> Decimal:
        """The remainder of a division, with the sign of b."""
        quotient = a / b
        rest = a - math.floor(quotient) * b if quotient.is_finite() else quotient
        least = self._near_part(a, b)
        return Decimal(0).copy_sign(b) if abs(rest) <= least or abs(b) - abs(rest) <= least else rest


def _decimal(constant: Any) -> Any:  # noqa: ANN401 - whatever code holds
    """Converts a constant of a code object: each double becomes the decimal that was written for it."""
    match constant:
        case float():
            return Decimal(repr(constant))
        case tuple():
            return tuple(map(_decimal, constant))
        case CodeType():
            return constant.replace(co_consts=_decimal(constant.co_consts))
    return constant


def _held(kind: str, value: Any) -> Any:  # noqa: ANN401 - a number, a flag, a word's index or a record
    if kind == "number":
        return Decimal(float(value))
    return {"flag": bool, "choice": int}.get(kind, lambda each: each)(value)


def _power(base: Decimal, exponent: Decimal) -> Decimal:
    if base < 0 and exponent % 1:
        raise ValueError
    return base**exponent if exponent else Decimal(1)


def _log1p(x: Decimal) -> Decimal:
    with localcontext(prec=_MORE):
        return (1 + x).ln()


def _expm1(x: Decimal) -> Decimal:
    with localcontext(prec=_MORE):
        return x.exp() - 1


_MATH = SimpleNamespace(
    ceil=math.ceil,
    floor=math.floor,
    trunc=math.trunc,
    isqrt=math.isqrt,
    isfinite=Decimal.is_finite,
    copysign=lambda size, sign: size.copy_sign(sign),
    sqrt=Decimal.sqrt,
    exp=Decimal.exp,
    expm1=_expm1,
    log=Decimal.ln,
    log1p=_log1p,
    log2=lambda x: x.ln() / _LN_2,
)
