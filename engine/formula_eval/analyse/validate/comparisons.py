"""Compares measured points with predictions: one row per figure, with its error and what was assumed."""

import math
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from formula_eval.analyse.validate.points import Point, number
from formula_eval.analyse.validate.predictions import Prediction, Wanted, predictions
from formula_eval.analyse.validate.scenarios import MetricTarget, PointTranslator, Scenario
from formula_eval.analyse.validate.sources import SourceTable, source_of
from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.record_values import flat

FITS = "fits"


class MeasuredRow(NamedTuple):
    """One measured figure against its prediction, both in the unit of the source; `reason` says why it was not run."""

    point: Point  # the published measurement that the figure stands in
    group: str  # the source as reports name it
    metric: str  # the key of the figure in `point.measured`
    quantity: str = ""  # what it is compared with; empty if not compared
    measured: float = math.nan
    predicted: float = math.nan  # our value; nan if not run
    scenario: Scenario | None = None  # what it was computed with; None if not run
    layout: tuple[str, ...] = ()  # inputs shared by runs that differ in layout only
    scale: float = 1.0  # the unit of the source in base units
    reason: str = ""
    remark: str = ""  # a caveat of the prediction; empty for none
    publisher: str = ""  # who printed the source; left out of fits together

    @property
    def error(self) -> float:
        """The relative error of the prediction; for a yes or no it is 0, 1 or -1."""
        if self.answer:
            return self.predicted - self.measured
        return self.predicted / self.measured - 1.0

    @property
    def answer(self) -> bool:
        """Whether the figure is a yes-or-no answer."""
        return isinstance(self.point.measured.get(self.metric), bool)

    @property
    def ran(self) -> bool:
        """Whether there is a prediction."""
        return not self.reason

    @property
    def assumed(self) -> str:
        """The assumptions for what the source does not print, as text."""
        return ", ".join(
            f"{name} = {value}" for name, value in (self.scenario.assumed if self.scenario else {}).items()
        )


class Selection(NamedTuple):
    """Selects points and figures by globs that ignore case. A source is named as in the file, or as in tables."""

    core: bool = False
    source: str = "*"
    metric: str = "*"

    def points(self, points: Iterable[Point], tables: Sequence[SourceTable]) -> list[Point]:
        """The selected points."""
        return [point for point in points if (point.core or not self.core) and self._is_of_source(point, tables)]

    def _is_of_source(self, point: Point, tables: Sequence[SourceTable]) -> bool:
        table = source_of(point, tables)
        names = [point.source, *([table.name] if table else [])]
        return any(fnmatchcase(name.lower(), self.source.lower()) for name in names)


class _ReadPoint(NamedTuple):
    """A point as far as it could be read: what its rows have in common, its figures, and what is to be computed."""

    row: MeasuredRow
    targets: Sequence[MetricTarget] = ()
    wanted: Wanted | None = None


def rows(
    evaluator: Evaluator, points: Sequence[Point], tables: Sequence[SourceTable], metric: str = "*"
) -> list[MeasuredRow]:
    """The rows of these points, in their order."""
    translator = PointTranslator(evaluator)
    read = [_read(point, source_of(point, tables), translator, evaluator, metric) for point in points]
    asked = [point.wanted for point in read if point.wanted is not None]
    found = iter(predictions(evaluator, asked))
    return [row for point in read for row in _rows(point, next(found) if point.wanted is not None else None, metric)]


def _read(
    point: Point, table: SourceTable | None, translator: PointTranslator, evaluator: Evaluator, metric: str
) -> _ReadPoint:
    if table is None:
        reason = f"there is no table for this source, nor one for every {point.kind}"
        return _ReadPoint(MeasuredRow(point, point.source, "", reason=reason))
    group, publisher = (table.name, table.publisher) if table.sources else (point.source, point.source)
    row = MeasuredRow(point, group, "")
    values = translator.values_of(point, table)
    try:
        reason = translator.skipped(values, table)
        if reason:
            return _ReadPoint(row._replace(reason=reason))
        row = row._replace(point=_with_fits(point, table))
        metrics = [name for name in row.point.measured if fnmatchcase(name, metric)]
        targets = [translator.target(each, values, table) for each in metrics]
        quantities = {target.quantity for target in targets if target.quantity in evaluator.schema.formulas}
        read = _ReadPoint(row._replace(layout=_layout(point, table), publisher=publisher), targets)
        if not quantities:
            return read
        wanted = Wanted(translator.scenarios(values, table), tuple(sorted(quantities)), *_chosen_by(table, evaluator))
    except FormulaError as error:
        return _ReadPoint(row._replace(reason=error.diagnostics[0].message))
    return read._replace(wanted=wanted)


def _chosen_by(table: SourceTable, evaluator: Evaluator) -> list[str]:
    """The quantity that the best candidate minimises, and the one that says it fits; empty without a search."""
    names = [str(table.table("search").get(key, "")) for key in ("least", "fits")]
    for name in names:
        if name and name not in evaluator.schema.formulas:
            raise refuse("unknown-quantity", f"there is no quantity `{name}`")
    return names


def _with_fits(point: Point, table: SourceTable) -> Point:
    """Marks a published run as having fitted in memory, unless it says otherwise."""
    if FITS not in table.table("metrics"):
        return point
    return point._replace(measured={**point.measured, FITS: point.measured.get("oom") is not True})


def _layout(point: Point, table: SourceTable) -> tuple[str, ...]:
    """The key that a point shares with others that differ only in their layout."""
    own = [str(key) for key in table.table("layout").get("keys", ())]
    return tuple(f"{key}={value}" for key, value in sorted(flat(point.inputs)) if key not in own)


def _rows(read: _ReadPoint, prediction: Prediction | None, metric: str) -> list[MeasuredRow]:
    if read.row.reason:
        return [read.row._replace(metric=name) for name in read.row.point.measured if fnmatchcase(name, metric)]
    return [_row(read.row, target, prediction) for target in read.targets]


def _row(row: MeasuredRow, target: MetricTarget, prediction: Prediction | None) -> MeasuredRow:
    row = row._replace(metric=target.metric, quantity=target.quantity, scale=target.scale)
    stated = row.point.measured[target.metric]
    measured = number(stated)
    if target.skipped:
        return row._replace(reason=target.skipped)
    if measured is None or (measured <= 0 and not row.answer):
        return row._replace(reason=f"`{stated}` is not a positive number")
    if prediction is None or target.quantity not in prediction.values:
        return row._replace(reason=f"there is no quantity `{target.quantity}`")
    row = row._replace(measured=measured, scenario=prediction.scenario)
    value = prediction.values[target.quantity]
    if not math.isfinite(value):
        return row._replace(reason=prediction.failures.get(target.quantity) or f"`{target.quantity}` has no value")
    remark = "" if prediction.fitting else "no value searched fits"
    return row._replace(predicted=value / target.scale, remark=remark)
