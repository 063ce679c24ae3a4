"""An author's expression to a checked one: names bound, words looked up, units verified, all findings kept.

The result still holds calls of `def`s and `with`s; a name of the place itself (a column of the own row, a
parameter, the row of a comprehension) is a reference that begins with a dot, filled in when the place is known.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.type import AnyQuantity, Choice, Flag, Quantity, Type
from formula_eval.core.unit import PLAIN
from formula_eval.resolve.scope import Scope, Symbol
from formula_eval.resolve.typecheck import calls, units as operators
from formula_eval.resolve.typecheck.matches import matched
from formula_eval.resolve.typecheck.names import named


@dataclass(frozen=True, slots=True)
class Elaborator:
    """Elaborates expressions of one place: a namespace, and what the place itself names."""

    scope: Scope
    namespace: str
    own: Mapping[str, Type] = field(default_factory=dict)
    rows: Mapping[str, Symbol] = field(default_factory=dict)

    def expression(self, x: e.Expression, expected: Type | None = None) -> operators.Typed:  # noqa: C901, PLR0911, PLR0912 - one case for each kind of node
        """The checked expression and its type; words are looked up in the expected choice."""
        match x:
            case e.Number(unit=unit, value=value):
                return x, self._number(unit, whole=value.denominator == 1, zero=value == 0)
            case e.Infinity():
                return x, AnyQuantity()
            case e.FlagValue():
                return x, Flag()
            case e.Name():
                return named(self, x, expected)
            case e.Negate(operand):
                inner = self.expression(operand)
                fine = operators.is_quantity(self.scope, inner)
                return replace(x, operand=inner[0]), inner[1] if fine else operators.Unknown()
            case e.Binary(operator, left, right):
                a, b = self.expression(left), self.expression(right)
                return replace(x, left=a[0], right=b[0]), operators.binary(self.scope, operator, a, b)
            case e.Compare():
                return self._compare(x)
            case e.Logical(_, left, right):
                a, b = self.expression(left), self.expression(right)
                operators.is_flag(self.scope, a)
                operators.is_flag(self.scope, b)
                return replace(x, left=a[0], right=b[0]), Flag()
            case e.Not(operand):
                inner = self.expression(operand)
                operators.is_flag(self.scope, inner)
                return replace(x, operand=inner[0]), Flag()
            case e.Conditional():
                return self._conditional(x, expected)
            case e.Match():
                return matched(self, x, expected)
            case e.Call():
                return calls.called(self, x)
            case e.Comprehension():
                return calls.over_rows(self, x)
            case e.With():
                return calls.with_inputs(self, x, expected)
        raise TypeError(type(x).__name__)

    def _number(self, unit: str, *, whole: bool, zero: bool) -> Type:
        if not unit:
            return AnyQuantity() if zero else Quantity(whole=whole)
        known = self.scope.units.parse(unit)
        return Quantity(known.dimension, whole=whole and known.dimension == PLAIN)

    # -- branches

    def _compare(self, x: e.Compare) -> operators.Typed:
        expected = self._choice_of(x.left) or self._choice_of(x.right)
        a, b = self.expression(x.left, expected), self.expression(x.right, expected)
        built = replace(x, left=a[0], right=b[0])
        if isinstance(a[1], operators.Unknown) or isinstance(b[1], operators.Unknown):
            return built, Flag()
        if isinstance(a[1], Quantity | AnyQuantity) and isinstance(b[1], Quantity | AnyQuantity):
            operators.same_unit(self.scope, "compare", (a, b))
        elif not (a[1] == b[1] or (_words(a[1]) and _words(a[1]) == _words(b[1]))):
            message = f"Cannot compare {operators.described(a[1])} and {operators.described(b[1])}"
            labels = (x.left.span, operators.described(a[1])), (x.right.span, operators.described(b[1]))
            self.scope.find("unit-mismatch", message, *labels, help="Compare like with like.")
        elif x.operator not in {"==", "!="}:
            what = "The words of a choice have" if expected else f"{operators.described(a[1]).capitalize()} has"
            self.scope.find("no-order", f"{what} no order", x.span, help="Use `==` or `!=`.")
        return built, Flag()

    def _choice_of(self, x: e.Expression) -> Choice | None:
        """The choice that an expression has, if it has one without being told."""
        if isinstance(x, e.Conditional):
            return self._choice_of(x.then) or self._choice_of(x.otherwise)
        if isinstance(x, e.Match):
            choices = (self._choice_of(arm.value) for arm in x.arms)
            return next((choice for choice in choices if choice), None)
        if isinstance(x, e.With):
            return self._choice_of(x.value)
        quiet = replace(self, scope=self.scope.silent())
        found: Type | None = None
        if isinstance(x, e.Name):
            found = named(quiet, x, None)[1]
        elif isinstance(x, e.Call):
            found = calls.result_type(quiet, x)
        elif isinstance(x, e.Comprehension) and x.function == "largest":
            found = calls.over_rows(quiet, replace(x, value=e.Infinity(), condition=None))[1]
        return found if isinstance(found, Choice) else None

    def _conditional(self, x: e.Conditional, expected: Type | None) -> operators.Typed:
        condition = self.expression(x.condition)
        operators.is_flag(self.scope, condition)
        then, otherwise = self.expression(x.then, expected), self.expression(x.otherwise, expected)
        built = replace(x, then=then[0], condition=condition[0], otherwise=otherwise[0])
        return built, self.one_type("choose between", (then, otherwise))

    def one_type(self, what: str, parts: tuple[operators.Typed, ...]) -> Type:
        """The common type of the branches; a difference is a finding."""
        first = parts[0][1]
        if all(isinstance(each[1], Quantity | AnyQuantity) for each in parts):
            return operators.same_unit(self.scope, what, parts)
        for part in parts:
            if isinstance(part[1], operators.Unknown):
                return operators.Unknown()
            if part[1] != first:
                message = f"Cannot {what} {operators.described(first)} and {operators.described(part[1])}"
                labels = (parts[0][0].span, operators.described(first)), (part[0].span, operators.described(part[1]))
                self.scope.find("unit-mismatch", message, *labels, help="All branches give the same kind of value.")
                return operators.Unknown()
        return first

    def check_fits(self, typed: operators.Typed, wanted: Type, what: str, declared: d.Declaration) -> None:
        """Find what an expression gives that its place does not take."""
        expression, found = typed
        if isinstance(found, operators.Unknown) or isinstance(wanted, operators.Unknown):
            return
        if isinstance(found, AnyQuantity) and isinstance(wanted, Quantity):
            return
        if isinstance(found, Quantity) and isinstance(wanted, Quantity):
            if found.dimension == wanted.dimension:
                return
            help_ = operators.missing_factor(wanted, found, "It")
        elif found == wanted or (_words(found) and _words(found) == _words(wanted)):
            return
        else:
            help_ = _bridge(found, wanted)
        place = declared.type.span if getattr(declared, "type", None) else declared.span  # type: ignore[attr-defined]
        message = f"{what} is {operators.described(wanted)}, but this is {operators.described(found)}"
        labels = (expression.span, operators.described(found)), (place, operators.described(wanted))
        self.scope.find("unit-mismatch", message, *labels, help=help_)


def _words(type_: Type) -> tuple[str, ...]:
    return type_.values if isinstance(type_, Choice) else ()


def _bridge(found: Type, wanted: Type) -> str:
    """How to come from one kind of value to another."""
    if isinstance(wanted, Flag):
        return "Compare it, as in `x > 0`, or declare another type."
    if isinstance(found, Flag) and isinstance(wanted, Quantity):
        return "`one_if(condition)` is 1 if it holds, else 0."
    if isinstance(wanted, Choice):
        return f"Write one of {', '.join(f'`{word}`' for word in wanted.values)}."
    return "Declare another type, or write another expression."
