"""Resolves how an entry of a report shows its value: in the unit that it states, or with a word after the number."""

from collections.abc import Mapping

from formula_eval.core.quantity import Quantified
from formula_eval.core.unit import UnitTable
from formula_eval.evaluate.display_unit import unit_for


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
