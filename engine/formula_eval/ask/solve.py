"""Finds the values of an input at which conditions hold."""

from collections.abc import Sequence
from typing import NamedTuple

from formula_eval.analyse.ineffective_inputs import Effects, effects_of
from formula_eval.analyse.solver import Solved, ValueRange, solve as solutions
from formula_eval.ask.answer_layout import read_answer_layout
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.value import Value
from formula_eval.evaluate.views import View
from formula_eval.records.givens import Question
from formula_eval.records.input_names import input_named
from formula_eval.records.roles import roles_of


class SolveRequest(NamedTuple):
    """The input that is sought, and the conditions that should hold, written as in formulas."""

    question: Question
    name: str
    where: Sequence[str] = ()


def solve(evaluator: Evaluator, request: SolveRequest) -> Solved:
    """The values; raises FormulaError for an unknown input, one that is given, and a text that is no condition."""
    question, name, _ = request
    where, tells = _held(evaluator, request)
    found = solutions(evaluator, question, name, where, _meant(evaluator, question))
    told = [_told(evaluator, request, tells, span) for span in found.spans] if tells else []
    return found._replace(told=tuple(told))


def effects(evaluator: Evaluator, request: SolveRequest, found: Solved) -> list[Effects]:
    """What options move of the conditions at both ends of each span, or where they come nearest to holding."""
    question, name, _ = request
    ends = [end for span in found.spans for end in (span.low, span.high)] or [*filter(None, [found.nearest])]
    at = [question.at({name: end}) for end in dict.fromkeys(map(float, ends))]
    conditioned = _conditioned(evaluator, request, _held(evaluator, request)[0])
    return effects_of(at or [question], lambda each: Effects.under(conditioned, each))


def first_found(evaluator: Evaluator, request: SolveRequest, found: Solved) -> tuple[Sequence[str], Question]:
    """What the conditions read, and the question with the least value that was found."""
    question, name, _ = request
    conditioned = _conditioned(evaluator, request, _held(evaluator, request)[0])
    read = {part for condition in conditioned.conditions for part in conditioned.graph.reads(condition.node)}
    at = question.at({name: float(found.spans[0].low)}) if found.spans else question
    return sorted(read & evaluator.schema.formulas.keys()), at


def _told(evaluator: Evaluator, request: SolveRequest, name: str, span: ValueRange) -> ValueRange:
    """What a quantity is at both ends of a span."""
    quantity, units = evaluator.schema.quantity(name), evaluator.schema.units
    asked = [evaluator.givens(request.question.at({request.name: float(end)})) for end in span]
    values = [float(evaluator.program([name]).evaluate(givens.values)[name]) for givens in asked]
    return ValueRange(*(Value(name, value, quantity, units) for value in values))


def _conditioned(evaluator: Evaluator, request: SolveRequest, texts: Sequence[str]) -> View:
    question = request.question
    asked = question._replace(values={request.name: None, **question.values})
    return View(evaluator, texts, asked, _meant(evaluator, question))


def _held(evaluator: Evaluator, request: SolveRequest) -> tuple[Sequence[str], str]:
    """The conditions, with what holds of the input unless they name it, and the quantity that is told beside it."""
    name = input_named(request.name, evaluator.schema, request.question.namespace)
    within = roles_of(evaluator.library).solved_within.get(name)
    if within is None or not request.where or not {*within} <= evaluator.schema.formulas.keys():
        return request.where, ""
    asked = _conditioned(evaluator, request, request.where)
    if name not in asked.program([condition.node for condition in asked.conditions]).inputs:
        return request.where, ""
    named = any(within.holds in condition.text for condition in asked.conditions)
    return [*request.where, *([] if named else [within.holds])], within.tells


def _meant(evaluator: Evaluator, question: Question) -> list[str]:
    """The quantities that bare names mean first: those of the answer."""
    return read_answer_layout(evaluator.library, question.about(evaluator.library)).quantities(evaluator.schema)
