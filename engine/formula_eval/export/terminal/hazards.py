"""Renders what goes wrong with formulas over the ranges of all inputs, as text and plain data."""

from collections.abc import Iterator
from itertools import groupby
from textwrap import wrap
from typing import Any

from formula_eval.analyse.ranges.hazards import Hazard, Hazards
from formula_eval.analyse.ranges.precision import LossyFormula
from formula_eval.export.terminal.screen import Screen


def hazards_text(found: Hazards, on: Screen) -> str:
    """The counts of what is proven, then each formula that goes wrong, with inputs that make it."""
    return "\n".join(_lines(found, on)) + "\n"


def _lines(found: Hazards, on: Screen) -> Iterator[str]:
    yield on.paint(f"{found.formulas:,} formulas over the ranges of all inputs", "title")
    yield f"  {found.valued:,} always have a value: proven by bounds"
    yield f"  {found.positive:,} of them are never negative"
    yield f"  {len(found.open):,} are not decided: no proof, and a value in each of {found.tried:,} trials"
    for how, some in groupby(found.found, lambda each: each.how):
        hazards = list(some)
        yield ""
        yield on.paint(f"{how} ({len(hazards)})", "title")
        for each in hazards:
            yield from _hazard(each, on)


def _hazard(each: Hazard, on: Screen) -> Iterator[str]:
    value = "" if each.value.value is None else f" = {each.value}"
    yield f"  {each.name}{value}"
    yield from lines_of_place(each, on)


def lines_of_place(each: Hazard | LossyFormula, on: Screen) -> Iterator[str]:
    """Where a formula stands that goes wrong, and with what."""
    said = [*(f"{kind} = {name}" for kind, name in each.records.items()), *map(repr, each.given)]
    for line in wrap(f"{each.place}; with {', '.join(said) or 'all defaults'}", on.width - 4):
        yield on.paint(f"    {line}", "dim")


def hazards_data(found: Hazards) -> dict[str, Any]:
    """The same as plain data; values in base units."""
    return {
        "formulas": found.formulas,
        "always_valued": found.valued,
        "never_negative": found.positive,
        "undecided": list(found.open),
        "trials": found.tried,
        "found": [
            {
                "name": each.name,
                "wrong": each.how,
                **each.value.to_data(),
                "place": each.place,
                "records": dict(each.records),
                "given": {value.name: value.plain for value in each.given},
            }
            for each in found.found
        ],
    }
