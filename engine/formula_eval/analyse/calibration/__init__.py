"""Fits inputs to a user's own measured runs, with errors on held-out runs and how well each is determined.

In: a table of runs (`run_table.py`) and the inputs to fit. Out: a `Calibration`.
Read first: `calibration.py`. What fits, and what leaves out, is that of `analyse/validate`.
"""
