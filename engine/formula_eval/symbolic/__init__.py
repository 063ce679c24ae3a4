"""Formulas as SymPy expressions, exact and with all branches: the one door to SymPy, for algebra and as an oracle."""

from formula_eval.symbolic.algebra import derivative
from formula_eval.symbolic.algebra import equal
from formula_eval.symbolic.algebra import simplified
from formula_eval.symbolic.expressions import flag_symbol
from formula_eval.symbolic.expressions import graph_symbols
from formula_eval.symbolic.expressions import quantity_symbol
from formula_eval.symbolic.expressions import symbolic
from formula_eval.symbolic.oracle import Oracle

__all__ = [
    "Oracle",
    "derivative",
    "equal",
    "flag_symbol",
    "graph_symbols",
    "quantity_symbol",
    "simplified",
    "symbolic",
]
