"""Counts measured runs by accelerator, engine, kind of model and number format, with the errors of predictions."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from formula_eval.analyse.evidence import EvidenceGroup, EvidenceLayout, format_name
from formula_eval.analyse.validate.comparisons import MeasuredRow
from formula_eval.analyse.validate.cross_validation import Refit
from formula_eval.analyse.validate.points import Point, read_points
from formula_eval.analyse.validate.predictions import lanes
from formula_eval.analyse.validate.scenarios import PointTranslator
from formula_eval.analyse.validate.sources import read_sources, source_of
from formula_eval.evaluate.batch import evaluate_many
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.roles import roles_of

_Key = tuple[str, str, str, str, str]
_PERCENT = 100
_MEASURED = Path(__file__).parents[1] / "tests" / "measured"
_OTHERS = ("serving", "training")  # of the folders in published: runs of language models


def measured_points() -> tuple[list[Point], list[Point]]:
    """The published runs that fits may learn from, and those of which nothing was fitted."""
    fitted = [each for each in read_points(_MEASURED) if each.kind != "op"]
    return fitted, [each for folder in _OTHERS for each in read_points(_MEASURED / "published" / folder)]


def counted_evidence(
    evaluator: Evaluator, layout: EvidenceLayout, rows: Sequence[MeasuredRow], refits: Sequence[Refit]
) -> list[EvidenceGroup]:
    """The groups of all rows that were run; `refits` tell how far off fits are that leave something out."""
    parts: dict[_Key, list[MeasuredRow]] = {}
    for key, row in _keyed(evaluator, layout, [each for each in rows if each.ran and not each.answer]):
        parts.setdefault(key, []).append(row)
    held_out = {
        _figure(row): row
        for each in refits
        if each.by == layout.left_out and each.fit.kind in layout.runs
        for row in each.rows
    }
    order = [*layout.figures]
    keys = sorted(parts, key=lambda key: (*key[:-1], order.index(key[-1])))
    return [_group(key, parts[key], held_out, layout) for key in keys]


def evidence_lines(layout: EvidenceLayout, groups: Sequence[EvidenceGroup]) -> list[str]:
    """The lines of the file, the first of them its columns."""
    *first, _, publishers = layout.columns
    return ["\t".join((*first, publishers)), *map(_line, groups)]


def _line(group: EvidenceGroup) -> str:
    *first, _, publishers = group.cells()
    return "\t".join(map(str, (*first, publishers)))


def _figure(row: MeasuredRow) -> tuple[str, str]:
    return row.point.id, row.metric


def _group(
    key: _Key, rows: Sequence[MeasuredRow], held_out: Mapping[tuple[str, str], MeasuredRow], layout: EvidenceLayout
) -> EvidenceGroup:
    rates = layout.figures[key[-1]].rates
    errors = [_error(each, rates) for each in rows]
    without = [abs(_error(held_out[_figure(each)], rates)) for each in rows if _figure(each) in held_out]
    runs = len({each.point.id for each in rows})
    publishers = tuple(sorted({each.publisher for each in rows}))
    off, bias = _median([abs(each) for each in errors]), _median(errors)
    return EvidenceGroup(*key, runs, off, bias, _median(without) if without else None, publishers)


def _error(row: MeasuredRow, rates: Sequence[str]) -> float:
    """The error of a time or of memory as a share; that of a rate is the error of the time it stands for."""
    return row.measured / row.predicted - 1 if row.quantity in rates else row.error


def _median(shares: Sequence[float]) -> float:
    return round(_PERCENT * float(np.median(shares)), 1) + 0.0


def _keyed(
    evaluator: Evaluator, layout: EvidenceLayout, rows: Sequence[MeasuredRow]
) -> Iterator[tuple[_Key, MeasuredRow]]:
    roles, tables, translator = roles_of(evaluator.library), read_sources(evaluator.library), PointTranslator(evaluator)
    figures = {quantity: name for name, each in layout.figures.items() for quantity in each.quantities}
    for kind, counted in layout.runs.items():
        chosen = [each for each in rows if each.point.kind == kind and each.quantity in figures]
        scenarios = [each.scenario for each in chosen if each.scenario is not None]
        program = evaluator.program((layout.mixture, *counted.bits))
        numbers = evaluate_many(program, lanes(program, scenarios), failures="nan") if scenarios else {}
        for place, (row, scenario) in enumerate(zip(chosen, scenarios, strict=True)):
            engine = scenario.records.get(roles.engine, "")
            table = source_of(row.point, tables)
            if counted.program and table is not None:
                engine = str(translator.values_of(row.point, table).value(counted.program, counted.program))
            model = layout.models[bool(numbers[layout.mixture][place] > 0)]
            bits = format_name([float(numbers[each][place]) for each in counted.bits])
            yield (scenario.records[roles.accelerator], engine, model, bits, figures[row.quantity]), row
