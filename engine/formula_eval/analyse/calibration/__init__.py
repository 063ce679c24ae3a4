"""A user's own measured runs to the inputs that fit them: how far off they are, also on runs held out, and how sure.

In: a table of runs (`run_table.py`) and the inputs to fit. Out: a `Calibration`.
Read first: `calibration.py`. What fits, and what leaves out, is that of `analyse/validate`.
"""
