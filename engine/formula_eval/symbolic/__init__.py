"""Converts formulas to SymPy, exact and with all branches: the one door to SymPy."""

from formula_eval.symbolic.expressions import flag_symbol, graph_symbols, quantity_symbol, symbolic

__all__ = ["flag_symbol", "graph_symbols", "quantity_symbol", "symbolic"]
