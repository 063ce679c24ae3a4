"""What the sheet of a section of reports/plan.toml holds, for the tests of this folder."""

from formula_eval.ask.plan_layout import read_plan_layout
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.plan.rows import PlanSheet, read_plan_sheet


def plan_sheet_of(evaluator: Evaluator, section: str) -> PlanSheet:
    layout = read_plan_layout(evaluator.library, section, evaluator.schema)
    return read_plan_sheet(evaluator.library, section, evaluator.schema, layout)
