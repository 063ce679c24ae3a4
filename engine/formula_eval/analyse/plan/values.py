"""Evaluates what a plan tells of an alternative: quantities, and sentences that quote them."""

import math
from collections.abc import Collection, Sequence

from formula_eval.analyse.plan.demand import PlanColumn, SentencePart
from formula_eval.core.diagnostic import FormulaError
from formula_eval.core.quantity import Quantified
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.display_unit import unit_of_entry
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question
from formula_eval.toml_table import quoted


def values_of(evaluator: Evaluator, question: Question | None, names: Collection[str]) -> dict[str, float]:
    """Their values in base units, computed one by one where they fail together; nan without a question."""
    if question is None:
        return dict.fromkeys(names, math.nan)
    ordered = sorted(set(names))
    try:
        found = evaluator.program(ordered).evaluate(evaluator.givens(question).values)
    except FormulaError:
        if len(ordered) == 1:
            return {ordered[0]: math.nan}
        return {name: value for each in ordered for name, value in values_of(evaluator, question, [each]).items()}
    return {name: float(found[name]) for name in ordered}


def value_of(evaluator: Evaluator, question: Question | None, name: str) -> float:
    """The same of one quantity."""
    return values_of(evaluator, question, [name])[name]


def shown_quantity(row: PlanColumn, evaluator: Evaluator) -> Quantified:
    """The quantity that shows the values of a row; raises FormulaError for a unit of something else."""
    quantity = evaluator.schema.quantity(row.name)
    entry = {"unit": row.unit} if row.unit else {}
    shown = unit_of_entry(row.name, quantity, entry, evaluator.schema.units)
    return shown if isinstance(shown, Quantified) else quantity


def said(parts: Sequence[SentencePart], asked: Question | None, evaluator: Evaluator) -> str:
    """The parts of a sentence that hold, with the values that they quote."""
    quotes = {name for part in parts for name in (*quoted(part.says), part.when) if name}
    values = values_of(evaluator, asked, quotes)

    def text(part: SentencePart) -> str:
        found = {name: values[name] for name in quoted(part.says)}
        if not all(map(math.isfinite, found.values())) or (part.when and not values[part.when] > 0):
            return ""
        written = part.says
        for name, value in found.items():
            shown = shown_quantity(PlanColumn(name, name, part.unit), evaluator)
            written = written.replace(f"{{{name}}}", shown_value(value, shown))
        return written

    return "".join(map(text, parts))


def told_columns(columns: Sequence[PlanColumn], asked: Sequence[Question], evaluator: Evaluator) -> list[PlanColumn]:
    """The columns without those whose flag holds in no alternative."""
    flags = list(dict.fromkeys(column.when for column in columns if column.when))
    found = [values_of(evaluator, question, flags) for question in asked] if flags else ()
    return [column for column in columns if not column.when or any(values[column.when] > 0 for values in found)]


def untold(rows: Sequence[PlanColumn], question: Question, evaluator: Evaluator) -> set[tuple[str, str, str]]:
    """Name, hour and flag of each row whose flag does not hold for the question."""
    flags = values_of(evaluator, question, {row.when for row in rows if row.when})
    return {(row.name, row.hour, row.when) for row in rows if row.when and not flags[row.when] > 0}
