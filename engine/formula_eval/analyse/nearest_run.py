"""Finds the measured run nearest to a result: what was measured, what is predicted for it, and what differs.

The runs stand in presets/measured/runs, a line each, as `python -m benchmarks.runs` writes them. A section of a report
says which file it reads and `by` which records and numbers a run is near, each with a weight; `here` is the number that
stands for a run's of that name.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from formula_eval.evaluate.result import Result
from formula_eval.library import Library
from formula_eval.records.roles import roles_of
from formula_eval.text_files import read_text

FOLDER = "presets/measured/runs"
PREDICTED = " predicted"
SOURCE = "source"
_SAME = 0.01  # of a number: what rounds to the same figure
_Section = Mapping[str, Any]


class Figure(NamedTuple):
    """A quantity as measured and as predicted for that run, in base units."""

    name: str
    measured: float
    predicted: float


class RunDifference(NamedTuple):
    """A difference of a run: a record's id, or the number of a quantity or an input, there and here."""

    by: Mapping[str, Any]
    there: str | float
    here: str | float


class NearestRun(NamedTuple):
    """The source and the model of a run as published, and its figures."""

    source: str
    model: str
    figures: Sequence[Figure]
    differences: Sequence[RunDifference]


def nearest_run(section: _Section, result: Result, library: Library) -> NearestRun | None:
    """The nearest of the runs that a section names; None where it lacks them or none is near enough."""
    _, path = next(iter(reversed(list(library.files(f"{FOLDER}/{section['runs']}.tsv")))), (None, None))
    if path is None:
        return None
    first, *lines = read_text(path, path.name).splitlines()
    head = first.split("\t")
    here = {_key(by): _here(by, result) for by in section["by"]}
    compared = [(by, head.index(_key(by)), here[_key(by)]) for by in section["by"]]
    distance, best = _nearest(lines, compared)
    if best is None or distance > section["furthest"]:
        return None
    held = dict(zip(head, best, strict=True))
    figures = [
        Figure(each["name"], float(held[each["name"]]), float(held[f"{each['name']}{PREDICTED}"]))
        for each in section["entries"]
        if held[each["name"]]
    ]
    there = ((by, _typed(best[column], by), mine) for by, column, mine in compared)
    differences = [RunDifference(by, theirs, mine) for by, theirs, mine in there if _apart(theirs, mine) > _SAME]
    return NearestRun(held[SOURCE], held[roles_of(library).model], figures, differences)


_Compared = Sequence[tuple[Mapping[str, Any], int, str | float]]


def _nearest(lines: Sequence[str], compared: _Compared) -> tuple[float, Sequence[str] | None]:
    """The least distance and its run; those whose first record is another are tried only if they could be nearer."""
    by, _, mine = compared[0]
    mark = f"\t{mine}\t"
    distance, best = _least((each for each in lines if mark in each), compared)
    if distance <= by["weight"]:
        return distance, best
    return min((distance, best), _least((each for each in lines if mark not in each), compared), key=lambda x: x[0])


def _least(lines: Iterable[str], compared: _Compared) -> tuple[float, Sequence[str] | None]:
    least: tuple[float, Sequence[str] | None] = (math.inf, None)
    for each in lines:
        line = each.split("\t")
        distance = sum(by["weight"] * _apart(_typed(line[column], by), mine) for by, column, mine in compared)
        if distance < least[0]:
            least = distance, line
    return least


def _apart(there: str | float, here: str | float) -> float:
    """The distance of two values: 0 if equal, the logarithm of the ratio of numbers, 1 for different words."""
    if isinstance(there, str) or isinstance(here, str) or there <= 0 or here <= 0:
        return float(there != here)
    return abs(math.log(there / here))


def _key(by: Mapping[str, Any]) -> str:
    return str(by.get("record") or by["name"])


def _typed(text: str, by: Mapping[str, Any]) -> str | float:
    return text if "record" in by else float(text)


def _here(by: Mapping[str, Any], result: Result) -> str | float:
    if "record" in by:
        return result.givens.records.get(by["record"], "")
    return float(result.numbers[by.get("here", by["name"])])
