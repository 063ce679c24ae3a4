"""An entry of a report that says a unit to how its value is shown: in that unit, or with a word behind a number."""

from collections.abc import Mapping

from formula_eval.core.quantity import Quantified
from formula_eval.core.unit import UnitTable
from formula_eval.evaluate.display_unit import unit_for


def unit_of_entry(
    name: str, quantity: Quantified, entry: Mapping[str, str], units: UnitTable
) -> Quantified | str | None:
    """What a value is shown as, or the word behind it; None if the entry says nothing, or the value is not a number.

    Raises FormulaError for a unit of something else.
    """
    if "unit" not in entry or quantity.kind not in ("number", "whole"):
        return None
    if not quantity.dimension and not (quantity.is_multiple or entry["unit"] in units.units):
        return entry["unit"]
    return unit_for(quantity, entry["unit"], units, f"`{name}` of a report").quantity(quantity.kind)
