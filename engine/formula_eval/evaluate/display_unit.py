"""Parses a unit of display, of an option or an entry of a report, and checks that the quantity can be shown in it."""

from collections.abc import Mapping

from formula_eval.core.diagnostic import refuse
from formula_eval.core.quantity import Quantified
from formula_eval.core.unit import Unit, UnitTable, UnknownUnitError


def unit_for(quantity: Quantified, text: str, units: UnitTable, what: str) -> Unit:
    """The unit of this text; raises FormulaError if it is unknown or does not fit the quantity's dimension."""
    try:
        unit = units.parse(text)
    except UnknownUnitError as unknown:
        help_ = units.help(str(unknown)) or "`formula-eval list units` shows all."
        raise refuse("unknown-unit", f"{what}: unknown unit `{unknown}`", help=help_) from unknown
    found = unit.quantity().dimension
    if quantity.kind not in ("number", "whole") or found != quantity.dimension:
        has = quantity.unit or {"number": "a plain number", "whole": "a plain number"}.get(quantity.kind, quantity.kind)
        message = f"{what} is {has}, which is not shown in `{text}`"
        raise refuse("unit-mismatch", message, help="Take a unit of what it is, or none.")
    return unit if unit.style else unit._replace(style="fixed")


def unit_of_entry(
    name: str, quantity: Quantified, entry: Mapping[str, str], units: UnitTable
) -> Quantified | str | None:
    """The quantity that shows a value, or the word after it; None if the entry says nothing or it is not a number.

    Raises FormulaError for a unit of something else.
    """
    if "unit" not in entry or quantity.kind not in ("number", "whole"):
        return None
    if not quantity.dimension and not (quantity.is_multiple or entry["unit"] in units.units):
        return entry["unit"]
    return unit_for(quantity, entry["unit"], units, f"`{name}` of a report").quantity(quantity.kind)
