"""A type as written to a type: a unit, `whole`, `flag`, a choice or a record."""

from itertools import chain

from formula_eval.core import declaration as d
from formula_eval.core.namespace import qualified
from formula_eval.core.type import Choice, Flag, Quantity, Record, Type
from formula_eval.core.unit import UnknownUnitError
from formula_eval.resolve.scope import SUPPLIERS, Scope
from formula_eval.resolve.typecheck.units import Unknown


def type_of(written: d.TypeText | None, scope: Scope, namespace: str) -> tuple[Type, str]:  # noqa: PLR0911 - one case for each kind
    """The type and the unit to show it in; without a type, a plain number."""
    if written is None:
        return Quantity(), ""
    if len(written.alternatives) > 1:
        return Choice(written.alternatives), ""
    (text,) = written.alternatives
    if text == "flag":
        return Flag(), ""
    if text == "whole":
        return Quantity(whole=True), ""
    choice = scope.choice(text, namespace)
    if choice is not None:
        return choice, ""
    if text in SUPPLIERS:
        return Record(text), ""
    try:
        unit = scope.units.parse(text)
    except UnknownUnitError as unknown:
        known = chain(scope.units.units, scope.choices, ("flag", "whole"))
        message = f"Unknown unit or type `{unknown}`"
        if qualified(namespace, text) not in scope.broken and text not in scope.broken:
            help_ = (
                scope.nearest(str(unknown), known)
                or "A type is a unit, `whole`, `flag`, a choice or a supplier of records."
            )
            scope.find("unknown-unit", message, written.span, help=help_)
        return Unknown(), text
    return Quantity(unit.dimension, whole=unit.count), unit.text
