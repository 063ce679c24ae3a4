"""Finds the measured run nearest to a result: what was measured, what is predicted for it, and what differs.

The runs stand in presets/measured/runs, a line each, as `python -m benchmarks.runs` writes them. A section of a report
says which file it reads and `by` which records and numbers a run is near, each with a weight; `here` is the number that
stands for a run's of that name. Another maker's accelerator counts only where no run on one of the same is near enough.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result
from formula_eval.records.record_files import all_records
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
    is_far: bool


def nearest_run(section: _Section, result: Result, evaluator: Evaluator) -> NearestRun | None:
    """The nearest of the runs that a section names; None where it lacks them or none is near enough."""
    library = evaluator.library
    _, path = next(iter(reversed(list(library.files(f"{FOLDER}/{section['runs']}.tsv")))), (None, None))
    if path is None:
        return None
    first, *lines = read_text(path, path.name).splitlines()
    head = first.split("\t")
    compared = [_Comparison(by, head.index(_key(by)), _here(by, result), _kin(by, evaluator)) for by in section["by"]]
    distance, best = _nearest(lines, compared, section["furthest"])
    if best is None:
        return None
    held = dict(zip(head, best, strict=True))
    figures = [
        Figure(entry["name"], float(held[entry["name"]]), float(held[f"{entry['name']}{PREDICTED}"]))
        for entry in section["entries"]
        if held[entry["name"]]
    ]
    there = ((comparison.by, comparison.there(best), comparison.here) for comparison in compared)
    differences = [RunDifference(by, theirs, mine) for by, theirs, mine in there if _apart(theirs, mine) > _SAME]
    is_far = distance > section["far"]
    return NearestRun(held[SOURCE], held[roles_of(library).model], figures, differences, is_far)


class _Comparison(NamedTuple):
    """What a run is near by: its column, what stands there for this result, and the maker and generation of records."""

    by: Mapping[str, Any]
    column: int
    here: str | float
    kin: Mapping[str | float, tuple[str, str]]

    def there(self, line: Sequence[str]) -> str | float:
        return line[self.column] if "record" in self.by else float(line[self.column])

    def is_of_another_maker(self, line: Sequence[str]) -> bool:
        there, here = self.kin.get(self.there(line)), self.kin.get(self.here)
        return bool(there and here and there[0] != here[0])

    def distance(self, line: Sequence[str]) -> float:
        """The weighed distance; less for another record of the same generation or of the same maker."""
        theirs = self.there(line)
        there, here = self.kin.get(theirs), self.kin.get(self.here)
        if there and here and theirs != self.here and there[0] == here[0]:
            return float(self.by["of_generation" if there[1] == here[1] else "of_maker"])
        return float(self.by["weight"] * _apart(theirs, self.here))


def _kin(by: Mapping[str, Any], evaluator: Evaluator) -> dict[str | float, tuple[str, str]]:
    """The maker, the first word of its name, and the generation of each record, where they count."""
    if "generation" not in by:
        return {}
    records = all_records(evaluator.library, evaluator.schema.kinds[by["record"]])
    told = (
        (record.id, str(record.data.get("name", "")), str(record.data.get(by["generation"], ""))) for record in records
    )
    return {id_: (name.partition(" ")[0], generation) for id_, name, generation in told}


def _nearest(
    lines: Sequence[str], compared: Sequence[_Comparison], furthest: float
) -> tuple[float, Sequence[str] | None]:
    """The least distance and its run; those whose first record is another are tried only if they could be nearer."""
    first = compared[0]
    mark = f"\t{first.here}\t"
    distance, best = _least((line for line in lines if mark in line), compared)
    if distance <= first.by.get("of_generation", first.by["weight"]):
        return distance, best
    others = [line for line in lines if mark not in line]
    foreign = dict.fromkeys(other for other in others if first.is_of_another_maker(other.split("\t")))
    near = min(
        (distance, best), _least((other for other in others if other not in foreign), compared), key=lambda x: x[0]
    )
    if near[0] > furthest:
        near = _least(foreign, compared)
    return near if near[0] <= furthest else (math.inf, None)


def _least(lines: Iterable[str], compared: Sequence[_Comparison]) -> tuple[float, Sequence[str] | None]:
    least: tuple[float, Sequence[str] | None] = (math.inf, None)
    for each in lines:
        line = each.split("\t")
        distance = sum(of.distance(line) for of in compared)
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


def _here(by: Mapping[str, Any], result: Result) -> str | float:
    if "record" in by:
        return result.givens.records.get(by["record"], "")
    return float(result.numbers[by.get("here", by["name"])])
