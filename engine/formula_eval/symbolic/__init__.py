"""Converts formulas to SymPy, exact and with all branches: the one door to SymPy, for algebra and as an oracle."""

from formula_eval.symbolic.algebra import derivative, equal, simplified
from formula_eval.symbolic.expressions import flag_symbol, graph_symbols, quantity_symbol, symbolic
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
