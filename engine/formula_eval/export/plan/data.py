"""Serialises a plan as JSON and CSV: every alternative with what it takes, or what stops it."""

import csv
import io
import math
from typing import Any

from formula_eval.analyse.plan.plan import Alternative, Plan
from formula_eval.analyse.sweep.column import Column
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.plan.rows import values_told, verdict_of


def plan_data(plan: Plan, evaluator: Evaluator, command: str) -> dict[str, Any]:
    """All of it as plain data, numbers in base units."""
    return {
        "command": command,
        "verdict": verdict_of(plan, evaluator),
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
        texts = [row.texts[0] for row in values_told(plan.columns, [each.values], evaluator)]
        rows.writerow([*(said.get(name, "") for name in names), *texts, "; ".join(each.stops)])
    return held.getvalue()
