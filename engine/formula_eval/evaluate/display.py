"""Formats values in base units for people, in the unit that the author declared or with a fitting prefix."""

import math

from formula_eval.core.date import date_text
from formula_eval.core.quantity import Quantified, plural

_DECIMAL = ((1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))
_TIMES = ((86400.0 * 365, "year"), (86400.0, "day"), (3600.0, "hour"), (60.0, "minute"))
_ROUNDED = 0.9995  # what four digits round up to the next unit
_LARGE = 1e3  # an amount of money of which cents say nothing
_SHORT = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))
# The base dimensions that take a decimal prefix, and the symbol that carries it.
_PREFIXED = {"byte": "B", "byte/s": "B/s", "FLOP": "FLOP", "FLOP/s": "FLOP/s", "J": "J", "J/s": "W"}


def shown_value(value: float | bool | str | None, quantity: Quantified) -> str:  # noqa: FBT001 - a value may be a flag
    """The text of a value: `yes`, `compute`, `80 layers`, `137.95 GB`, `0.32 USD/kWh`, `not given`."""
    if value is None:
        return "not given"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if math.isinf(value):
        return "infinite" if value > 0 else "minus infinite"
    return date_text(value) if quantity.kind == "date" else _number(value, quantity)


def _number(value: float, quantity: Quantified) -> str:
    if quantity.is_multiple:
        return _in_unit(quantity.in_unit(value), quantity)
    if takes_prefix(quantity):
        scale, unit = scale_of(value, quantity.dimension)
        return f"{digits(value / scale)} {unit}{_counts(quantity)}"
    if quantity.dimension and (quantity.style != "counted" or quantity.dimension.startswith("1/")):
        return _in_unit(value, quantity)
    text = plain_number(value)
    return f"{text} {counted(quantity.unit, value)}" if quantity.unit else text


def takes_prefix(quantity: Quantified) -> bool:
    """Whether a value is shown with the prefix, or the unit of time, that fits it."""
    is_known = quantity.dimension == "s" or quantity.dimension in _PREFIXED
    return is_known and quantity.style != "fixed" and not quantity.is_multiple


def plain_number(value: float) -> str:
    """A whole number with all its digits, any other with four."""
    return f"{value:,.0f}" if value == math.floor(value) and abs(value) < 2**53 else digits(value)


def counted(unit: str, value: float) -> str:
    """The counted unit, plural unless one is shown: `8 GPUs`, `12 tokens/s`."""
    first, slash, rest = unit.partition("/")
    return f"{first if digits(value) == '1' or first == '1' else plural(first)}{slash}{rest}"


def _in_unit(value: float, quantity: Quantified) -> str:
    """A number in the unit that its author declared."""
    unit = quantity.unit
    text = _money(value) if quantity.style == "cents" else digits(value)
    if unit == "percent":
        return f"{text}%"
    if unit.startswith("1/"):
        return text + unit.removeprefix("1")
    return f"{text} {counted(unit, value) if quantity.style == 'counted' else unit}"


def _counts(quantity: Quantified) -> str:
    """The part of the unit that names what it is per, such as `/token`."""
    parts = quantity.unit.split("/")[1:]
    shown = set(quantity.dimension.split("/")[1:])
    return "".join(f"/{part}" for part in parts if part not in shown and part not in _UNITS_OF_TIME)


_UNITS_OF_TIME = {"s", "ms", "us", "ns", "minute", "hour", "day", "year"}


def scale_of(value: float, dimension: str) -> tuple[float, str]:
    """The divisor that suits a value for display, and the unit that results: `1e-3` and `ms`."""
    size = abs(value)
    if dimension == "s":
        for scale, unit in _TIMES:
            if size >= 2 * scale:
                return scale, f"{unit}s"
        return next((pair for pair in _SHORT if size >= pair[0] * _ROUNDED), _SHORT[-1] if size else _SHORT[0])
    symbol = _PREFIXED.get(dimension)
    if symbol is None:
        return 1.0, dimension
    for scale, prefix in _DECIMAL:
        if prefix and size >= scale * _ROUNDED:
            return scale, f"{prefix}{symbol}"
    return 1.0, symbol.replace("B", "byte")


def _money(value: float) -> str:
    if abs(value) < 1:
        return digits(value)
    return f"{value:,.2f}" if abs(value) < _LARGE else f"{value:,.0f}"


def digits(value: float) -> str:
    """Four significant digits, thousands separated, no trailing zeros behind the point."""
    if value == 0:
        return "0"
    if abs(value) >= 1e15 or abs(value) < 1e-4:  # noqa: PLR2004 - beyond this, digits say less than a power
        return f"{value:.3e}"
    places = max(0, 3 - math.floor(math.log10(abs(value))))
    text = f"{value:,.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
