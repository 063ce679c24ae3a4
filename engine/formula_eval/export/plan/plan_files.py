"""Serialises a plan as JSON and CSV: every alternative with what it takes, or what stops it."""

import csv
import io
import math
from typing import Any

from formula_eval.analyse.plan.plan import Alternative, Plan, PlanColumn
from formula_eval.analyse.sweep.column import Column
from formula_eval.core.quantity import Quantified
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.entry_units import unit_of_entry

_SHARE_DIGITS = 5  # of a small share, such as that of late requests: a plan knows no more of it
_SMALL = 0.1


def value_text(value: float, column: PlanColumn, evaluator: Evaluator) -> str:
    """A value as people read it; a dash where there is none. Raises FormulaError for a unit of something else."""
    if math.isnan(value):
        return "-"
    quantity = evaluator.schema.quantity(column.name)
    entry = {"unit": column.unit} if column.unit else {}
    unit = unit_of_entry(column.name, quantity, entry, evaluator.schema.units)
    shown = unit if isinstance(unit, Quantified) else quantity
    small = shown.unit == "percent" and value < _SMALL
    return shown_value(round(value, _SHARE_DIGITS) if small else value, shown)


def plan_data(plan: Plan, evaluator: Evaluator, command: str) -> dict[str, Any]:
    """All of it as plain data, numbers in base units."""
    return {
        "command": command,
        "columns": [
            {**each._asdict(), "unit": Column(each.name, evaluator.schema.quantity(each.name), in_base=True).unit}
            for each in plan.columns
        ],
        "alternatives": [_alternative(each, plan) for each in plan.alternatives],
    }


def _alternative(each: Alternative, plan: Plan) -> dict[str, Any]:
    question = each.question
    return {
        **dict(each.varies),
        "keeps_targets": not each.stops,
        "stops": list(each.stops),
        "is_proven": each.is_proven,
        "warnings": list(each.warnings),
        "inputs": {} if question is None else {**question.records, **{k: str(v) for k, v in question.values.items()}},
        "values": {
            column.title: value if math.isfinite(value) else None
            for column, value in zip(plan.columns, each.values, strict=True)
        },
    }


def plan_csv(plan: Plan, evaluator: Evaluator) -> str:
    """A row for each alternative, numbers in the units of the titles."""
    held = io.StringIO()
    rows = csv.writer(held, lineterminator="\n")
    names = list(dict.fromkeys(name for each in plan.alternatives for name, _ in each.varies))
    rows.writerow([*names, *(each.title for each in plan.columns), "what stops it"])
    for each in plan.alternatives:
        said = dict(each.varies)
        texts = [value_text(*pair, evaluator) for pair in zip(each.values, plan.columns, strict=True)]
        rows.writerow([*(said.get(name, "") for name in names), *texts, "; ".join(each.stops)])
    return held.getvalue()
