"""Checks the range of an input or a column as declared, and computes the values that it may take."""

from typing import NamedTuple

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.type import Type
from formula_eval.resolve.typecheck import TypeChecker


class Domain(NamedTuple):
    """The values that an input takes."""

    low: float | None
    high: float | None
    allowed: tuple[float, ...]


def domain_of(checker: TypeChecker, declared: d.InputDeclaration | d.ColumnDeclaration, type_: Type) -> Domain:
    """The range that a declaration states, checked against its type."""

    def bound(x: e.Expression | None) -> float | None:
        if x is None:
            return None
        return constant(checker.checked(x, type_, declared, f"The range of `{declared.name}`")[0])

    for number in declared.allowed:
        checker.checked(number, type_, declared, f"The range of `{declared.name}`")
    return Domain(bound(declared.low), bound(declared.high), tuple(float(each.value) for each in declared.allowed))


def constant(x: e.Expression) -> float:
    """The value of a literal, its sign included."""
    if isinstance(x, e.Negate):
        return -constant(x.operand)
    return float(x.value) if isinstance(x, e.Number) else float("inf")
