"""Finds the values of an input at which conditions hold."""

from collections.abc import Sequence
from typing import NamedTuple

from formula_eval.analyse.ineffective_inputs import Effects, effects_of
from formula_eval.analyse.solver import Solved, solve as solutions
from formula_eval.ask.answer_layout import read_answer_layout
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.views import View
from formula_eval.records.givens import Question


class SolveRequest(NamedTuple):
    """The input that is sought, and the conditions that should hold, written as in formulas."""

    question: Question
    name: str
    where: Sequence[str] = ()


def solve(evaluator: Evaluator, request: SolveRequest) -> Solved:
    """The values; raises FormulaError for an unknown input, one that is given, and a text that is no condition."""
    question, name, where = request
    return solutions(evaluator, question, name, where, _meant(evaluator, question))


def effects(evaluator: Evaluator, request: SolveRequest, found: Solved) -> list[Effects]:
    """What options move of the conditions at both ends of each span, or where they come nearest to holding."""
    question, name, where = request
    ends = [end for span in found.spans for end in (span.low, span.high)] or [*filter(None, [found.nearest])]
    at = [question.at({name: end}) for end in dict.fromkeys(map(float, ends))]
    asked = question._replace(values={name: None, **question.values})
    conditioned = View(evaluator, where, asked, _meant(evaluator, question))
    return effects_of(at or [question], lambda each: Effects.under(conditioned, each))


def first_found(evaluator: Evaluator, request: SolveRequest, found: Solved) -> tuple[Sequence[str], Question]:
    """What the conditions read, and the question with the least value that was found."""
    question, name, where = request
    asked = question._replace(values={name: None, **question.values})
    conditioned = View(evaluator, where, asked, _meant(evaluator, question))
    read = {part for condition in conditioned.conditions for part in conditioned.graph.reads(condition.node)}
    at = question.at({name: float(found.spans[0].low)}) if found.spans else question
    return sorted(read & evaluator.schema.formulas.keys()), at


def _meant(evaluator: Evaluator, question: Question) -> list[str]:
    """The quantities that bare names mean first: those of the answer."""
    return read_answer_layout(evaluator.library, question.about(evaluator.library)).quantities(evaluator.schema)
