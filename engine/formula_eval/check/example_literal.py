"""Formats a computed value as the literal that an example would state, in the unit of its formula."""

import math

from formula_eval.core.date import date_text
from formula_eval.core.quantity import Quantified
from formula_eval.core.unit import Unit, UnitTable

_DIGITS = 6
_FROM, _TO = 1e-2, 1e5  # what is read at ease without a prefix
_PREFIXES = ("", "k", "M", "G", "T", "P", "m", "u", "n")
_SYMBOLS = {"byte": "B"}


def literal_text(value: float | bool | str | None, quantity: Quantified, units: UnitTable) -> str:  # noqa: FBT001 - a value may be a flag
    """The text of a value as a literal: `true`, `prefill`, `6`, `17.5 ms`, `(3.35 TB/s)`, `2026-11-22`."""
    if value is None or isinstance(value, str):
        return value or "?"
    if isinstance(value, bool):
        return "true" if value else "false"
    if math.isinf(value):
        return "infinity" if value > 0 else "-infinity"
    if quantity.kind == "date":
        return date_text(value)
    if value == 0 or not (quantity.dimension or quantity.is_multiple):
        return _number(value)
    unit = _fitting(abs(value), quantity.unit, units)
    text = f"{_number(value / float(unit.scale))} {unit.text}"
    return f"({text})" if "/" in unit.text or "*" in unit.text else text


def _number(value: float) -> str:
    if value == math.floor(value) and abs(value) < 2**53:
        return str(int(value))
    return f"{value:.{_DIGITS}g}"


def _fitting(size: float, written: str, units: UnitTable) -> Unit:
    """The unit as written if the number is easy to read in it, else with the prefix that makes it so."""
    plain = units.parse(written)
    if _FROM <= size / float(plain.scale) < _TO:
        return plain
    first = next((written[:at] for at, sign in enumerate(written) if sign in "/*"), written)
    rest = written[len(first) :]
    names = (f"{prefix}{_SYMBOLS.get(first, first)}" for prefix in _PREFIXES)
    found = [units.parse(f"{name}{rest}") for name in names if name in units.units]
    fitting = (unit for unit in found if unit.dimension == plain.dimension and 1 <= size / float(unit.scale) < 1000)  # noqa: PLR2004 - a prefix is a thousand
    return next(fitting, plain)
