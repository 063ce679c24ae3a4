"""Asks each question in one place: a frozen request in, an answer out, for the command and for Python alike.

In: an evaluator and a request, such as `SweepRequest`. Out: an answer, such as `Sweep`.
Read first: `question.py`, which makes what somebody states a `Question`; then `search.py`, whose `STAGES` are a search.
A module is loaded when it is first used: `ask.sweep.sweep_of(evaluator, request)`.
"""

from typing import TYPE_CHECKING

from formula_eval.lazy_modules import modules_of

if TYPE_CHECKING:
    from formula_eval.ask import (
        calibrate as calibrate,
        compare as compare,
        day_profile as day_profile,
        evaluate as evaluate,
        idle_notes as idle_notes,
        plan as plan,
        search as search,
        sensitivity as sensitivity,
        solve as solve,
        sweep as sweep,
        uncertainty as uncertainty,
    )

__getattr__ = modules_of(__name__)
