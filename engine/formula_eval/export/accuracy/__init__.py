"""Reports how far the formulas are from measurements.

In: a `Validation` of `analyse/validate`.
Out: aligned columns, Markdown, CSV or JSON.
Read first: `tables.py`, which says what each table holds; `report.py` only lays them out.
"""
