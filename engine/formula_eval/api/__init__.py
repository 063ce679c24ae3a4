"""Provides the Python interface: load the formulas once, ask as often as you like, look around in what there is.

In: keyword arguments, numbers in base units (byte, FLOP, s, USD, J) or texts with a unit.
Out: an `Answer` of values that are numbers and know their unit; it shows what the terminal does and becomes a table.
Read first: `formulas.py`, then `answer.py`.
"""

from formula_eval.api.answer import Answer
from formula_eval.api.catalogue import Catalogue
from formula_eval.api.formula import Explanation, Formula
from formula_eval.api.formulas import Formulas, load
from formula_eval.api.idle import CountsForNothing
from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.result import CheckResult, Result
from formula_eval.evaluate.value import Value

__all__ = [
    "Answer",
    "Catalogue",
    "CheckResult",
    "CountsForNothing",
    "Explanation",
    "Formula",
    "FormulaError",
    "Formulas",
    "Result",
    "Value",
    "load",
]
