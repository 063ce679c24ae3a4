"""A grid and a goal to the best configuration of all, by branch and bound, and whether that is proven.

In: a `Grid` with its `LaneGivens`, a goal, conditions and checks. Out: an `Optimum`. Read first: `branch_and_bound.py`;
`box_givens.py` says what each input may be in a box of the grid, `evaluate/bounds` what follows for the goal.
"""
