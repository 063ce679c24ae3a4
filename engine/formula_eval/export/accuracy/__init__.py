"""Reports how far the formulas are from measurements, in a terminal and in tables on a page of the docs.

In: a `Validation` of `analyse/validate`.
Out: aligned columns, Markdown, CSV or JSON; `docs_tables.py` fills the marked places of docs/accuracy.md.
Read first: `tables.py`, which says what each table holds; `report.py` only lays them out.
"""
