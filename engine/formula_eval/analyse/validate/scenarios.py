"""Translates a point by its source's table to complete inputs, assumptions, and the quantity to compare with."""

import math
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import product
from typing import Any, NamedTuple

from formula_eval.analyse.validate.point_values import PointValues, choice_words
from formula_eval.analyse.validate.points import Point, number
from formula_eval.analyse.validate.sources import SourceTable
from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Givens, Question
from formula_eval.records.input_names import input_named
from formula_eval.records.record import RecordFile
from formula_eval.records.record_values import read_record
from formula_eval.records.values import InBaseUnits, Number, read_value

MOST_CANDIDATES = 10_000


class Scenario(NamedTuple):
    """One way in which a point may have run: its values in base units, its assumptions, and its records.

    `own` are the inputs that its table sets, as against those of records and defaults.
    """

    values: Mapping[str, Number]
    assumed: Mapping[str, str]
    records: Mapping[str, str]
    own: frozenset[str] = frozenset()


class MetricTarget(NamedTuple):
    """The target of a measured figure: a quantity and its scale; or why it is not compared."""

    metric: str
    quantity: str = ""
    scale: float = 1.0
    skipped: str = ""


class PointTranslator:
    """Translates points to scenarios by the tables of their sources; reads every record once."""

    def __init__(self, evaluator: Evaluator) -> None:
        """Translate to the inputs of this library."""
        self._library = evaluator.library
        self._schema = evaluator.schema
        self._evaluator = evaluator
        self._words = choice_words(evaluator.schema)
        self._held: dict[tuple[tuple[str, str], ...], Givens] = {}

    def values_of(self, point: Point, table: SourceTable) -> PointValues:
        """The values of the point, read by its table."""
        return PointValues(point, table, self._library, self._words)

    def skipped(self, point: PointValues, table: SourceTable) -> str:
        """Why a point is skipped, if its table says so."""
        for condition, why in table.table("skip").items():
            if point.value(condition, "skip"):
                return str(why)
        return ""

    def scenarios(self, point: PointValues, table: SourceTable) -> list[Scenario]:
        """All ways in which it may have run: one, unless its table searches what is not printed."""
        found = [self._scenario(values, table, searched) for values, searched in _candidates(point, table)]
        if not found:
            raise refuse("bad-value", "none of the values searched is valid for it")
        return found

    def target(self, metric: str, point: PointValues, table: SourceTable) -> MetricTarget:
        """The target of a measured figure."""
        stated = table.table("metrics").get(metric)
        if stated is None:
            return MetricTarget(metric, skipped=f"`{metric}` has no meaning in {table.shown}")
        if isinstance(stated, Mapping):
            if point.value(str(stated.get("when", "true")), metric):
                return MetricTarget(metric, skipped=str(stated["skip"]))
            stated = stated["quantity"]
        scale = next((float(each) for glob, each in table.table("units").items() if fnmatchcase(metric, glob)), 1.0)
        return MetricTarget(metric, str(stated), scale)

    def _scenario(self, point: PointValues, table: SourceTable, searched: Mapping[str, Any]) -> Scenario:
        base = self._base({key: _record(str(stated), point) for key, stated in table.table("records").items()})
        values = dict(base.values)
        for kind, parts in table.table("described").items():
            values.update(self._described(kind, parts, point))
        assumed: dict[str, str] = {}
        own: set[str] = set()
        for name in dict.fromkeys([*table.table("inputs"), *table.table("assumed")]):
            found = input_named(name, self._schema)
            stated = _stated(name, point, table)
            own.add(found)
            if stated is not None:
                values[found] = self._checked(found, stated, name)
            elif name in table.table("assumed"):
                value = point.value(str(table.table("assumed")[name]), name)
                values[found], assumed[name] = self._checked(found, value, name), _shown(value)
            else:
                assumed[name] = self._by_default(found, values)
                own.discard(found)
        assumed.update((f"best {key}", _shown(value)) for key, value in searched.items())
        return Scenario(values, assumed, base.records, frozenset(own))

    def _by_default(self, name: str, values: Mapping[str, Number]) -> str:
        """The text that shows an assumption nobody states; raises FormulaError where the input has no value."""
        schema = self._schema.inputs[name]
        if name not in values and not schema.default and not schema.optional:
            raise refuse("missing-value", f"the point does not say what `{name}` is")
        return "as of the record" if name in values else schema.default or "none"

    def _base(self, records: Mapping[str, str]) -> Givens:
        key = tuple(sorted(records.items()))
        if key not in self._held:
            self._held[key] = self._evaluator.givens(Question(records))
        return self._held[key]

    def _described(self, kind: str, parts: Mapping[str, Any], point: PointValues) -> Mapping[str, Number]:
        """The values of a record that the point describes instead of naming it."""
        data = {name: _part(name, stated, point) for name, stated in parts.items()}
        return read_record(RecordFile(kind, "point", f"the point's {kind}", data), self._schema).values

    def _checked(self, name: str, value: Any, spoken: str) -> Number:  # noqa: ANN401 - as printed
        return read_value(_written(value), self._schema.inputs[name], self._schema.units, spoken)


def _candidates(point: PointValues, table: SourceTable) -> Iterator[tuple[PointValues, Mapping[str, Any]]]:
    """Yields the point with every combination of searched values that it does not state itself."""
    search = table.table("search")
    asked = {key: list(tried) for key, tried in search.get("values", {}).items() if not point.says(key)}
    for place, chosen in enumerate(product(*asked.values())):
        if place >= MOST_CANDIDATES:
            raise refuse("bad-value", f"{table.shown} searches too many values")
        searched = dict(zip(asked, chosen, strict=True))
        candidate = point.with_more(searched) if searched else point
        if not searched or candidate.value(str(search.get("valid", "true")), "valid"):
            yield candidate, searched


def _stated(name: str, point: PointValues, table: SourceTable) -> Any:  # noqa: ANN401 - as printed
    """The value that the point states for an input; None without one."""
    stated = table.table("inputs").get(name)
    if stated is None:
        return None
    try:
        return point.value(str(stated), name)
    except FormulaError as error:
        if error.diagnostics[0].code != "missing-value":
            raise
        return None


def _part(name: str, stated: Any, point: PointValues) -> Any:  # noqa: ANN401 - a text, or the rows of a table
    if not isinstance(stated, list):
        return _written(point.value(str(stated), name))
    rows = [each for each in stated if point.value(str(each.get("when", "true")), name)]
    return [{key: _written(point.value(str(text), key)) for key, text in row.items() if key != "when"} for row in rows]


def _record(stated: str, point: PointValues) -> str:
    """The id of a record: a name of the table's own that leads to one, or the id itself."""
    if stated in point:
        return str(point[stated])
    if stated in point.missing:
        raise refuse("missing-value", point.missing[stated])
    return stated


def _written(value: Any) -> Any:  # noqa: ANN401 - as printed
    """Marks a number as in base units, infinite if it is too large; words and flags are unchanged."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    found = number(value)
    return InBaseUnits(math.inf if found is None else found)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)
