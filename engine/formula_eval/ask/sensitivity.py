"""Ranks the inputs that move a quantity, and finds the value of each that alone would reach a goal."""

from math import nan
from typing import NamedTuple

from formula_eval.analyse.influences import Sensitivity, asked_sensitivity, of_deployment
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question


class SensitivityRequest(NamedTuple):
    """The name of a quantity, and a factor on it that is the goal; nan without one.

    `every` input is ranked, or those that somebody can turn: not the shape of a model.
    """

    question: Question
    name: str
    goal: float = nan
    every: bool = False


def sensitivity(evaluator: Evaluator, request: SensitivityRequest) -> Sensitivity:
    """What moves the quantity, the strongest first; raises FormulaError for one that is not a number, or is 0."""
    found = asked_sensitivity(evaluator, request.question, request.name, request.goal)
    return found if request.every else of_deployment(found, evaluator)
