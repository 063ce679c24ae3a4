"""Searches the inputs that may vary for the configuration that is best for a goal, and tells how sure that is.

In: a `Question`, a `SearchSpace` (a file of reports/search/) and a goal. Out: an `Outcome`: the best, those next to
it, a front, how many configurations there were, and why the others are none.
Read first: `search_run.py`, which calls the steps in order; then `search_space.py`, `record_grid.py` and
`feasible_layouts.py`. `enumeration.py` computes all that is left, `bounding.py` bounds it where that is too much.
"""
