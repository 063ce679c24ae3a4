"""Serialises a plan as JSON and CSV: every alternative with what it takes, or what stops it."""

import math
from collections.abc import Sequence
from typing import Any

from formula_eval.analyse.plan.demand import DayLayout, PlanColumn
from formula_eval.analyse.plan.planned import Alternative, MixedFleet, Plan, PlannedDay
from formula_eval.analyse.sweep.column import Column
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.plan.heading import verdict_of
from formula_eval.export.plan.rows import rows_of
from formula_eval.export.terminal.json_csv import csv_text, finite
from formula_eval.records.givens import Question


def plan_data(plan: Plan, evaluator: Evaluator, command: str) -> dict[str, Any]:
    """All of it as plain data, numbers in base units."""
    return {
        "command": command,
        "verdict": verdict_of(plan, evaluator),
        "columns": [
            {**column._asdict(), "unit": Column(column.name, evaluator.schema.quantity(column.name), in_base=True).unit}
            for column in _columns(plan)
        ],
        "alternatives": [_alternative(alternative, plan) for alternative in plan.alternatives],
        **({"mix": _mix(plan.mix)} if plan.mix else {}),
    }


def _mix(mix: MixedFleet) -> dict[str, Any]:
    parts = [{"name": part.name, "replicas": part.replicas, "inputs": _inputs(part.question)} for part in mix.parts]
    return {"parts": parts, mix.layout.cost: mix.cost, "alone": mix.alone}


def _inputs(question: Question | None) -> dict[str, str]:
    return {} if question is None else {**question.records, **{k: str(v) for k, v in question.values.items()}}


def _alternative(alternative: Alternative, plan: Plan) -> dict[str, Any]:
    return {
        "name": alternative.name,
        **{name: text.removeprefix(f"{name} ") for name, text in alternative.varies},
        "keeps_targets": not alternative.stops,
        "stops": list(alternative.stops),
        "is_proven": alternative.is_proven,
        "warnings": list(alternative.warnings),
        "inputs": _inputs(alternative.question),
        **({"day": _day(alternative.day, plan.day)} if alternative.day and plan.day else {}),
        "values": _named(_columns(plan), (*alternative.values, alternative.most)),
    }


def _columns(plan: Plan) -> list[PlanColumn]:
    """What is told of each alternative; last the most that a replica takes, where requests arrive at a rate."""
    return [*plan.columns, *([PlanColumn(plan.load.most, plan.load.rate)] if plan.load else ())]


def _day(day: PlannedDay, layout: DayLayout) -> dict[str, Any]:
    """The hours of a day and its sums, in base units."""
    return {
        "hours": [{"hour": hour.hour, "rate": hour.rate, **_named(layout.columns, hour.values)} for hour in day.hours],
        "by_the_hour": _named(layout.sums, day.scaled),
        "never_scaled": _named(layout.sums, day.steady),
        "starts": finite(day.starts),
        **({} if math.isnan(day.committed) else {"committed": day.committed}),
        "start_time": finite(day.start_time),
    }


def _named(columns: Sequence[PlanColumn], values: Sequence[float]) -> dict[str, float | None]:
    """Values by the titles of their columns; what has no title is left out."""
    return {column.title: finite(value) for column, value in zip(columns, values, strict=False)}


def plan_csv(plan: Plan, evaluator: Evaluator) -> str:
    """A row for each alternative, numbers in the units of the titles."""
    names = list(dict.fromkeys(name for alternative in plan.alternatives for name, _ in alternative.varies))
    titles = [row.title for row in rows_of(plan, plan.alternatives, evaluator)]
    rows = []
    for alternative in plan.alternatives:
        said = {name: text.removeprefix(f"{name} ") for name, text in alternative.varies}
        texts = [row.texts[0] for row in rows_of(plan, [alternative], evaluator)]
        rows.append([*(said.get(name, "") for name in names), *texts, "; ".join(alternative.stops)])
    return csv_text((*names, *titles, "what stops it"), rows)
