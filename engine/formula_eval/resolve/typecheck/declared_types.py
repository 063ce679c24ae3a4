"""Resolves a type as written: a unit, `whole`, `flag`, a choice or a record."""

from collections.abc import Mapping
from itertools import chain

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.diagnostic import nearest_unit
from formula_eval.core.namespace import qualified
from formula_eval.core.type import Choice, Date, Flag, Quantity, Record, Type
from formula_eval.core.unit import NO_UNIT, Unit, UnknownUnitError
from formula_eval.core.unit_words import spoken_help
from formula_eval.resolve.scope import Scope, Symbol
from formula_eval.resolve.tables import row_names
from formula_eval.resolve.typecheck.units import Unknown

_WORDS: Mapping[str, Type] = {"flag": Flag(), "whole": Quantity(whole=True), "date": Date()}


def type_of(written: e.TypeText | None, scope: Scope, namespace: str) -> tuple[Type, Unit]:
    """The type and the unit to show it in; without a type, a plain number."""
    if written is None:
        return Quantity(), NO_UNIT
    if len(written.alternatives) > 1:
        return Choice(written.alternatives), NO_UNIT
    (text,) = written.alternatives
    if text in scope.kinds:
        return Record(text), NO_UNIT
    named = _WORDS.get(text) or scope.choice(text, namespace) or _rows(text, scope, namespace)
    if named is not None:
        return named, NO_UNIT
    try:
        unit = scope.units.parse(text)
    except UnknownUnitError as unknown:
        known = chain(scope.units.units, scope.choices, scope.kinds, _WORDS)
        message = f"Unknown unit or type `{unknown}`"
        if qualified(namespace, text) not in scope.broken and text not in scope.broken:
            help_ = (
                spoken_help(str(unknown), scope.units)
                or (nearest_unit(text, scope.units.units) if len(text) == 1 else scope.nearest(str(unknown), known))
                or "A type is a unit, `whole`, `flag`, `date`, a choice or a kind of records. "
                f"`unit {unknown} base` declares a unit."
            )
            scope.find("unknown-unit", message, written.span, help=help_)
        return Unknown(), Unit(text)
    return Quantity(unit.dimension, unit.is_count, unit), unit


def column_type(symbol: Symbol, column: d.ColumnDeclaration, scope: Scope) -> tuple[Type, Unit]:
    """The type of a column and the unit to show it in, as seen from where the column was written."""
    return type_of(column.type, scope, symbol.homes[column.name].of_type)


def _rows(text: str, scope: Scope, namespace: str) -> Choice | None:
    """The rows of the table of this name, as a choice."""
    table = scope.declared(tuple(text.split(".")), namespace, d.TableDeclaration)
    rows = row_names(table.table) if table is not None else ()
    return Choice(rows, table.name) if table is not None and rows else None
