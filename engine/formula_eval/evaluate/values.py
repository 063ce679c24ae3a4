"""A value as a user or a record writes it to a number in base units, and back to text."""

import math
import re
from fractions import Fraction
from typing import Any
from typing import NamedTuple

from formula_eval.core.diagnostic import FormulaError
from formula_eval.core.diagnostic import nearest
from formula_eval.core.diagnostic import refuse
from formula_eval.core.unit import UnitTable
from formula_eval.core.unit import UnknownUnitError
from formula_eval.evaluate.schema import InputSchema

Number = float | bool | int


class InBaseUnits(NamedTuple):
    """A number that is known to be in base units, as Python gives it; text and files name their unit."""

    number: float

    def __str__(self) -> str:
        """The number."""
        return f"{self.number:g}"


_QUANTITY = re.compile(r"\s*([-+]?[0-9][0-9_,]*(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)\s*(.*?)\s*")
_FLAGS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def read_value(value: Any, schema: InputSchema, units: UnitTable, origin: str) -> Number:  # noqa: ANN401 - whatever TOML or JSON holds
    """The number that an input's value means; a choice is the index of its word. Raises FormulaError."""
    kind = schema.quantity.kind
    if kind == "flag":
        return _flag(value, schema, origin)
    if kind == "choice":
        return _word(value, schema, origin)
    if kind == "record":
        raise _refused(schema, value, origin, f"names a {schema.quantity.unit}, which is said as an option of its own")
    number = (
        _in_base_units(value, schema, origin)
        if isinstance(value, InBaseUnits)
        else _number(value, schema, units, origin)
    )
    _check_domain(number, value, schema, origin)
    return number


def _refused(schema: InputSchema, value: object, origin: str, why: str, help_: str = "") -> FormulaError:
    shown = value if isinstance(value, str) else _literal(value)
    return refuse("bad-value", f"{origin}: `{schema.name} = {shown}` {why}", help=help_ or f"{schema.sentence}.")


def _literal(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."  # noqa: PLR2004 - room for a message


def _flag(value: object, schema: InputSchema, origin: str) -> bool:
    found = value if isinstance(value, bool) else _FLAGS.get(str(value).lower())
    if found is None or isinstance(value, float):
        raise _refused(schema, value, origin, "is no flag", "Write true or false.")
    return found


def _word(value: object, schema: InputSchema, origin: str) -> int:
    words = schema.quantity.words
    if value not in words:
        listed = ", ".join(words)
        raise _refused(schema, value, origin, f"is none of {listed}", nearest(str(value), words))
    return words.index(str(value))


def _in_base_units(value: InBaseUnits, schema: InputSchema, origin: str) -> float:
    if not math.isfinite(value.number):
        raise _refused(schema, value, origin, "is out of range")
    return value.number


def _number(value: object, schema: InputSchema, units: UnitTable, origin: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise _refused(schema, value, origin, "is no number")
    if isinstance(value, str):
        match = _QUANTITY.fullmatch(value)
        if match is None:
            raise _refused(schema, value, origin, "is no number", _example(schema, origin))
        text, unit = match[1].replace("_", "").replace(",", ""), match[2]
    else:
        text, unit = repr(value), ""
    return _scaled(text, unit, value, schema, units, origin)


def _scaled(text: str, unit: str, value: object, schema: InputSchema, units: UnitTable, origin: str) -> float:
    wanted = schema.quantity.dimension
    try:
        number = float(text)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise _refused(schema, value, origin, "is out of range")
    if not unit:
        if wanted and number != 0:
            raise _refused(schema, value, origin, f"lacks its unit, {wanted}", _example(schema, origin))
        return number
    try:
        known = units.parse(unit)
    except UnknownUnitError as unknown:
        help_ = nearest(str(unknown), units.units) or _example(schema, origin)
        raise _refused(schema, value, origin, f"has an unknown unit, `{unknown}`", help_) from unknown
    found = str(known.dimension) if known.dimension.exponents else ""
    if found != wanted:
        has, needs = found or "a plain number", wanted or "a plain number"
        raise _refused(schema, value, origin, f"is {has}, but {needs} is needed", _example(schema, origin))
    # Exact, so that 0.85 us is the float nearest to it; the text is known to be finite and not too small.
    return float(Fraction(text) * known.scale) if number else 0.0


_EXAMPLES = {
    "byte": "80 GB",
    "byte/s": "2.5 TB/s",
    "FLOP/s": "989 TFLOP/s",
    "s": "5 us",
    "J/s": "700 W",
    "USD/s": "2 USD/hour",
}


def _example(schema: InputSchema, origin: str) -> str:
    wanted = schema.quantity.dimension
    example = _EXAMPLES.get(wanted, f"1 {wanted}" if wanted else "8")
    if origin.startswith("--"):
        return f'For example `--{schema.name.replace("_", "-")} "{example}"`.' if wanted else ""
    return f'For example `{schema.name} = "{example}"`.' if wanted else f"For example `{schema.name} = {example}`."


def _check_domain(number: float, value: object, schema: InputSchema, origin: str) -> None:
    if schema.quantity.kind == "whole" and number != math.floor(number):
        raise _refused(schema, value, origin, "is no whole number")
    if schema.allowed:
        if number not in schema.allowed:
            listed = ", ".join(f"{each:g}" for each in schema.allowed)
            raise _refused(schema, value, origin, f"is none of {listed}")
        return
    low, high = (schema.low if schema.low is not None else 0.0), schema.high
    if number < low or (high is not None and number > high):
        bounds = f"{_bound(low)} to {_bound(high)}" if high is not None else f"at least {_bound(low)}"
        unit = f" {schema.quantity.dimension}" if schema.quantity.dimension else ""
        raise _refused(schema, value, origin, f"is outside {bounds}{unit}")


def _bound(value: float) -> str:
    return f"{value:,.0f}" if value == math.floor(value) and abs(value) < 1e15 else f"{value:g}"  # noqa: PLR2004 - exact digits
