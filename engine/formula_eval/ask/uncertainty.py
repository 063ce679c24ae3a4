"""Gives the spread of a quantity where inputs are intervals or lists of values."""

from typing import NamedTuple

from formula_eval.analyse.dask_workers import client_of
from formula_eval.analyse.sobol_indices import Spread, uncertainty as spread
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question


class UncertaintyRequest(NamedTuple):
    """The name of a quantity, how it is drawn (`draws` is a power of two), and on which workers or cluster."""

    question: Question  # with intervals or lists as its uncertain inputs
    name: str
    draws: int = 1024
    seed: int = 0  # of the draws; the same seed repeats them
    workers: int | None = None
    cluster: str = ""


def uncertainty(evaluator: Evaluator, request: UncertaintyRequest) -> Spread:
    """The spread; the same seed gives the same numbers. Raises FormulaError if nothing is uncertain."""
    with client_of(request.workers, request.cluster) as client:
        return spread(evaluator, request.question, request.name, request.draws, request.seed, client)
