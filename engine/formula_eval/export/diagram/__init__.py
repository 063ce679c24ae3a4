"""Draws the model of a document: the operators of each phase as a graph, with bars of where the time goes.

In: a `Document`, and reports/structure.toml (`diagram_layout.py`).
Out: SVG. The page, the workbook and the site use its parts to draw graphs of their own.
Read first: `structure.py`, which gathers what is shown; then `placement.py` (where) and `drawing.py` (which shapes).
"""
