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


def domain_of(checker: TypeChecker, declared: d.SuppliedDeclaration, type_: Type) -> Domain:
    """The range that a declaration states, checked against its type."""

    def bound(x: e.Expression | None) -> float | None:
        return None if x is None else literal(checker.checked(x, type_, declared, f"The range of `{declared.name}`")[0])

    for number in declared.allowed:
        checker.checked(number, type_, declared, f"The range of `{declared.name}`")
    return Domain(bound(declared.low), bound(declared.high), tuple(float(each.value) for each in declared.allowed))


def literal(x: e.Expression | None) -> float | None:
    """The value of a number as written, its sign included; None for anything else."""
    match x:
        case e.Number(value=number):
            return float(number)
        case e.Infinity():
            return float("inf")
        case e.Negate(operand):
            value = literal(operand)
            return None if value is None else -value
    return None
