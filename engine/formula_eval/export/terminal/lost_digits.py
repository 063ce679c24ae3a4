"""Renders the formulas that lose digits, as text and plain data."""

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from formula_eval.analyse.ranges.precision import MOST_LOST, Precision
from formula_eval.export.terminal.hazards import lines_of_place
from formula_eval.export.terminal.screen import Screen

_ADVICE = (
    "A difference of numbers that are nearly equal keeps only the digits in which they differ. Write it without the "
    "difference: `a + b * (1 - a)` for `1 - (1 - a) * (1 - b)`, `expm1(x)` for `exp(x) - 1`, `log1p(x)` for "
    "`ln(1 + x)`, the part that is left in place of all less the rest. Where a last bit decides which of two equal "
    "numbers is the larger, let nothing jump with it."
)


def precision_text(found: Precision, on: Screen) -> str:
    """How much was tried, then each formula that loses digits, with inputs that make it."""
    return "\n".join(_lines(found, on)) + "\n"


def _lines(found: Precision, on: Screen) -> Iterator[str]:
    yield on.paint(f"{found.formulas:,} formulas at the ends of all inputs, beside numbers of fifty digits", "title")
    yield f"  {found.computed:,} of {found.tried:,} trials have values; others are refused, or a formula fails there"
    count = f"{len(found.found):,}" if found.found else "none"
    yield f"  {count} of the formulas lose more than {MOST_LOST:g} of their 16 digits"
    for each in found.found:
        lost, value, exact = each.loss
        yield ""
        yield f"  {each.name} loses {lost:.0f} digits: {value:.9g} for {exact:.9g} in base units"
        yield from lines_of_place(each, on)
    if found.found:
        yield ""
        yield from wrap(_ADVICE, on.width)


def precision_data(found: Precision) -> dict[str, Any]:
    """The same as plain data; values in base units."""
    return {
        "formulas": found.formulas,
        "trials": found.tried,
        "computed": found.computed,
        "found": [
            {
                "name": each.name,
                "lost_digits": each.loss.digits,
                "value": each.loss.value,
                "exact": each.loss.exact,
                "place": each.place,
                "records": dict(each.records),
                "given": {value.name: value.plain for value in each.given},
            }
            for each in found.found
        ],
    }
