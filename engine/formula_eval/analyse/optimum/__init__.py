"""Finds the best configuration of a grid by branch and bound, and tells whether that is proven.

In: a `Grid` with its `LaneGivens`, a goal, conditions and checks. Out: an `Optimum`. Read first: `branch_and_bound.py`;
`box_givens.py` says what each input may be in a box of the grid, `evaluate/bounds` what follows for the goal.
"""
