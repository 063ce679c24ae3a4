"""Sweeps options over several values each: computes the quantities for every combination.

In: a `Question` whose records and values may be lists (`1,2,4`, `1..512*2`), and what is asked of each configuration.
Out: a `Sweep`, which gives batches of rows in a fixed order, and tells why some configurations have none.
Read first: `sweep_batches.py`, which calls the steps in order; then `grid.py`.
"""
