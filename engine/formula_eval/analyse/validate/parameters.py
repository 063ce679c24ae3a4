"""Reads which inputs the library fits to which figures: scope, prior, and how far a fit may move them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from formula_eval.analyse.perturbation import range_of
from formula_eval.analyse.validate.comparisons import MeasuredRow
from formula_eval.analyse.validate.sources import measured_tables
from formula_eval.core.diagnostic import refuse
from formula_eval.library import Library
from formula_eval.records.input_names import input_named
from formula_eval.records.schema import Schema
from formula_eval.records.values import read_value
from formula_eval.toml_table import of_names, table

_FIT = table(
    "kind metrics?:[text] except?:[text] noise?:number weight?:number parameters?:[parameter]",
    parameter=table("input prior:number|text spread:number of?:kinds", kinds=table("*kind:text|[text]")),
)
FITS = table("*:fit", fit=_FIT)


class Parameter(NamedTuple):
    """An input to fit, wherever one of these records is used; the spread is that of its logarithm."""

    input: str
    scope: str  # the kind of `records`; empty if it holds everywhere
    records: tuple[str, ...]
    prior: float  # the value expected without these runs, in base units
    spread: float
    low: float  # the least value the input may take
    high: float  # the largest it may take; infinite without a bound

    @property
    def name(self) -> str:
        """The name of the parameter in reports."""
        return f"{self.input} of {', '.join(self.records)}" if self.scope else self.input

    def holds(self, row: MeasuredRow) -> bool:
        """Whether a row is computed with this parameter: not if its table sets the input itself."""
        if row.scenario is None or self.input in row.scenario.own:
            return False
        return not self.scope or row.scenario.records.get(self.scope) in self.records


class Fit(NamedTuple):
    """Figures that are fitted together, and the parameters that may move.

    Figures that are compared with the quantities of `without` are left aside.
    """

    name: str  # its key in fit.toml
    kind: str  # of the points that it uses, such as `training`
    metrics: frozenset[str]  # keys of the measured figures to fit
    noise: float  # relative error beyond which a figure counts as an outlier
    weight: float  # exponent of a group's size that weighs squared errors
    parameters: Sequence[Parameter]  # the inputs that may move, each with its prior
    without: frozenset[str] = frozenset()

    def rows(self, rows: Sequence[MeasuredRow]) -> list[MeasuredRow]:
        """The rows that the fit uses."""
        compared = (row for row in rows if row.ran and row.point.kind == self.kind and row.metric in self.metrics)
        return [row for row in compared if row.quantity not in self.without]


def read_fits(library: Library, schema: Schema) -> list[Fit]:
    """Reads all fits that the library states; raises FormulaError for a mistake in one of them."""
    files = measured_tables(library, "fit.toml", FITS, {"kind": of_names(schema.kinds, "kind of records")})
    return [_fit(name, data, schema, shown) for shown, tables in files for name, data in tables.items()]


def _fit(name: str, data: Mapping[str, Any], schema: Schema, shown: str) -> Fit:
    parameters = [_parameter(parameter, schema, shown) for parameter in data.get("parameters", ())]
    figures = float(data.get("noise", 0.05)), float(data.get("weight", 1.0))
    metrics, without = (frozenset(map(str, data.get(key, ()))) for key in ("metrics", "except"))
    return Fit(name, str(data["kind"]), metrics, *figures, parameters, without)


def _parameter(data: Mapping[str, Any], schema: Schema, shown: str) -> Parameter:
    name = input_named(data["input"], schema)
    prior = float(read_value(data["prior"], schema.inputs[name], schema.units, f"{shown}: prior"))
    spread = float(data["spread"])
    if prior <= 0:
        raise refuse("bad-value", f"{shown}: the prior of `{name}` is not positive")
    scope, stated = next(iter(data.get("of", {}).items()), ("", ()))
    records = (stated,) if isinstance(stated, str) else tuple(map(str, stated))
    return Parameter(name, scope, records, prior, spread, *range_of(schema.inputs[name]))
