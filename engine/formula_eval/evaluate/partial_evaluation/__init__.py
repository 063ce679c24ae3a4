"""Specialises a program to a grid: a smaller program that gives the same numbers and failures.

In: a program's graph, and for each input the array of its values over the grid.
Out: values and failures of any configurations of the grid, as `evaluate_block` gives them.
`node_facts.py` bounds every node over the grid, `partial_evaluator.py` keeps of each formula what that leaves open,
`hoisting.py` takes out what depends on few dimensions, and `grid_tables.py` computes it once and the rest for each
configuration.
Read first: `residual_program.py`, which ties these together.
"""
