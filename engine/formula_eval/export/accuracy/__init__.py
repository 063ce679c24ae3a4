"""How far the formulas are from measurements, to text: a report in a terminal, and tables in a page of the docs.

In: a `Validation` of `analyse/validate`.
Out: aligned columns, Markdown, CSV or JSON; `docs_tables.py` fills the marked places of docs/accuracy.md.
Read first: `grid_tables.py`, which says what each table holds; `report.py` only lays them out.
"""
