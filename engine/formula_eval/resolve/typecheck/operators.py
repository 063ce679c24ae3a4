"""Type-checks literals, arithmetic, comparisons and conditions."""

from dataclasses import replace

from formula_eval.core import expression as e
from formula_eval.core.date import DATE
from formula_eval.core.type import AnyQuantity, Choice, Date, Flag, Quantity, Type
from formula_eval.core.unit import PLAIN
from formula_eval.resolve.typecheck import calls, comprehensions, lookups, names, units
from formula_eval.resolve.typecheck.context import Context
from formula_eval.resolve.typecheck.fits import same_words


def number(context: Context, x: e.Number, _: Type | None) -> units.Typed:
    """A number with its unit; 0 has every unit."""
    if x.unit == DATE:
        return x, Date()
    whole = x.value.denominator == 1
    if not x.unit:
        return x, AnyQuantity() if x.value == 0 else Quantity(whole=whole)
    unit = context.scope.units.parse(x.unit)
    return x, Quantity(unit.dimension, whole and (unit.is_count or unit.dimension == PLAIN), unit)


def infinity(_context: Context, x: e.Infinity, _: Type | None) -> units.Typed:
    """Infinity, which has every unit."""
    return x, AnyQuantity()


def flag_value(_context: Context, x: e.FlagValue, _: Type | None) -> units.Typed:
    """`true` or `false`."""
    return x, Flag()


def negate(context: Context, x: e.Negate, _: Type | None) -> units.Typed:
    """`-x`."""
    operand = context.check(x.operand)
    fine = units.is_quantity(context.scope, operand)
    return replace(x, operand=operand[0]), operand[1] if fine else units.Unknown()


def binary(context: Context, x: e.Binary, _: Type | None) -> units.Typed:
    """Arithmetic."""
    left, right = context.check(x.left), context.check(x.right)
    return replace(x, left=left[0], right=right[0]), units.binary(context.scope, x.operator, left, right)


def logical(context: Context, x: e.Logical, _: Type | None) -> units.Typed:
    """`and`, `or`."""
    left, right = context.check(x.left), context.check(x.right)
    units.is_flag(context.scope, left)
    units.is_flag(context.scope, right)
    return replace(x, left=left[0], right=right[0]), Flag()


def negation(context: Context, x: e.Not, _: Type | None) -> units.Typed:
    """`not x`."""
    operand = context.check(x.operand)
    units.is_flag(context.scope, operand)
    return replace(x, operand=operand[0]), Flag()


def compare(context: Context, x: e.Compare, _: Type | None) -> units.Typed:
    """A comparison of two quantities of one unit, or of two words of one choice."""
    expected = _choice_of(context, x.left) or _choice_of(context, x.right)
    left, right = context.check(x.left, expected), context.check(x.right, expected)
    one, other = left[1], right[1]
    if isinstance(one, Quantity | AnyQuantity) and isinstance(other, Quantity | AnyQuantity):
        units.same_unit(context.scope, "compare", (left, right))
    elif not (isinstance(one, units.Unknown) or isinstance(other, units.Unknown)):
        _compare_others(context, x, one, other)
    return replace(x, left=left[0], right=right[0]), Flag()


def _compare_others(context: Context, x: e.Compare, one: Type, other: Type) -> None:
    """Find what is wrong with a comparison of values that are not quantities."""
    if not (one == other or same_words(one, other)):
        message = f"Cannot compare {units.described(context.scope, one)} and {units.described(context.scope, other)}"
        labels = (
            (x.left.span, units.described(context.scope, one)),
            (x.right.span, units.described(context.scope, other)),
        )
        context.scope.find("unit-mismatch", message, *labels, help="Compare like with like.")
    elif x.operator not in {"==", "!="} and one != Date():
        what = (
            "The words of a choice have"
            if isinstance(one, Choice)
            else f"{units.described(context.scope, one).capitalize()} has"
        )
        context.scope.find("no-order", f"{what} no order", x.span, help="Use `==` or `!=`.")


def _choice_of(context: Context, x: e.Expression) -> Choice | None:
    """The choice that an expression has, if it has one without being told."""
    silent, type_ = context.silent(), None
    match x:
        case e.Conditional():
            return _choice_of(context, x.then) or _choice_of(context, x.otherwise)
        case e.Match():
            choices = (_choice_of(context, arm.value) for arm in x.arms)
            return next((choice for choice in choices if choice), None)
        case e.With() | e.Recurrence():
            return _choice_of(context, x.value)
        case e.Lookup():
            type_ = lookups.lookup(silent, x, None)[1]
        case e.Name():
            type_ = names.name(silent, x, None)[1]
        case e.Call():
            type_ = calls.result_type(silent, x)
        case e.Comprehension(function=function) if function in comprehensions.CHOSEN:
            without = replace(x, value=e.Infinity(), condition=None)
            type_ = comprehensions.comprehension(silent, without, None)[1]
    return type_ if isinstance(type_, Choice) else None
