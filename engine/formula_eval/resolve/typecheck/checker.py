"""Type-checks an author's expression: binds names, looks up words, verifies units, keeps all findings.

The result still holds calls of `def`s and `with`s; a name of the place itself (a column of the own row, a
parameter, the row of a comprehension) is a reference that begins with a dot, filled in when the place is known.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.type import Type
from formula_eval.resolve.typecheck import (
    branches,
    calls,
    comprehensions,
    lookups,
    names,
    operators,
    solves,
    wheres,
    withs,
)
from formula_eval.resolve.typecheck.context import Context
from formula_eval.resolve.typecheck.fits import check_fits
from formula_eval.resolve.typecheck.units import Typed

# One rule for each kind of expression that an author writes.
RULES: Mapping[type[e.Expression], Callable[[Context, Any, Type | None], Typed]] = {
    e.Number: operators.number,
    e.Infinity: operators.infinity,
    e.FlagValue: operators.flag_value,
    e.Name: names.name,
    e.Negate: operators.negate,
    e.Binary: operators.binary,
    e.Compare: operators.compare,
    e.Logical: operators.logical,
    e.Not: operators.negation,
    e.Conditional: branches.conditional,
    e.Recurrence: branches.recurrence,
    e.Match: branches.match_,
    e.Call: calls.call,
    e.Comprehension: comprehensions.comprehension,
    e.Solve: solves.solve,
    e.Lookup: lookups.lookup,
    e.With: withs.with_inputs,
    e.Where: wheres.where,
}


@dataclass(frozen=True, slots=True)
class TypeChecker(Context):
    """Checks the expressions of one place."""

    def check(self, x: e.Expression, expected: Type | None = None) -> Typed:
        """The checked expression and its type, by the rule of its kind."""
        return RULES[type(x)](self, x, expected)

    def checked(self, x: e.Expression, wanted: Type, declared: d.Declaration, what: str = "") -> Typed:
        """The checked expression of a declaration of this type."""
        typed = self.check(x, wanted)
        check_fits(self.scope, typed, wanted, what or f"`{declared.name}`", declared)
        return typed
