"""Evaluates a formula graph: computes numbers, with units and origins, from the graph and the givens.

In: the graph of `resolve` and the givens of `records`, in base units.
Out: a `Result`, whose values know their unit, where they come from and why one is absent; arrays for many at once.
`codegen.py` prints the needed part of the graph as Python, `program.py` runs it, `batch.py` for many configurations.
Read first: `evaluator.py`, which ties these together for everything above.
"""
