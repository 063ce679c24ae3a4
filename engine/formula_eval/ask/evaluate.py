"""Evaluates a question: the whole answer that the library lays out for it, or the quantities that were named."""

from collections.abc import Sequence
from typing import NamedTuple

from formula_eval.ask.answer_layout import read_answer_layout
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result
from formula_eval.evaluate.views import refuse_unchosen, selected
from formula_eval.records.givens import Question


class EvaluateRequest(NamedTuple):
    """A question, and names or globs of quantities such as `ttft in ms`; without any the whole answer."""

    question: Question
    only: Sequence[str] = ()


class Evaluated(NamedTuple):
    """A result, and the evaluator that shows it in the units asked for.

    `named` tells whether quantities were named, or the whole answer to the question was asked for.
    """

    result: Result
    evaluator: Evaluator
    question: Question
    wanted: Sequence[str]
    named: bool

    @property
    def purpose(self) -> str:
        """What the question is about, whose sections show the answer; empty where quantities were named."""
        return "" if self.named else self.question.about(self.evaluator.library)


def evaluate(evaluator: Evaluator, request: EvaluateRequest) -> Evaluated:
    """The answer; raises FormulaError for what is unknown, refused by a check of what was asked, or not computable."""
    question, only = request
    named = bool(only)
    if only:
        evaluator, wanted = selected(evaluator, only, question)
    givens = evaluator.givens(question)
    if only:
        refuse_unchosen(evaluator, only, givens, question)
    else:
        layout = read_answer_layout(evaluator.library, question.about(evaluator.library)).asked_by(givens)
        wanted = layout.quantities(evaluator.schema)
    result = evaluator.evaluate(givens, wanted, question.namespace, named=named)
    return Evaluated(result, evaluator, question, wanted, named)
