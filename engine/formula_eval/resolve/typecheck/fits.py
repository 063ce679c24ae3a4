"""Checks that a value fits its place; where it does not, the finding says how to convert it."""

from dataclasses import replace

from formula_eval.core import declaration as d
from formula_eval.core.diagnostic import listed
from formula_eval.core.expression import Expression, Number
from formula_eval.core.type import AnyQuantity, Choice, Date, Flag, Quantity, Type
from formula_eval.core.unit import Unit
from formula_eval.core.written_unit import shown_unit
from formula_eval.printing.text import expression_text
from formula_eval.resolve.scope import Scope
from formula_eval.resolve.typecheck import units
from formula_eval.resolve.typecheck.unit_advice import unit_advice

_SHORT = 40  # of an expression that stands in a message beside what it is called


def check_fits(scope: Scope, typed: units.Typed, wanted: Type, what: str, declared: d.Declaration) -> None:
    """Find what an expression gives that its place does not take."""
    expression, found = typed
    if fits(found, wanted):
        return
    written = getattr(declared, "type", None)
    place = written.span if written else declared.span
    has, needs = units.described(scope, found), units.described(scope, wanted)
    text = expression_text(expression)
    this = f"`{text}`" if len(text) <= _SHORT and units.MISSING not in text else "this"
    message = f"{what} is {needs}, but {this} is {has}"
    help_ = _bridge(scope, typed, wanted)
    if (
        written is None
        and what == f"`{declared.name}`"
        and isinstance(found, Quantity)
        and isinstance(wanted, Quantity)
    ):
        unit = shown_unit(found, scope.units).text
        help_ = f"Write `{declared.name}: {unit}` if that is its unit; if not, {help_[0].lower()}{help_[1:]}"
    scope.find("unit-mismatch", message, (expression.span, has), (place, needs), help=help_)


def fits(found: Type, wanted: Type) -> bool:
    """Whether a value of one type may stand where another is wanted."""
    if isinstance(found, units.Unknown) or isinstance(wanted, units.Unknown):
        return True
    if isinstance(wanted, Quantity):
        return isinstance(found, AnyQuantity) or (isinstance(found, Quantity) and found.dimension == wanted.dimension)
    return found == wanted or same_words(found, wanted)


def same_words(one: Type, other: Type) -> bool:
    """Whether both are choices between the same words, whatever they are called."""
    return isinstance(one, Choice) and isinstance(other, Choice) and one.values == other.values


def _bridge(scope: Scope, typed: units.Typed, wanted: Type) -> str:
    """How to come from one type to another."""
    expression, found = typed
    if isinstance(found, Quantity) and isinstance(wanted, Quantity):
        return _with_unit(expression, wanted) or unit_advice(scope.units, wanted, (expression, found))
    if isinstance(wanted, Flag):
        return "Compare it, as in `x > 0`, or declare another type."
    if isinstance(found, Flag) and isinstance(wanted, Quantity):
        return "`one_if(condition)` is 1 if it holds, else 0."
    if isinstance(wanted, Choice):
        return f"Write one of {listed(wanted.values)}."
    if isinstance(wanted, Date):
        return "A date is written `2026-11-22`."
    return "Declare another type, or write another expression."


def _with_unit(expression: Expression, wanted: Quantity) -> str:
    """What to write in place of a number without its unit; nothing for anything else."""
    if not isinstance(expression, Number) or expression.unit or not isinstance(wanted.written, Unit):
        return ""
    return f"Write `{expression_text(replace(expression, unit=wanted.written.text))}`."
