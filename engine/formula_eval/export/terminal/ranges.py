"""Renders what goes wrong with formulas over the ranges of all inputs, as text and plain data."""

from collections.abc import Iterator
from itertools import groupby
from textwrap import wrap
from typing import Any

from formula_eval.analyse.ranges.hazards import Hazard, Hazards
from formula_eval.analyse.ranges.precision import MOST_LOST, LossyFormula, Precision
from formula_eval.export.terminal.screen import Screen

_ADVICE = (
    "A difference of numbers that are nearly equal keeps only the digits in which they differ. Write it without the "
    "difference: `a + b * (1 - a)` for `1 - (1 - a) * (1 - b)`, `expm1(x)` for `exp(x) - 1`, `log1p(x)` for "
    "`ln(1 + x)`, the part that is left in place of all less the rest. Where a last bit decides which of two equal "
    "numbers is the larger, let nothing jump with it."
)


def hazards_text(found: Hazards, on: Screen) -> str:
    """The counts of what is proven, then each formula that goes wrong, with inputs that make it."""
    return "\n".join(_hazard_lines(found, on)) + "\n"


def _hazard_lines(found: Hazards, on: Screen) -> Iterator[str]:
    yield on.paint(f"{found.formulas:,} formulas over the ranges of all inputs", "title")
    yield f"  {found.valued:,} always have a value: proven by bounds"
    yield f"  {found.positive:,} of them are never negative"
    yield f"  {len(found.open):,} are not decided: no proof, and a value in each of {found.tried:,} trials"
    for how, some in groupby(found.found, lambda hazard: hazard.how):
        hazards = list(some)
        yield ""
        yield on.paint(f"{how} ({len(hazards)})", "title")
        for hazard in hazards:
            yield f"  {hazard.name}" if hazard.value.value is None else f"  {hazard.name} = {hazard.value}"
            yield from _place(hazard, on)


def _place(formula: Hazard | LossyFormula, on: Screen) -> Iterator[str]:
    """Where a formula stands that goes wrong, and with what."""
    said = [*(f"{kind} = {name}" for kind, name in formula.records.items()), *map(repr, formula.given)]
    for line in wrap(f"{formula.place}; with {', '.join(said) or 'all defaults'}", on.width - 4):
        yield on.paint(f"    {line}", "dim")


def hazards_data(found: Hazards) -> dict[str, Any]:
    """The same as plain data; values in base units."""
    return {
        "formulas": found.formulas,
        "always_valued": found.valued,
        "never_negative": found.positive,
        "undecided": list(found.open),
        "trials": found.tried,
        "found": [_data(hazard, {"wrong": hazard.how, **hazard.value.to_data()}) for hazard in found.found],
    }


def precision_text(found: Precision, on: Screen) -> str:
    """How much was tried, then each formula that loses digits, with inputs that make it."""
    return "\n".join(_loss_lines(found, on)) + "\n"


def _loss_lines(found: Precision, on: Screen) -> Iterator[str]:
    yield on.paint(f"{found.formulas:,} formulas at the ends of all inputs, beside numbers of fifty digits", "title")
    yield f"  {found.computed:,} of {found.tried:,} trials have values; others are refused, or a formula fails there"
    count = f"{len(found.found):,}" if found.found else "none"
    yield f"  {count} of the formulas lose more than {MOST_LOST:g} of their 16 digits"
    for formula in found.found:
        lost, value, exact = formula.loss
        yield ""
        yield f"  {formula.name} loses {lost:.0f} digits: {value:.9g} for {exact:.9g} in base units"
        yield from _place(formula, on)
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
            _data(
                formula, {"lost_digits": formula.loss.digits, "value": formula.loss.value, "exact": formula.loss.exact}
            )
            for formula in found.found
        ],
    }


def _data(formula: Hazard | LossyFormula, wrong: dict[str, Any]) -> dict[str, Any]:
    """A formula with what is wrong, where it stands, and the inputs that make it so."""
    given = {value.name: value.plain for value in formula.given}
    return {"name": formula.name, **wrong, "place": formula.place, "records": dict(formula.records), "given": given}
