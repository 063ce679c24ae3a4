"""Chooses the columns of a sweep where nobody names quantities: what heads the answer to the question."""

from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.terminal.answer_layout import read_answer_layout
from formula_eval.records.givens import Question


def usual_columns(evaluator: Evaluator, question: Question) -> list[str]:
    """The quantities that a sweep computes where nobody names any; raises FormulaError for a file that is wrong.

    What no situation speaks of (a namespace, another library) has the values of its answer.
    """
    from formula_eval.analyse.search.record_grid import first_question  # noqa: PLC0415 - loads NumPy

    situation = evaluator.situation(question, evaluator.givens(first_question(evaluator, question)).values)
    if situation is not None:
        return situation.names
    schema, layout = evaluator.schema, read_answer_layout(evaluator.library, question.about(evaluator.library))
    entries = [each for section in layout.sections if section["kind"] == "values" for each in section["entries"]]
    found = [each["name"] for each in entries if "name" in each and each["name"] not in schema.inputs]
    return found or layout.quantities(schema)
