"""Validates the formulas against measured runs: predictions, errors, and what had to be assumed.

In: a file of measured runs (`points.py`), and tables in presets/measured/ that say how each source is read.
Out: a `Validation`: a row for each figure, errors by source, those of other tools, and fits with each source left out.
Read first: `validation.py`, which calls the steps in order; then `comparisons.py`.
"""
